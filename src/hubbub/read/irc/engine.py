"""The engine under every IRC dialect: one compiled pattern per line, one pass, nothing kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...chat import Message
from ...errors import WrongFormat
from ..clock import Clock
from ..format import Clue, Format, Options, Report, Sample, Stream
from ..lines import clean_batches
from ..names import chat_name, date_in, fallback_name
from ..source import Source
from .events import Event
from .stamps import Moment, is_month_first, read_stamp

SNIFFED = 300
NO_ACTION = "|(?!)()()"  # the last two groups of a dialect that marks actions no other way than events
_CHANNEL = re.compile(
    r"(?:joined|[Jj]oin to|[Tt]opic (?:for|of|on)|talking (?:on|in)|Session Ident:|left|entered) (?:channel )?"
    r"([#&][^\s:,]+)"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one program writes its logs.

    `line` matches anything and has five groups: the time stamp; nick and text of a message; nick and text of an action.
    What follows a stamp and is neither is handed to `event`, and so is a line without a stamp; its None means that it
    does not understand.
    `marks` are lines that only this program writes; `plain` is how well a log without any such line fits, from 0 to 1.
    """

    name: str
    line: re.Pattern[str]
    event: Callable[[str, Clock], Event | None]
    marks: re.Pattern[str]
    plain: float = 0.0
    stamp: Moment = read_stamp

    def format(self) -> Format:
        return Format(self.name, self.sniff, self.read, family="irc")

    def sniff(self, sample: Sample) -> Clue | None:
        lines = sample.clean_lines[:SNIFFED]
        if not lines or sample.is_markup or sample.json_start:
            return None
        clock = Clock(None, None)
        fits = sum(1 for line in lines if self._fits(line, clock)) / len(lines)
        marked = sum(1 for line in lines if self.marks.search(line))
        if not marked and not any(any(self._match(line).groups()) for line in lines):
            return None  # no time, and nobody who speaks
        score = fits * (0.98 + 0.02 * marked / len(lines) if marked else self.plain)
        said = f"{fits:.0%} of the first lines fit" + (f", {marked} of them in its own words" if marked else "")
        return Clue(score, said, fits) if score else None

    def _fits(self, line: str, clock: Clock) -> bool:
        found = self._match(line)
        return any(found.groups()[1:]) or self.event(line[found.end() :], clock) is not None

    def _match(self, line: str) -> re.Match[str]:
        found = self.line.match(line)
        assert found, "every part of a dialect's pattern is optional"
        return found

    def read(self, source: Source, options: Options) -> Iterator[Stream]:
        name = chat_name(source.name) or _channel(source) or fallback_name(source.name)
        yield Stream(name, lambda first, report: self._messages(source, options, first, report))

    def _messages(self, source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
        clock = Clock(options.date or date_in(source.name), options.timezone)
        clock.month_first = is_month_first(Sample(source).text)
        match: Any = self.line.match  # never None: every part of the pattern is optional
        new: Any = tuple.__new__  # builds a Message in half the time of calling it
        stamp_of = self.stamp
        number, count, last_stamp, when, shown = 0, first, None, None, None
        for batch in clean_batches(source):
            for line in batch:
                number += 1
                found = match(line)
                stamp, nick, said, actor, deed = found.groups()
                if stamp != last_stamp:
                    last_stamp = stamp
                    when, shown = stamp_of(stamp, clock) if stamp else (None, None)
                if said is not None:
                    yield new(Message, (str(count), when, nick, said, "message", (), shown))
                elif deed is not None:
                    yield new(Message, (str(count), when, actor, deed, "action", (), shown))
                elif event := self._other(line[found.end() :], stamp, clock):
                    yield Message(str(count), when, event.author, event.text, event.kind, (), shown)
                else:
                    _note(report, source.name, number, line[found.end() :])
                    continue
                count += 1
        if count == first and report.unexplained:
            raise WrongFormat(source.name, self.name, "not one of its lines fits")

    def _other(self, rest: str, stamp: str | None, clock: Clock) -> Event | None:
        """What is neither message nor action: a known event, or at least something that the log has a time for."""
        event = self.event(rest, clock)
        return event or (Event("", rest.strip()) if stamp and rest.strip() else None)


def _note(report: Report, where: str, number: int, rest: str) -> None:
    if rest.strip():
        report.unexplain(where, number, "not a line of this format")
    else:
        report.skip(where, number, "blank line")


def _channel(source: Source) -> str:
    """The first channel that the log itself names."""
    found = _CHANNEL.search(Sample(source).text)
    return found[1] if found else ""
