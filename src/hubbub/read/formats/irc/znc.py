"""ZNC's log module, and EnergyMech, whose form it took: [12:01:33] <nick> text, *** Joins: nick (user@host)."""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import Dialect
from .events import Event, notice, system

_LINE = re.compile(r"(?:\[((?:\d{4}-\d\d-\d\d )?\d\d:\d\d(?::\d\d)?)\] (?:<[@+%&~!]?([^>]+)> ?(.*)|\* (\S+) ?(.*))?)?")
_NOTICE = re.compile(r"-([^\s!-]\S*)- ?(.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    if rest.startswith("*** "):
        return system(rest[4:])
    if rest.startswith(("Joins: ", "Parts: ", "Quits: ")):
        return system(rest)
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return None


DIALECT = Dialect(
    "znc",
    _LINE,
    _event,
    re.compile(
        r"^\[[^]]+\] (?:\*\*\* )?(?:Joins|Parts|Quits): \S+ \("
        r"|^\[\d\d:\d\d:\d\d\] \*\*\* \S+ (?:sets mode: |was kicked by |changes topic to '|is now known as )"
    ),
    plain=0.4,
)
FORMAT = DIALECT.format()
