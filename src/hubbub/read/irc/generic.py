"""Any other IRC log: some time, or none, then <nick> text; stars, dashes or arrows before what nobody said."""

from __future__ import annotations

import re

from ..clock import Clock
from .engine import Dialect
from .events import Event, action, known, notice, system
from .stamps import CLOCK, read_day

_DATE = (
    r"(?:\w{3},? )?(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}"
    r"|\d{1,2} [^\W\d_]{3,}(?: \d{4})?|[^\W\d_]{3,} {1,2}\d{1,2}(?:,? \d{4})?)"
)
_STAMP = rf"(?:{_DATE}(?:[T /@-]{{1,3}}))?{CLOCK}(?:Z|[+-]\d\d:?\d\d)?(?: \d{{4}})?|\d{{10}}(?:\d{{3}})?"
_LINE = re.compile(rf"[\[(]?(?:({_STAMP})[\])]?[:,]?\s+)?(?:<[ @+%&~!]?([^>]+)>:?\s?(.*)|(?<=\s)\* (\S+) ?(.*))?")
_MARK = re.compile(r"(?:\*\*\*|-!-|---|===|###|-->|<--|>>>|\*\*|--|@|[→←⇐])\s+(.*)")
_STAR = re.compile(r"[*—•]\s+(.*)")
_NOTICE = re.compile(r"-([^\s-]\S*)-\s?(.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _MARK.match(rest):
        if (day := read_day(found[1])) and ("changed" in rest or "Log" in rest or len(rest) < 40):
            clock.on(day)
        return system(found[1])
    if found := _STAR.match(rest):
        return known(found[1].strip()) or action(found[1])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return known(rest)


FORMAT = Dialect("irc", _LINE, _event, re.compile(r"(?!)"), plain=0.6).format()
