"""eggdrop: [12:01] <nick> text, Action: nick waves, nick (user@host) joined #channel."""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import Dialect
from .events import Event, known, notice
from .timestamps import read_day

_LINE = re.compile(r"(?:\[(\d\d:\d\d(?::\d\d)?)\] (?:<[@+%&~!]?([^>]+)> ?(.*)|Action: (\S+) ?(.*))?)?")
_NOTICE = re.compile(r"-([^\s!-]\S*)(?: \([^)]*\))?- (.*)")
_DAY = re.compile(r"--- (.*\d{4})$")


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _DAY.match(rest):
        if day := read_day(found[1]):
            clock.announce(day)
        return Event("", found[1])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return known(rest.removesuffix(".")) if rest else None


DIALECT = Dialect(
    "eggdrop",
    _LINE,
    _event,
    re.compile(
        r"^\[[^]]+\] (?:Action: |Nick change: |\S+ \(\S+@\S+\) (?:joined [#&]|left (?:[#&]|irc))"
        r"|[#&]\S+: mode change '|--- \w+ \w+)"
    ),
    plain=0.4,
)
FORMAT = DIALECT.format()
