"""mIRC: [12:01] <nick> text, one star before actions and events alike, and sessions with dates."""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import NO_ACTION, Dialect
from .events import Event, action, known, notice, system
from .timestamps import STAMP, read_day

# A number before the bracket is what is left of a colour code whose first, invisible character was lost.
_LINE = re.compile(rf"(?:(?:\d\d?(?=\[))?[\[(]?({STAMP})[\])]? )?(?:<[@+%&~!]?([^>]+)> ?(.*){NO_ACTION})?")
_SESSION = re.compile(r"Session (?:Start|Time|Close|Ident)\b:? ?(.*)")
_NOTICE = re.compile(r"-([^\s!-]\S*)- ?(.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    if rest.startswith("* "):
        said = rest[2:].strip()
        return known(said) or action(said)
    if rest.startswith("*** "):
        return system(rest[4:])
    if found := _SESSION.match(rest):
        if day := read_day(found[1]):
            clock.announce(day)
        return Event("", rest)
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return Event("", rest) if rest == "-" else None


DIALECT = Dialect(
    "mirc",
    _LINE,
    _event,
    re.compile(
        r"^Session (?:Start|Time|Ident|Close)"
        r"|^(?:\d\d?)?\[[^]]+\] \* (?:(?:Joins|Parts|Quits): |\S+ sets mode: |Now talking in )"
    ),
    plain=0.4,
)
FORMAT = DIALECT.format()
