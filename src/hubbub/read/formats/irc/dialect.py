"""The engine under every IRC dialect: one compiled pattern per line, one pass, nothing kept.

Whatever is not plain (a line that the dialect does not explain, a clock that jumps) is decided with a look at the lines
around it, so that the loop over plain lines stays short. For that, the last lines of each batch wait for the next one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ....chat import Message
from ....errors import InputError, WrongFormat
from ...assembly.steps import STEP
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.lines import clean_batches
from ...input.source import Source
from ...parsing.path_names import chat_name, date_in, fallback_name
from ...report import Report
from ...times.clock import Clock
from .context import AHEAD, INDENT, Watch, continuation, is_stamped, pasted, settle_day, settle_line
from .events import Event, coming, system
from .timestamps import Moment, is_month_first, read_stamp

SNIFFED = 300
BEGINNING = 10
USUAL = 0.6  # how well the dialect of no program in particular fits lines that it explains
_FEWEST = 0.1  # of all lines; the others are indented and may belong to messages
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
    `multiline` says that messages may have lines of any kind: whatever has no stamp belongs to the message above it.
    """

    name: str
    line: re.Pattern[str]
    event: Callable[[str, Clock], Event | None]
    marks: re.Pattern[str]
    plain: float = 0.0
    stamp: Moment = read_stamp
    multiline: bool = False

    def format(self) -> Format:
        return Format(self.name, self.sniff, self.read, family="irc")

    def sniff(self, sample: Sample) -> Clue | None:
        lines = sample.clean_lines[:SNIFFED]
        if not lines or sample.is_markup or sample.json_start:
            return None
        fit = self.fit(lines)
        if not fit.marked and not any(any(self._match(line).groups()) for line in lines):
            return None  # no time, and nobody who speaks
        said = f"{fit.share:.0%} of the first lines fit"
        said += f", {fit.marked} of them in its own words" if fit.marked else ""
        return Clue(fit.score, said, fit.share) if fit.score else None

    def fit(self, lines: Sequence[str]) -> Fit:
        """How well this dialect explains these lines."""
        clock = Clock(None, None)
        explained = [fits for line in lines if (fits := self.explains(line, clock)) or line[:1] not in INDENT]
        if len(explained) < _FEWEST * len(lines):
            return Fit(0, 0, 0)
        share = _share(explained)
        begun = _share(explained[:BEGINNING])  # of two programs that wrote a log, the first one is named
        marked = sum(1 for line in lines if self.marks.search(line))
        known = 0.96 + 0.02 * marked / len(lines) + 0.02 * begun if marked else self._plain(share)
        return Fit(share, marked, share * known)

    def _plain(self, share: float) -> float:
        """How well lines fit that have no words of this program; a usual look counts only if it explains nearly all."""
        return self.plain if self.plain <= USUAL else USUAL + (self.plain - USUAL) * share**8

    def explains(self, line: str, clock: Clock) -> bool:
        found = self._match(line)
        return any(found.groups()[1:]) or self.event(line[found.end() :], clock) is not None

    def stamp_in(self, line: str) -> str | None:
        """The time stamp of a line, if it has one."""
        return self._match(line)[1]

    def parts(self, line: str) -> Sequence[str | None]:
        """Stamp, nick, text, actor and action of a line, None for what it does not have."""
        return self._match(line).groups()

    def _match(self, line: str) -> re.Match[str]:
        found = self.line.match(line)
        assert found, "every part of a dialect's pattern is optional"
        return found

    def read(self, source: Source, options: Options) -> Iterator[Stream]:
        name = chat_name(source.name) or _channel(source) or fallback_name(source.name)
        yield Stream(name, lambda first, report: self.messages(source, options, first, report))

    def messages(self, source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
        return chain.from_iterable(self._batches(source, options, first, report))

    def _batches(self, source: Source, options: Options, first: int, report: Report) -> Iterator[list[Message]]:
        """Messages in lists, since a generator step per message would take as long as its regular expression."""
        sample = Sample(source)
        clock = Clock(options.date or date_in(source.name), options.timezone)
        clock.month_first = is_month_first(sample.text)
        watch = Watch(self, sample.clean_lines[:SNIFFED])
        new: Any = tuple.__new__  # builds a Message in half the time of calling it
        stamped = is_stamped(self, sample.clean_lines[:SNIFFED])
        last: Message | None = None  # the lines below a message may belong to it
        failed: list[InputError] = []
        count, unexplained, last_stamp, when, shown = first, 0, None, None, None
        for lines, end, before in _with_lines_ahead(
            clean_batches(source), report, failed, 0 if source.is_live else AHEAD
        ):
            place = 0
            while place < end:
                # A run: every line becomes a message, up to the first that does not. So neither lines nor messages are
                # counted one by one.
                messages = [] if last is None else [last]
                held, taken, unused, is_apart = len(messages), list[str](), 0, False
                dialect = watch.dialect
                match: Any = dialect.line.match  # never None: every part of the pattern is optional
                ids = map(str, range(count, count + STEP))
                for number, line in zip(ids, lines[place : min(place + STEP, end)], strict=False):
                    found = match(line)
                    stamp, nick, text, actor, action = found.groups()
                    if stamp != last_stamp:
                        last_stamp = stamp
                        when, shown = dialect.stamp(stamp, clock) if stamp else (None, None)
                        if clock.doubt:
                            after = place + len(messages) - held + 1
                            when = settle_line(dialect, clock, stamp, when, lines, after)
                    if stamp is None and stamped and messages:
                        taken = pasted(dialect, lines, place + len(messages) - held, end)
                        if taken:
                            break
                    if text is not None:
                        messages.append(new(Message, (number, when, nick, text, "message", (), shown)))
                        continue
                    if action is not None:
                        author, text, kind = coming(actor, action) or (actor, action, "action")
                        messages.append(new(Message, (number, when, author, text, kind, (), shown)))
                        continue
                    at, rest = place + len(messages) - held, line[found.end() :]
                    may_be_event = stamp or dialect.multiline or line[:1] not in INDENT
                    if may_be_event and (event := dialect.event(rest, clock)):
                        messages.append(Message(number, when, event.author, event.text, event.kind, (), shown))
                        if clock.doubt:
                            settle_day(dialect, clock, lines, at + 1)
                    elif watch.change(lines[at : at + AHEAD], before + at + 1):
                        break
                    elif stamp and rest.strip():
                        author, text, kind = system(rest) if dialect.multiline else Event("", rest.strip())
                        messages.append(Message(number, when, author, text, kind, (), shown))
                    else:
                        taken = continuation(dialect, messages[-1], lines, at, end) if messages else []
                        if not taken:
                            unused, is_apart = 1, _note(report, source.name, before + at + 1, rest)
                        break
                count += len(messages) - held
                place += len(messages) - held + len(taken) + unused
                unexplained += is_apart
                report.continued += len(taken)
                last = messages.pop() if messages and not is_apart else None
                if last is not None and taken:
                    last = last._replace(text="\n".join((last.text, *taken)))
                yield messages
            if source.is_live and last is not None:  # what comes next may take hours
                yield [last]
                last = None
        if last is not None:
            yield [last]
        if failed:
            raise failed[0]
        if count == first and unexplained:
            raise WrongFormat(source.name, self.name, "not one of its lines fits")


@dataclass(frozen=True, slots=True)
class Fit:
    """The share of lines that a dialect explains, how many of them only its program writes, and its score."""

    share: float
    marked: int
    score: float


def _share(explained: Sequence[bool]) -> float:
    return sum(explained) / len(explained) if explained else 0.0


def _with_lines_ahead(
    batches: Iterable[list[str]], report: Report, failed: list[InputError], ahead: int
) -> Iterator[tuple[list[str], int, int]]:
    """Lines, how many of them are to be read now, and how many came before; the others come again in the next batch.

    A source that breaks ends the lines; its error is put into `failed`, so that what came before it is read first.
    """
    kept: list[str] = []
    before = 0
    try:
        for batch in batches:
            report.total += len(batch)
            lines = kept + batch
            end = max(0, len(lines) - ahead)
            yield lines, end, before
            kept, before = lines[end:], before + end
    except InputError as error:
        failed.append(error)
    yield kept, len(kept), before


def _note(report: Report, where: str, number: int, rest: str) -> bool:
    """Notes a line that became no message; whether nothing explains it."""
    if rest.strip():
        report.unexplain(where, number, "not a line of this format")
    else:
        report.skip(where, number, "blank line")
    return bool(rest.strip())


def _channel(source: Source) -> str:
    """The first channel that the log itself names."""
    found = _CHANNEL.search(Sample(source).text)
    return found[1] if found else ""
