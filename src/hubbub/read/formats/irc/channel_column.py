"""Logs with the channel in a column behind the time: a bot of many channels may write them into one file."""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ....chat import Message
from ....errors import InputError
from ....text import clean
from ...detect.file_head import Sample
from ...format import Options, Stream
from ...input.lines import lines
from ...input.source import Source
from ...report import Report
from .dialect import Dialect
from .timestamps import STAMP

CHANNEL = r"[\[(]?[#&][^\s:,\])>]+[\])]?:?\s+(?=<|\*{1,3} |-)"
COLUMN = re.compile(rf"^[\[(]?(?:{STAMP})[\])]?[:,]?\s+[\[(]?([#&][^\s:,\])>]+)[\])]?:?\s+(?=<|\*{{1,3}} |-)")
_SNIFFED = 300


def has_column(sample: Sample) -> bool:
    """Whether most lines have a channel: one that only starts a message may be anybody's words."""
    beginning = sample.clean_lines[:_SNIFFED]
    return 2 * sum(1 for line in beginning if COLUMN.match(line)) > len(beginning)


@dataclass(slots=True)
class _Part:
    """The lines of one channel, the numbers that they have in the file, and what broke the file behind them."""

    name: str = ""
    text: io.BytesIO = field(default_factory=io.BytesIO)
    numbers: array[int] = field(default_factory=lambda: array("Q"))
    failed: InputError | None = None


def read_channels(dialect: Dialect, source: Source, options: Options) -> Iterator[Stream]:
    """A chat for each channel. The file is held in memory, since its channels are mixed."""
    for part in _parts(source):
        yield Stream(part.name, partial(_messages, dialect, source.name, part, options))


def _parts(source: Source) -> list[_Part]:
    """A line without a channel belongs to the one above it, and to the first one at the beginning of the file.

    A file that breaks is read up to there; the last channel has the error.
    """
    parts: dict[str, _Part] = {}
    current = _Part()
    try:
        for number, line in enumerate(lines(source), 1):
            if found := COLUMN.match(clean(line)):
                current = parts.setdefault(found[1].lower(), _Part() if parts else current)
                current.name = current.name or found[1]
            current.text.write(f"{line}\n".encode("utf-8", "replace"))
            current.numbers.append(number)
    except InputError as error:
        (list(parts.values()) or [current])[-1].failed = error
    return list(parts.values()) or [current]


def _messages(
    dialect: Dialect, name: str, part: _Part, options: Options, first: int, report: Report
) -> Iterator[Message]:
    own = Report()
    try:
        yield from dialect.messages(Source(name, lambda: io.BytesIO(part.text.getvalue())), options, first, own)
    finally:
        own.remarks = [replace(remark, line=part.numbers[remark.line - 1]) for remark in own.remarks]
        report.merge(own)
    if part.failed:
        raise part.failed
