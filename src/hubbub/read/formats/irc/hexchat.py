"""HexChat and XChat: dec 31 21:11:58 <nick> text, a year only where logging begins, arrows or stars before events.

Their scrollback files have T and the seconds since 1970 instead: T 1325365918 <nick> text.
"""

from __future__ import annotations

import re

from ...times.clock import Clock, from_epoch
from .dialect import NO_ACTION, Dialect
from .events import Event, action, known, notice, system
from .timestamps import When, read_day, read_stamp

_STAMP = (
    r"[ \[(]?((?<!\S)T \d{9,11}(?= )|[^\W\d_]{3,5}\.? +\d{1,2} \d\d:\d\d(?::\d\d)?"
    r"|(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?(?!\t))[\])]?[ \t]+"
)
_LINE = re.compile(rf"(?:{_STAMP})?(?:<[@+%&~!]?([^>\s][^>]*)>[ \t]?(.*){NO_ACTION})?")
_SESSION = re.compile(r"\*\*\*\* .*?(\S+ +\S+ +\d+ \d\d:\d\d:\d\d \d{4}|\S+ +\d.*\d{4}.*)$")
_STAR = re.compile(r"\*\*?[ \t]+(.*)")
_ARROW = re.compile(r"(?:-->?|<?---?|<--)[ \t]+(.*)")
_COLUMNS = re.compile(r"(?:\*([^\s*]+)\*|([^\s<>*-]\S*))\t(.*)")
_NOTICE = re.compile(r"-([^\s!-]\S*)-[ \t]?(.*)")


def _stamp(stamp: str, clock: Clock) -> When:
    return (from_epoch(int(stamp[2:])), None) if stamp.startswith("T ") else read_stamp(stamp, clock)


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _SESSION.match(rest):
        if day := read_day(found[1]):
            clock.announce(day)
        return Event("", rest.lstrip("* "))
    if found := _STAR.match(rest):
        said = found[1].strip()
        return known(said) or action(said)
    if found := _ARROW.match(rest):
        return system(found[1])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    if found := _COLUMNS.match(rest):
        return Event(found[1] or found[2], found[3], "message")
    return known(rest.strip())


DIALECT = Dialect(
    "hexchat",
    _LINE,
    _event,
    re.compile(
        r"^\*\*\*\* \S.* \d{4}|^ ?[^\W\d_]{3,5}\.? +\d{1,2} \d\d:\d\d:\d\d[ \t]+(?:<|\*[ \t]|-->|<--|---)"
        rf"|^(?:{_STAMP})?(?:<\S+>|\*)\t|^T \d{{9,11}} "
    ),
    stamp=_stamp,
)
FORMAT = DIALECT.format()
