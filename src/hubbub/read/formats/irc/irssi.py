"""irssi: 12:01 < nick> text, -!- before events, and lines that tell the day."""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import Dialect
from .events import Event, notice, system
from .timestamps import read_day

_STAMP = r"((?:\d{4}-\d\d-\d\d[T ]|[^\W\d_]{3} +\d{1,2} )?\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)"
_LINE = re.compile(rf"(?:\[?{_STAMP}\]? (?:< *+[@+%&~!]?([^> ]++(?: ++[^> ]++)*) *+> ?(.*)| ?\* (\S+) ?(.*))?)?")
_DAY = re.compile(r"--- (?:Log opened|Log closed|Day changed) (.*)")
_NOTICE = re.compile(r"-([^\s!-][^\s]*?(?:\([^)]*\)|:[#&]\S+)?)- (.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _DAY.match(rest):
        if day := read_day(found[1]):
            clock.announce(day)
        return Event("", rest.removeprefix("--- "))
    if rest.startswith("-!- "):
        return system(rest[4:])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return None


DIALECT = Dialect(
    "irssi",
    _LINE,
    _event,
    re.compile(
        rf"^\[?{_STAMP}\]? (?:< |-!- )|^\[?(?:\d{{4}}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?\]? <[@+%&~]"
        r"|^--- (?:Log opened|Day changed) "
    ),
    plain=0.4,
)
FORMAT = DIALECT.format()
