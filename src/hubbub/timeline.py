"""Message times as seconds: the one rule for logs with dates, with a time of day alone, and with both."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from .chat import Message

DAY = 86_400.0  # seconds
_EPOCH, _NO_OFFSET = datetime(1970, 1, 1), timedelta()


class Timeline:
    """Turns the times of messages, in the order of the chat, into seconds on one scale.

    A time of day without a date is placed on the day that makes it nearest to the message before: a clock that falls
    back by more than half a day has passed midnight, one that falls back by less is a line out of order.
    """

    def __init__(self) -> None:
        self._last = DAY  # a log that starts just after midnight may have a line from before it

    def seconds(self, message: Message) -> float | None:
        """The time of the next message, UTC where its zone is known; None if it has no time."""
        if message.time is not None:
            offset = message.time.utcoffset() or _NO_OFFSET
            # seconds, not dates, are subtracted: the first and last hours of the calendar have no date in UTC
            self._last = (message.time.replace(tzinfo=None) - _EPOCH - offset).total_seconds()
        elif message.clock is not None:
            clock = message.clock
            of_day = clock.hour * 3600.0 + clock.minute * 60 + clock.second + clock.microsecond / 1e6
            self._last = of_day + DAY * round((self._last - of_day) / DAY)
        else:
            return None
        return self._last


def elapsed_seconds(messages: Iterable[Message]) -> list[float]:
    """Seconds since the first message that has a time; a message without one has that of the message before."""
    timeline, found = Timeline(), list[float]()
    start: float | None = None
    last = 0.0
    for message in messages:
        now = timeline.seconds(message)
        if now is not None:
            start = now if start is None else start
            last = now - start
        found.append(last)
    return found
