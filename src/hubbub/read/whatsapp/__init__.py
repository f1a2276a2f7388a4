"""WhatsApp: a text file a chat, in the date form of the phone that exported it, beside its media or alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..clock import placed
from ..dates import GROUPS, MOMENT, Order, moment
from ..export_folder import ExportFolder
from ..format import Clue, Format, Options, Report, Sample, Stream
from ..lines import lines
from ..names import fallback_name
from ..source import Source, rewindable
from .notices import said

_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_HEAD = 80
_STAMP = re.compile(rf"\s*(?:\[\s*{MOMENT}\s*\] ?(?:[-–] )?|{MOMENT}( [-–—] ?|: ))")
_IRC = re.compile(r"[<*=]|-!-|-->|<--")
_NAMED = re.compile(
    r"(?i)^.*whats ?app.*?"
    r"(?:[ _](?:with|mit|con|com|avec|met|med|ile|с|z|s|cu|dengan|与|與)[ _]|[ _][-–][ _]|[：:] ?)(.+)$"
)
Shape = tuple[str, str, bool, bool]
_BRACKET, _DASH, _COLON = "[", "-", ":"


class _Stamped(NamedTuple):
    """A line that starts with a time: the groups of its date, its shape, and what follows."""

    groups: tuple[str | None, ...]
    shape: Shape
    rest: str

    def numbers(self) -> tuple[str, str, str]:
        return self.groups[0] or "", self.groups[2] or "", self.groups[3] or ""

    def half(self) -> str:
        return self.groups[4] or self.groups[8] or ""


def _stamped(line: str) -> _Stamped | None:
    head = line[:_HEAD] if line.isascii() else _MARKS.sub("", line[:_HEAD])
    found = _STAMP.match(head)
    if not found:
        return None
    style = _BRACKET if found[1] else _COLON if found[2 * GROUPS + 1] == ": " else _DASH
    groups = found.groups()[:GROUPS] if style == _BRACKET else found.groups()[GROUPS : 2 * GROUPS]
    long_year = len(groups[0] or "") == 4 or len(groups[3] or "") == 4
    shape = (style, groups[1] or "", long_year, groups[7] is not None)
    return _Stamped(groups, shape, _after(line, head, found.end()))


def _after(line: str, head: str, end: int) -> str:
    """What follows the stamp, with the invisible marks it starts with: they tell a notice from a message."""
    if len(head) == min(len(line), _HEAD):
        return line[end:]
    seen = 0
    for position, letter in enumerate(line):
        if seen == end:
            return line[position:]
        seen += not _MARKS.match(letter)
    return ""


def _sniff(sample: Sample) -> Clue | None:
    found = [stamped for line in sample.lines if (stamped := _stamped(line))]
    if not found or (len(found) < 0.02 * len(sample.lines) and not _stamped(sample.lines[0])):
        return None
    foreign = sum(1 for stamped in found if _IRC.match(stamped.rest)) / len(found)
    spoken = sum(1 for stamped in found if ": " in stamped.rest or stamped.rest.endswith(":")) / len(found)
    if foreign > 0.2 or (spoken < 0.2 and not any("end-to-end" in stamped.rest for stamped in found)):
        return None
    # A dash and seconds together may as well be Element's plain text.
    sure = spoken > 0.5 and found[0].shape[::3] != (_DASH, True)
    share = len(found) / len(sample.lines)
    return Clue(0.9 + 0.09 * share if sure else 0.8, f"{len(found)} lines start with a phone's date and a name")


def _name(source: Source) -> str:
    path = PurePosixPath(source.name)
    for part in (path.stem, path.parent.stem if path.parent.suffix == ".zip" else path.parent.name):
        if found := _NAMED.match(_MARKS.sub("", part)):
            return found[1].strip()
    if path.stem == "_chat" and path.parent.suffix == ".zip":
        return path.parent.stem
    return fallback_name(source.name) if path.stem == "_chat" else path.stem


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    yield Stream(_name(source), lambda first, report: _messages(source, options, first, report))


def _orders(source: Source) -> dict[Shape, str]:
    """The first pass: how this file writes its dates. A rare other form is a line that somebody pasted."""
    orders: dict[Shape, Order] = {}
    count: Counter[Shape] = Counter()
    for line in lines(source):
        if stamped := _stamped(line):
            count[stamped.shape] += 1
            if stamped.shape not in orders:
                orders[stamped.shape] = Order()
            orders[stamped.shape].see(stamped.numbers(), bool(stamped.half()) and stamped.shape[1] == "/")
    most = max(count.values(), default=0)
    return {shape: order.best() for shape, order in orders.items() if count[shape] > 2 or count[shape] * 8 > most}


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    orders = _orders(source)
    count = first
    when: datetime | None = None
    parts: list[str] = []
    for number, line in enumerate(lines(source), 1):
        stamped = _stamped(line)
        if stamped and stamped.shape in orders:
            if parts:
                yield said(str(count), when, "\n".join(parts))
                count += 1
            when, parts = _when(stamped, orders[stamped.shape], options), [clean(stamped.rest)]
        elif parts:
            parts.append(clean(line))
        elif line.strip():
            report.unexplain(source.name, number, "stands before the first date")
        else:
            report.skip(source.name, number, "blank line")
    if parts:
        yield said(str(count), when, "\n".join(parts))
    elif report.unexplained:
        raise WrongFormat(source.name, "whatsapp", "no line starts with a date and a time")


def _when(stamped: _Stamped, order: str, options: Options) -> datetime | None:
    groups = stamped.groups
    when = moment(stamped.numbers(), order, groups[5] or "", groups[6] or "", groups[7] or "", stamped.half())
    return placed(when, options.timezone) if when else None


_FOLDER = ExportFolder(_sniff, _read)
FORMAT = Format("whatsapp", _sniff, _read, _FOLDER.claim, _FOLDER.read_tree)
