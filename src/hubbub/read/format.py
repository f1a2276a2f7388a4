"""What a reader is: a name, a nose and a pair of eyes. One file a format defines one `FORMAT`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, tzinfo
from functools import cached_property

from ..chat import Message
from ..errors import Broken, WrongFormat
from ..pipe import LayerRows
from ..text import clean
from .lines import decode_block, ends_in_returns
from .source import HEAD, Source, Tree

_DOCUMENT = re.compile(r"\s*<(?:!doctype\b|html\b|\?xml\b|!--)", re.IGNORECASE)
_FIRST_TAG = re.compile(r"\s*<([a-z][\w:.-]*)(\s[^<>]*)?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\s[\w:.-]+\s*=\s*["'\w#]|/$""")
_CHAT_LINE = re.compile(r"<[@+%&~ ]?([^<>\s/=\"]+)>:?\s")
_JSON_TEXT = r'"(?:[^"\\]|\\.)*"'
_JSON_LIST = rf"(?:{_JSON_TEXT}|-?[\d.]+)\s*(?:,|\]\s*(?:\Z|[,\]\[{{]))"
_JSON_START = re.compile(
    rf"\s*(?:(\{{)\s*(?:{_JSON_TEXT}\s*:|\}}\s*(?:\Z|[\[{{,]))"
    rf"|(\[)\s*(?:\{{\s*[\"}}]|\]\s*\Z|{_JSON_LIST}|\[\s*(?:[\[{{\]]|{_JSON_LIST})))"
)
_KEY = re.compile(r'"((?:[^"\\]|\\.){1,60})"\s*:')

# The score of what a file itself says at its very beginning, where nobody's words can stand: whatever signature of
# another format is quoted further down in the chat cannot outvote it.
CERTAIN = 2.0


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the input."""

    date: date | None = None
    timezone: tzinfo | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Clue:
    """What speaks for a format: 1.0 is a signature that no other format has, 0 is nothing.

    `share` is the part of the sample that the format explains, if it counts that; it decides between equal scores.
    """

    score: float
    why: str
    share: float = 0.0


class Sample:
    """The beginning of a source, looked at in the ways that noses need; `columns` are those that the user named."""

    def __init__(self, source: Source, columns: Mapping[str, str] | None = None) -> None:
        self.columns = columns or {}
        self.name = source.name
        self.head = source.head
        self.tree = source.tree

    @cached_property
    def lines(self) -> list[str]:
        """Decoded lines, blank ones left out, and a last one that the sample cuts."""
        whole = self.head.replace(b"\r", b"\n") if ends_in_returns(self.head) else self.head
        if len(whole) >= HEAD and b"\n" in whole:
            whole = whole[: whole.rfind(b"\n")]
        if whole[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = whole.decode("utf-16", "ignore").replace("\r\n", "\n")
            return [line for line in text.split("\n") if line.strip()]
        return [line for line in decode_block(whole.removeprefix(b"\xef\xbb\xbf")) if line.strip()]

    @cached_property
    def clean_lines(self) -> list[str]:
        return [clean(line) for line in self.lines]

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def is_markup(self) -> bool:
        """Whether this is HTML or XML: it starts as a document, or as a part of one; a chat may quote any amount of it.

        A part of a document starts with a tag that has attributes, or with one that is closed again further down, and
        not most of its lines are <nick> text, whatever the nick.
        """
        if _DOCUMENT.match(self.text):
            return True
        if not (first := _FIRST_TAG.match(self.text)):
            return False
        if first[2] and _ATTRIBUTE.search(first[2]):
            return True
        chat = sum(1 for line in self.lines if (said := _CHAT_LINE.match(line)) and f"</{said[1]}>" not in line)
        return 2 * chat < len(self.lines) and f"</{first[1].lower()}>" in self.text.lower()

    @cached_property
    def json_start(self) -> str:
        """'{' or '[' if this may be JSON, else ''."""
        found = _JSON_START.match(self.text)
        return found[1] or found[2] if found else ""

    @cached_property
    def json_keys(self) -> Counter[str]:
        """How often each JSON key stands in the sample, at any depth; empty if it does not start as JSON."""
        return Counter(_KEY.findall(self.text)) if self.json_start else Counter()

    def share(self, pattern: re.Pattern[str]) -> float:
        """The share of the lines that match."""
        return sum(1 for line in self.lines if pattern.match(line)) / len(self.lines) if self.lines else 0.0


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

    def leave_out(self, where: str, reason: str, lines: int | None = None) -> None:
        """A file, or the rest of one, that cannot be read."""
        self.left_out.append(LeftOut(where, reason, lines))

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
        self.remarks += other.remarks
        self.left_out += other.left_out


@dataclass(frozen=True, slots=True)
class Stream:
    """One chat as it is being read.

    `open(first, report)` gives its messages from the beginning and may be called again; a format whose messages
    have no ids of their own numbers them from `first`; what becomes no message goes into `report` as it passes.
    `format` is where the chat first came from, if the file says so; `layers` fill up as the messages pass.
    `identity` tells the chat from others of the same name: the id that the platform gives it, or its network, server or
    team; "" if the export names none, and then the path decides.
    """

    name: str
    open: Callable[[int, Report], Iterator[Message]]
    format: str | None = None
    layers: LayerRows | None = None
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """One chat format. `sniff` looks at a sample, `read` turns a source into its chats, in order.

    A format that is a whole folder or archive also has `claim` and `read_tree`. Files of formats of one `family` may be
    parts of one chat.
    """

    name: str
    sniff: Callable[[Sample], Clue | None]
    read: Callable[[Source, Options], Iterator[Stream]]
    claim: Callable[[Tree], Clue | None] | None = None
    read_tree: Callable[[Tree, Options], Iterator[Stream]] | None = None
    family: str = ""


@contextmanager
def expecting(format: str, source: Source, sniff: Callable[[Sample], Clue | None]) -> Iterator[None]:
    """What breaks on the way, but never looked like the format, is not broken: it is another format."""
    try:
        yield
    except Broken as error:
        if sniff(Sample(source)):
            raise error from None
        raise WrongFormat(source.name, format, "its records are not those of that platform") from None
