"""The time of each message as seconds that never fall back by themselves, from whatever the log knows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from .chat import Message

DAY = 86_400.0
_EPOCH, _NONE = datetime(1970, 1, 1), timedelta()


def seconds(messages: Iterable[Message]) -> list[float]:
    """Seconds since the first message that has a time; a message without one keeps that of the message before.

    Where only a clock is known, a time that falls back by more than half a day has passed midnight.
    """
    found: list[float] = []
    start: float | None = None
    last = 0.0
    for message in messages:
        now = _moment(message)
        if now is not None:
            if start is None:
                start = now
            elapsed = now - start
            if message.time is None:
                elapsed += DAY * round((last - elapsed) / DAY)
            last = elapsed
        found.append(last)
    return found


def _moment(message: Message) -> float | None:
    if message.time is not None:
        return (message.time.replace(tzinfo=None) - (message.time.utcoffset() or _NONE) - _EPOCH).total_seconds()
    if message.clock is not None:
        clock = message.clock
        return clock.hour * 3600.0 + clock.minute * 60 + clock.second + clock.microsecond / 1e6
    return None
