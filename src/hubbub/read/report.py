"""The report of a reading: what became of every line or record, and which files could not be read and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..errors import HubbubError, InputError, NeedsExtra
from .input.decompression import guard
from .input.source import Source

BLOCK = 1 << 13  # small, as a block in which the file breaks is lost, and its lines are not counted


@dataclass(frozen=True, slots=True)
class Remark:
    """One line or record that became no message, and why."""

    where: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file, or the rest of one, that could not be read: why, and how many lines it has, if they can be counted."""

    where: str
    reason: str
    lines: int | None = None
    begun: bool = False  # what comes before the defect was read


@dataclass(slots=True)
class Report:
    """The account of a reading: every line or record of the input is counted in exactly one place.

        total == messages + continued + skipped.total() + unexplained.total()

    `total` is counted where lines or records come in, before anything is known of them; `messages` is how many messages
    were given out; `continued` are lines or records that belong to a message which another one began (or annotate it,
    in hubbub's own files), less one for every further message on the same line; `skipped` carry no message by rule
    (blank lines, headings ...); `unexplained` did not fit the format. `left_out` are files that no reader could take,
    or that broke before their end. Counts are whole; only the first few remarks of each reason are kept.
    """

    KEEP = 20
    total: int = 0
    continued: int = 0
    unexplained: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)
    remarks: list[Remark] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def unexplain(self, where: str, line: int, reason: str) -> None:
        self._note(self.unexplained, where, line, reason)

    def skip(self, where: str, line: int, reason: str) -> None:
        self._note(self.skipped, where, line, reason)

    def skip_file(self, where: str, reason: str) -> None:
        """A whole file that carries no message by rule; it counts as one record."""
        self.total += 1
        self._note(self.skipped, where, 0, reason)

    def leave_out(self, where: str, reason: str, lines: int | None = None, *, begun: bool = False) -> None:
        """A file that cannot be read, or the rest of one that was begun."""
        self.left_out.append(LeftOut(where, reason, lines, begun))

    def note(self, where: str, line: int, what: str) -> None:
        """Something about a message that users should know; it has no part in the account."""
        self._note(self.noted, where, line, what)

    def _note(self, tally: Counter[str], where: str, line: int, reason: str) -> None:
        tally[reason] += 1
        if tally[reason] <= self.KEEP:
            self.remarks.append(Remark(where, line, reason))

    def unaccounted(self, messages: int) -> int:
        """How many lines or records are missing from the account; 0 if the reader is right."""
        return self.total - messages - self.continued - self.skipped.total() - self.unexplained.total()

    def first_unexplained(self, most: int = 5) -> list[Remark]:
        return [remark for remark in self.remarks if remark.reason in self.unexplained][:most]

    def merge(self, other: Report) -> None:
        self.total += other.total
        self.continued += other.continued
        self.unexplained += other.unexplained
        self.skipped += other.skipped
        self.noted += other.noted
        self.remarks += other.remarks
        self.left_out += other.left_out


@contextmanager
def leaving_out(
    report: Report,
    where: str,
    source: Source | None = None,
    unless: tuple[type[HubbubError], ...] = (),
    *,
    begun: bool = False,
) -> Iterator[None]:
    """What is wrong with an input inside this block is noted in the report; other errors, and `unless`, pass."""
    try:
        yield
    except unless:
        raise
    except (InputError, NeedsExtra) as error:
        report.leave_out(where, reason_of(error, where), count_lines(source) if source else None, begun=begun)


def reason_of(error: HubbubError, where: str) -> str:
    """The sentence of an error without the name of the file and the full stop."""
    return str(error).removeprefix(f"{where}: ").rstrip(".")


def count_lines(source: Source) -> int | None:
    """How many lines a source has, as far as it can be read; None if not one byte of it can."""
    count, last = 0, b""
    try:
        with source.open() as stream, guard(source.name):
            while block := stream.read(BLOCK):
                split = last == b"\r" and block.startswith(b"\n")
                count += block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n") - split
                last = block[-1:]
    except HubbubError:
        if not last:
            return None
    return count + (last not in (b"", b"\n", b"\r"))
