"""Files that cannot be read: noted with the reason and the number of their lines, while the rest is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import HubbubError, InputError, NeedsExtra
from .format import Report
from .source import Source
from .unpack import guard

BLOCK = 1 << 20


@contextmanager
def leaving_out(
    report: Report, where: str, source: Source | None = None, unless: tuple[type[HubbubError], ...] = ()
) -> Iterator[None]:
    """What is wrong with an input inside this block is noted in the report; other errors, and `unless`, pass."""
    try:
        yield
    except unless:
        raise
    except (InputError, NeedsExtra) as error:
        report.leave_out(where, reason_of(error, where), count_lines(source) if source else None)


def reason_of(error: HubbubError, where: str) -> str:
    """The sentence of an error without the name of the file and the full stop."""
    return str(error).removeprefix(f"{where}: ").rstrip(".")


def count_lines(source: Source) -> int | None:
    """How many lines a source has, as far as it can be read; None if not one byte of it can."""
    count, last = 0, b""
    try:
        with source.open() as stream, guard(source.name):
            while block := stream.read(BLOCK):
                count += block.count(b"\n")
                last = block[-1:]
    except HubbubError:
        if not last:
            return None
    return count + (last not in (b"", b"\n"))
