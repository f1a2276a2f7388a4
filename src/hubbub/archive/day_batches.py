"""Messages divided into days, as the archive stores them: by date, or between midnights in a log without dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from ..chat import Message
from ..text import whole

BATCH = 10_000  # messages that are at least gathered before they are stored, in whole days
UNDATED_LIMIT = 5_000  # messages without a time at the start of a log; after so many it counts as one without dates
JITTER = timedelta(minutes=10)  # clocks go back that much by themselves; more means another part of a log, or a day
FIRST_UNDATED = 4_000_000  # numbers of days: dates come first, 3,652,059 is the last date there is
POSITIONS = 1 << 32


class ThreadedMessage(NamedTuple):
    """A message, how many messages back those are that it replies to (0: none), and their probabilities."""

    message: Message
    back: tuple[int, ...]
    scores: tuple[float, ...]


class Incoming(NamedTuple):
    """A message that is being added: its number among those, from 0, its date, and links that came with it."""

    number: int
    message: Message
    date: str | None
    back: tuple[int, ...] | None = None
    scores: tuple[float, ...] = ()


@dataclass(slots=True)
class DayBatch:
    """Messages of whole days in order. `next_date` is the date with which the log goes on directly.

    `is_continued` is set if a batch without dates is the day after the batch before.
    """

    messages: list[Incoming] = field(default_factory=list)
    next_date: str | None = None
    is_continued: bool = False

    @property
    def is_dated(self) -> bool:
        return self.messages[0].date is not None


def day_of(when: str) -> str:
    return when[:10]


def ordinal_of(day: str | None, day_id: int, position: int) -> int:
    """The place of a message in its channel."""
    number = FIRST_UNDATED + day_id if day is None else date.fromisoformat(day).toordinal()
    return number * POSITIONS + position


def storable(message: Message) -> Message:
    """Databases store UTF-8 without NUL, which a broken half of a character is not."""
    if message.text.isascii() and message.author.isascii() and "\x00" not in message.text:
        return message
    id, author, text = (whole(each).replace("\x00", "\ufffd") for each in (message.id, message.author, message.text))
    return message._replace(id=id, author=author, text=text)


def batches(said: Iterable[Message | ThreadedMessage]) -> Iterator[DayBatch]:
    """What is added, cut where a day ends and where a log starts again at an earlier time."""
    incoming = _numbered(said)
    start: list[Incoming] = []
    for each in incoming:
        start.append(each)
        if each.message.time is not None or len(start) >= UNDATED_LIMIT:
            break
    if not start:
        return
    if start[-1].message.time is None:
        yield from _undated(start, incoming)
    else:
        yield from _dated(start, incoming)


def _numbered(said: Iterable[Message | ThreadedMessage]) -> Iterator[Incoming]:
    for index, each in enumerate(said):
        if isinstance(each, ThreadedMessage):
            yield Incoming(index, storable(each.message), None, each.back, each.scores)
        else:
            yield Incoming(index, storable(each), None)


def _dated(start: list[Incoming], rest: Iterator[Incoming]) -> Iterator[DayBatch]:
    """A message without a time belongs to the day of the message before; at the start, to that of the first date."""
    latest = start[-1].message.time
    assert latest is not None
    current = latest.date().isoformat()
    batch = DayBatch([each._replace(date=current) for each in start])
    for each in rest:
        when = each.message.time
        if when is not None:
            found = when.date().isoformat()
            if goes_back(latest, when):
                yield batch
                batch, latest, current = DayBatch(), when, found
            elif found > current:
                if len(batch.messages) >= BATCH:
                    batch.next_date = found
                    yield batch
                    batch = DayBatch()
                current = found
            latest = later(latest, when)
        batch.messages.append(each._replace(date=current))
    yield batch


def _undated(start: list[Incoming], rest: Iterator[Incoming]) -> Iterator[DayBatch]:
    batch, last = DayBatch(), time.min
    for part in (start, rest):
        for each in part:
            clock = each.message.clock or (each.message.time.time() if each.message.time else None)
            if clock is not None:
                if _minutes(last) - _minutes(clock) > JITTER.seconds / 60:
                    yield batch
                    batch = DayBatch(is_continued=True)
                last = clock
            batch.messages.append(each)
    yield batch


def _minutes(clock: time) -> float:
    return clock.hour * 60 + clock.minute + clock.second / 60


def goes_back(latest: datetime, when: datetime) -> bool:
    if (latest.tzinfo is None) != (when.tzinfo is None):
        return False
    return latest - when > JITTER


def later(one: datetime, other: datetime) -> datetime:
    if (one.tzinfo is None) != (other.tzinfo is None):
        return other
    return max(one, other)
