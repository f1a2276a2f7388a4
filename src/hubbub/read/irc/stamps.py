"""The time stamps of IRC logs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from functools import lru_cache

from ..clock import Clock, from_epoch, from_iso, month_of, placed

When = tuple[datetime | None, time | None]
Moment = Callable[[str, Clock], When]

CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[.,]\d+)?(?: ?[AaPp]\.?[Mm]\.?)?"

_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[.,]\d+)?(?: ?([AaPp])\.?[Mm]\.?)?$")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)")
_YEAR_LAST = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4})")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_DAY_NUMBER = re.compile(r"(?<![\d:.])(\d{1,2})(?![\d:.])")
_WORDS = re.compile(r"[^\W\d_]+")


def read_stamp(stamp: str, clock: Clock) -> When:
    """Any stamp: a time of day, with or without a date, which may lack its year.

    The time of day comes back only where no date is known.
    """
    if stamp[2:3] == ":" and len(stamp) in (5, 8):
        shown = _time_of(stamp)
        when = clock.at(shown.hour, shown.minute, shown.second) if shown else None
        return (when, None) if when else (None, shown)
    if stamp.isdecimal():
        return from_epoch(int(stamp) / (1000 if len(stamp) > 11 else 1)), None
    if stamp[4:5] == "-" and (exact := from_iso(stamp)):
        return placed(exact, clock.zone), None
    shown = _time_of(stamp.rpartition(" ")[2]) or _time_of(" ".join(stamp.split()[-2:])) or _clock_inside(stamp)
    if shown is None:
        return None, None
    if len(stamp) > 11 and (day := read_day(stamp, clock.day)):
        if day != clock.day:
            clock.on(day)
        return placed(datetime.combine(day, shown), clock.zone), None
    if len(stamp) > 11 and _WORDS.search(stamp) and clock.day is None:
        return None, shown
    when = clock.at(shown.hour, shown.minute, shown.second)
    return (when, None) if when else (None, shown)


@lru_cache(maxsize=100_000)
def _time_of(text: str) -> time | None:
    found = _CLOCK.match(text)
    if not found:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4] in "Pp" else 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def _clock_inside(stamp: str) -> time | None:
    found = re.search(r"(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?!\d)", stamp)
    return _time_of(found[0]) if found else None


def read_day(text: str, near: date | None = None) -> date | None:
    """The day in a phrase such as "Tue Nov 26 22:43:56 2002", "2002-11-27" or "27/11/2002".

    A phrase without a year, such as "dec 31", takes the year of `near`, or the next one if it would go far back.
    """
    if found := _YEAR_FIRST.search(text):
        return _date(int(found[1]), int(found[2]), int(found[3]))
    if found := _YEAR_LAST.search(text):
        one, other, year = int(found[1]), int(found[3]), int(found[4])
        return _date(year, other, one) or _date(year, one, other)
    month = next(filter(None, map(month_of, _WORDS.findall(text))), None)
    day, year_found = _DAY_NUMBER.search(text), _YEAR.search(text)
    if not (month and day and (year_found or near)):
        return None
    if year_found:
        return _date(int(year_found[1]), month, int(day[1]))
    assert near is not None
    return _date(near.year + (1 if near.month - month > 6 else 0), month, int(day[1]))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1980 <= year <= 2200 else None
    except ValueError:
        return None
