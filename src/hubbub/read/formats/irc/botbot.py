"""BotBot's text pages: [12:01:33] <nick> text, * nick joined the channel.

Some have the epoch for seconds; day logs that were kept elsewhere have ISO times, with or without brackets.
"""

from __future__ import annotations

import re

from ...times.clock import Clock, from_epoch
from .dialect import NO_ACTION, Dialect
from .events import Event, action, coming
from .timestamps import When, read_stamp

_ISO = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_STAMP = rf"(?:\[(?:\d\d:\d\d:\d+|{_ISO})\]|{_ISO})"
_LINE = re.compile(rf"(?:\[?((?<=\[)\d\d:\d\d:\d{{1,15}}|{_ISO})\]? {{1,2}}(?:<([^>]+)> ?(.*){NO_ACTION})?)?")


def _stamp(stamp: str, clock: Clock) -> When:
    seconds = stamp[6:]
    epoch = stamp[2] == ":" and len(seconds) > 2
    return (from_epoch(int(seconds)), None) if epoch else read_stamp(stamp, clock)


def _event(rest: str, clock: Clock) -> Event | None:
    if not rest.startswith("* "):
        return None
    said = rest[2:].strip()
    nick, _, deed = said.partition(" ")
    return Event("", said) if said.startswith("-- BotBot") else coming(nick, deed) or action(said)


DIALECT = Dialect(
    "botbot",
    _LINE,
    _event,
    re.compile(
        rf"^(?:\[\d\d:\d\d:\d{{9,}}\] |{_STAMP}  ?\* (?:\S+ (?:joined the channel|has left the channel|has quit)$"
        r"|-- BotBot ))"
    ),
    plain=0.3,
    stamp=_stamp,
)
FORMAT = DIALECT.format()
