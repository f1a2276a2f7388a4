"""XChat with ISO time stamps: 2005-01-09T02:05:04  <nick> text, *** before events."""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import Dialect
from .events import Event, notice, system

LINE = re.compile(
    r"(?:(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?) {1,2}"
    r"(?:<[@+%&~!]?([^>\s][^>]*)> ?(.*)|\* (\S+) ?(.*))?)?"
)
_MARK = re.compile(r"(?:\*\*\*|---|-->|<--)\s+(.*)")
_NOTICE = re.compile(r"-([^\s!-]\S*)- ?(.*)")


def event(rest: str, clock: Clock) -> Event | None:
    if found := _MARK.match(rest):
        return system(found[1])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return None


DIALECT = Dialect(
    "xchat-iso",
    LINE,
    event,
    re.compile(r"^\d{4}-\d\d-\d\dT\S+  ?(?:\*\*\*|---|-->|<--)\s+\S+ has (?:joined|left|quit)"),
    plain=0.9,
)
FORMAT = DIALECT.format()
