"""BotBot's text pages: [12:01:33] <nick> text, * nick joined the channel; some have the epoch for seconds."""

from __future__ import annotations

import re

from ..clock import Clock, from_epoch
from .engine import NO_ACTION, Dialect
from .events import Event, action, known
from .stamps import When, read_stamp

_LINE = re.compile(rf"(?:\[(\d\d:\d\d:\d+)\] (?:<([^>]+)> ?(.*){NO_ACTION})?)?")


def _stamp(stamp: str, clock: Clock) -> When:
    seconds = stamp.rpartition(":")[2]
    return (from_epoch(int(seconds)), None) if len(seconds) > 2 else read_stamp(stamp, clock)


def _event(rest: str, clock: Clock) -> Event | None:
    if not rest.startswith("* "):
        return None
    said = rest[2:].strip()
    return Event("", said) if said.startswith("-- BotBot") else known(said) or action(said)


DIALECT = Dialect(
    "botbot",
    _LINE,
    _event,
    re.compile(
        r"^\[\d\d:\d\d:(?:\d{9,}\]|\d\d\] \* (?:\S+ (?:joined the channel|has left the channel|has quit)$|-- BotBot ))"
    ),
    plain=0.3,
    stamp=_stamp,
)
FORMAT = DIALECT.format()
