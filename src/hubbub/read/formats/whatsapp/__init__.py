"""WhatsApp: a text file a chat, in the date form of the phone that exported it, beside its media or alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.export_folder import ExportFolder
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.lines import lines
from ...input.source import Source, rewindable
from ...parsing.path_names import fallback_name
from ...report import Report
from ...times.clock import placed
from ...times.dates import Order, moment
from .notices import is_notice, marked_author, said
from .timestamps import DASH, MARKS, WORDED, Shape, Stamped, stamped

_IRC = re.compile(r"[<*=]|-!-|-->|<--")
_NAMED = re.compile(
    r"(?i)^.*whats ?app.*?"
    r"(?:[ _](?:with|mit|con|com|avec|met|med|ile|с|z|s|cu|dengan|与|與)[ _]|[ _][-–][ _]|[：:] ?)(.+)$"
)


def _sniff(sample: Sample) -> Clue | None:
    found = [start for line in sample.lines if (start := stamped(line))]
    if not found or (len(found) < 0.02 * len(sample.lines) and not stamped(sample.lines[0])):
        return None
    foreign = sum(1 for start in found if _IRC.match(start.rest)) / len(found)
    spoken = sum(1 for start in found if ": " in start.rest or start.rest.endswith(":")) / len(found)
    if foreign > 0.2 or (spoken < 0.2 and not any(is_notice(start.rest) for start in found)):
        return None
    # A dash and seconds together may as well be Element's plain text.
    sure = spoken > 0.5 and found[0].shape[::3] != (DASH, True)
    share = len(found) / len(sample.lines)
    return Clue(0.9 + 0.09 * share if sure else 0.8, f"{len(found)} lines start with a phone's date and a name")


def _name(source: Source) -> str:
    path = PurePosixPath(source.name)
    for part in (path.stem, path.parent.stem if path.parent.suffix == ".zip" else path.parent.name):
        if found := _NAMED.match(MARKS.sub("", part)):
            return found[1].strip()
    if path.stem == "_chat" and path.parent.suffix == ".zip":
        return path.parent.stem
    return fallback_name(source.name) if path.stem == "_chat" else path.stem


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    yield Stream(_name(source), lambda first, report: _messages(source, options, first, report))


class _Habits(NamedTuple):
    """What the first pass learns: how dates of each shape are ordered, and under what name the group itself speaks."""

    orders: dict[Shape, str]
    group: str


def _habits(source: Source) -> _Habits:
    """A rare other form of a date is a line that somebody pasted."""
    orders: dict[Shape, Order] = {}
    count: Counter[Shape] = Counter()
    group: str | None = None
    for line in lines(source):
        if start := stamped(line):
            count[start.shape] += 1
            if start.shape not in orders:
                orders[start.shape] = Order()
            orders[start.shape].see(start.numbers(), bool(start.half()) and start.shape[1] == "/")
            group = _group(start.rest, group)
    most = max(count.values(), default=0)
    kept = {
        shape: "ymd" if shape[1] == WORDED else order.best()
        for shape, order in orders.items()
        if count[shape] > 2 or count[shape] * 8 > most
    }
    return _Habits(kept, group or "")


def _group(rest: str, before: str | None) -> str:
    """Whoever speaks first, if all that is under that name starts with the mark of a notice; else ""."""
    if before == "":
        return ""
    author, marked = marked_author(rest)
    if before is None:
        return author if marked else ""
    return "" if author == before and not marked else before


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    orders, group = _habits(source)
    count, early = first, False
    when: datetime | None = None
    parts: list[str] = []
    for number, line in enumerate(lines(source), 1):
        report.total += 1
        start = stamped(line)
        if start and start.shape in orders:
            if parts:
                yield said(str(count), when, "\n".join(parts), group)
                count += 1
            when, parts = _when(start, orders[start.shape], options), [clean(start.rest)]
        elif parts:
            report.continued += 1
            parts.append(clean(line))
        elif line.strip():
            early = True
            report.unexplain(source.name, number, "stands before the first date")
        else:
            report.skip(source.name, number, "blank line")
    if parts:
        yield said(str(count), when, "\n".join(parts), group)
    elif early:
        raise WrongFormat(source.name, "whatsapp", "no line starts with a date and a time")


def _when(start: Stamped, order: str, options: Options) -> datetime | None:
    groups = start.groups
    when = moment(start.numbers(), order, groups[5] or "", groups[6] or "", groups[7] or "", start.half())
    return placed(when, options.timezone) if when else None


_FOLDER = ExportFolder(_sniff, _read)
FORMAT = Format("whatsapp", _sniff, _read, _FOLDER.claim, _FOLDER.read_tree)
