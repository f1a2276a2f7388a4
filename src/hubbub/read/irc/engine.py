"""The engine under every IRC dialect: one compiled pattern per line, one pass, nothing kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...chat import RENAME, Kind, Message
from ...errors import WrongFormat
from ...text import clean
from ..clock import Clock
from ..format import Clue, Format, Options, Report, Sample, Stream
from ..lines import batches
from ..names import chat_name, date_in, fallback_name
from ..source import Source
from .stamps import Moment, read_stamp

MESSAGE, ACTION = 3, 5
_CHANNEL = re.compile(
    r"(?:joined|[Jj]oin to|[Tt]opic (?:for|of|on)|talking on|Session Ident:|left|entered) (?:channel )?([#&][^\s:,]+)"
)


class Event(NamedTuple):
    """What a line that nobody said turned out to be."""

    author: str
    text: str
    kind: Kind = "system"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one program writes its logs.

    `line` has five groups: the time stamp; nick and text of a message; nick and text of an action. What follows a
    stamp and is neither is handed to `event`, and so is a line without a stamp; None means that it is not understood.
    `marks` are lines that only this program writes. `plain` is how well a log without such a line fits, from 0 to 1.
    """

    name: str
    line: re.Pattern[str]
    event: Callable[[str, Clock], Event | None]
    marks: re.Pattern[str]
    plain: float = 0.0
    stamp: Moment = read_stamp

    def format(self) -> Format:
        return Format(self.name, self.sniff, self.read)

    def sniff(self, sample: Sample) -> Clue | None:
        clock = Clock(None, None)
        lines = [clean(line) for line in sample.lines]
        fits = sum(1 for line in lines if self._fits(line, clock)) / len(lines) if lines else 0.0
        marked = sum(1 for line in lines if self.marks.search(line))
        score = fits * (1.0 if marked else self.plain)
        said = f"{fits:.0%} of the lines fit" + (f", {marked} only it writes" if marked else "")
        return Clue(score, said) if score else None

    def _fits(self, line: str, clock: Clock) -> bool:
        found = self.line.match(line)
        if found and found.lastindex and found.lastindex > 1:
            return True
        return self.event(line[found.end() :] if found else line, clock) is not None

    def read(self, source: Source, options: Options) -> Iterator[Stream]:
        name = chat_name(source.name) or _channel(source) or fallback_name(source.name)
        yield Stream(name, lambda first, report: self._messages(source, options, first, report))

    def _messages(self, source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
        clock = Clock(options.date or date_in(source.name), options.timezone)
        number, count = 0, first
        match, stamp_of, new = self.line.match, self.stamp, tuple.__new__
        last_stamp, when, shown = "", None, None
        for batch in batches(source):
            for line in batch:
                number += 1
                if not line.isprintable():
                    line = clean(line)
                found = match(line)
                if found is None:
                    stamp, kind = None, 0
                else:
                    stamp, kind = found[1], found.lastindex or 0
                if stamp is None:
                    time_, clock_ = None, None
                else:
                    if stamp != last_stamp:
                        last_stamp = stamp
                        when, shown = stamp_of(stamp, clock)
                    time_, clock_ = when, shown
                if kind == MESSAGE:
                    yield new(Message, (str(count), time_, found[2], found[3], "message", (), clock_))
                elif kind == ACTION:
                    yield new(Message, (str(count), time_, found[4], found[5], "action", (), clock_))
                else:
                    rest = line[found.end() :] if found else line
                    event = self.event(rest, clock)
                    if event is None:
                        _note(report, source.name, number, rest)
                        continue
                    yield Message(str(count), time_, event.author, event.text, event.kind, (), clock_)
                count += 1
        if count == first and report.unexplained:
            raise WrongFormat(source.name, self.name, "not one of its lines fits")


def _note(report: Report, where: str, number: int, rest: str) -> None:
    if rest.strip():
        report.unexplain(where, number, "not a line of this format")
    else:
        report.skip(where, number, "blank line")


def _channel(source: Source) -> str:
    """The first channel that the log itself names."""
    found = _CHANNEL.search(Sample(source).text)
    return found[1] if found else ""


def rename(old: str, new: str) -> Event:
    return Event(old, f"{old}{RENAME}{new}")
