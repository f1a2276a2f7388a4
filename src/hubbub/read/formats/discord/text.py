"""The plain text shape: a banner, then for each message a line with time and name, its text, and what hangs on it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...format import Options, Stream
from ...input.lines import lines
from ...input.source import Source, rewindable
from ...parsing.rendering import bracketed
from ...report import Report
from ...times.dates import Dates
from .rendering import (
    attachment_at,
    channel,
    channel_of_file,
    file_name,
    id_of_file,
    person,
    runs_backwards,
    told,
    when,
)

_RULE = re.compile(r"={20,}$")
_HEADER = re.compile(r"\[([^]\n]{8,60})\] (\S.*?)(?: \(pinned\))?$")
_CLOSING = re.compile(r"Exported [\d.,\s]+message\(s\)")
_BLOCK = re.compile(r"\{(Attachments|Embed|Stickers|Reactions)\}$")
_LONGEST_BANNER = 100


def is_banner(first: Sequence[str]) -> bool:
    named = [line.partition(":")[0] for line in first[1:4]]
    return bool(first) and bool(_RULE.match(first[0])) and "Guild" in named and "Channel" in named


def stream(source: Source, options: Options) -> Stream:
    source = rewindable(source)
    return Stream(
        _name(source),
        lambda first, report: _messages(source, options, first, report),
        identity=id_of_file(source.name),
    )


def _name(source: Source) -> str:
    told = dict(line.split(": ", 1) for line in islice(lines(source), _LONGEST_BANNER) if ": " in line)
    name = channel(told.get("Guild", ""), told.get("Channel", "").rpartition(" / ")[2])
    return clean(name) or channel_of_file(source.name)


@dataclass(slots=True)
class _Draft:
    """One message while its lines pass."""

    date: str
    author: str
    text: list[str] = field(default_factory=list)
    extras: list[str] = field(default_factory=list)
    block: str = ""

    def add(self, line: str, after_blank: bool) -> None:
        if after_blank and (found := _BLOCK.match(line)):
            self.block = found[1]
        elif not self.block:
            self.text.append(line)
        elif line.strip() and self.block == "Attachments":
            self.extras.append(attachment_at(line))
        elif line.strip() and self.block == "Stickers":
            self.extras.append(bracketed("sticker", file_name(line)))
        elif line.strip() and self.block == "Embed":
            self.extras.append(line)

    def message(self, dates: Dates) -> Message:
        text = "\n".join(part for part in ("\n".join(self.text).strip("\n"), *self.extras) if part)
        return told(Message("", when(dates, self.date), clean(person(self.author)), clean(text)))


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    dates, turned = _learn(source, options)
    found = _drafts(source, dates, report)
    for count, draft in enumerate(list(found)[::-1] if turned else found, first):
        yield draft.message(dates)._replace(id=str(count))


def _learn(source: Source, options: Options) -> tuple[Dates, bool]:
    """The first pass: the order of the dates, and whether the newest message comes first."""
    dates, begin = Dates(options.timezone), ""
    last: deque[str] = deque(maxlen=_LONGEST_BANNER)
    for line in lines(source):
        if found := _HEADER.match(line):
            dates.see(found[1])
            begin = begin or found[1]
            last.append(found[1])
    end = next((time for shown in reversed(last) if (time := when(dates, shown))), None)
    return dates, runs_backwards(when(dates, begin), end)


def _drafts(source: Source, dates: Dates, report: Report) -> Iterator[_Draft]:
    draft, blank = None, True
    for number, line in _body(source, report):
        found = _HEADER.match(line) if blank else None
        if found and when(dates, found[1]):
            if draft:
                yield draft
            draft = _Draft(found[1], found[2])
        elif draft:
            draft.add(line, blank)
            report.continued += 1
        elif line.strip():
            report.unexplain(source.name, number, "stands before the first message")
        else:
            report.skip(source.name, number, "blank line")
        blank = not line.strip()
    if draft:
        yield draft
    elif report.unexplained:
        raise WrongFormat(source.name, "discord", "no line of it starts with a time and a name")


def _body(source: Source, report: Report) -> Iterator[tuple[int, str]]:
    """The lines between the two banners."""
    place = "before"
    held: tuple[int, str] | None = None
    for number, line in enumerate(lines(source), 1):
        report.total += 1
        ruled = bool(_RULE.match(line))
        if (place == "before" and number > 1 and not ruled) or place == "after" or (ruled and place == "before"):
            report.skip(source.name, number, "banner")
            place = "body" if ruled and number > 1 and place == "before" else place
        elif held and _CLOSING.match(line):
            report.skip(source.name, number - 1, "banner")
            report.skip(source.name, number, "banner")
            place, held = "after", None
        else:
            if held:
                yield held
            held = (number, line) if ruled else None
            if not ruled:
                yield number, line
    if held:
        yield held
