"""The time stamps of IRC logs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from functools import lru_cache

from ...times.clock import Clock, from_epoch, from_iso, month_of, placed, second_of_day, time_of_day

When = tuple[datetime | None, time | None]
Moment = Callable[[str, Clock], When]

CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[.,]\d+)?(?: ?[AaPp]\.?[Mm]\.?)?"
_DATE = (
    r"(?:[^\W\d_]{2,},? )?(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](?:\d{4}|\d\d)|(?:19|20)\d{6}"
    r"|\d{1,2}[-/][^\W\d_]{3}[-/]\d{4}"
    r"|\d{1,2} [^\W\d_]{3,}(?: \d{4})?|[^\W\d_]{3,} {1,2}\d{1,2}(?:,? \d{4})?)"
)
STAMP = rf"(?:{_DATE}(?:[T /@-]{{1,3}}|\]? \[))?{CLOCK}(?:Z|[+-]\d\d:?\d\d)?(?:(?: [A-Z]{{3,4}})? \d{{4}})?"
STAMP += r"|\d{10}(?:\d{3})?"

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)")
_YEAR_LAST = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4})")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_DAY_NUMBER = re.compile(r"(?<![\d:.])(\d{1,2})(?![\d:.])")
_WORDS = re.compile(r"[^\W\d_]+")


def read_stamp(stamp: str, clock: Clock) -> When:
    """Any stamp: a time of day, with or without a date, which may lack its year.

    The time of day comes back only where no date is known.
    """
    shown, second = _plain_clock(stamp)
    if shown:
        when = clock.at(second)
        return (when, None) if when else (None, shown)
    if stamp.isdecimal():
        return from_epoch(int(stamp) / (1000 if len(stamp) > 11 else 1)), None
    if stamp[4:5] == "-" and (exact := from_iso(stamp)):
        return placed(exact, clock.zone), None
    stamp = stamp.replace("] [", " ").replace(" [", " ")
    shown = time_of_day(stamp.rpartition(" ")[2]) or time_of_day(" ".join(stamp.split()[-2:])) or _clock_inside(stamp)
    if shown is None:
        return None, None
    if len(stamp) > 11 and (day := read_day(stamp, clock.day, clock.month_first)):
        if day != clock.day:
            clock.on(day)
        return placed(datetime.combine(day, shown), clock.zone), None
    if len(stamp) > 11 and _WORDS.search(stamp) and clock.day is None:
        return None, shown
    when = clock.at(second_of_day(shown))
    return (when, None) if when else (None, shown)


@lru_cache(maxsize=100_000)
def _plain_clock(stamp: str) -> tuple[time | None, int]:
    """The time and the second of the day that "hh:mm" or "hh:mm:ss" shows, (None, 0) for any other stamp."""
    shown = time_of_day(stamp) if stamp[2:3] == ":" and len(stamp) in (5, 8) else None
    return shown, second_of_day(shown) if shown else 0


def _clock_inside(stamp: str) -> time | None:
    found = re.search(r"(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?!\d)", stamp)
    return time_of_day(found[0]) if found else None


def read_day(text: str, near: date | None = None, month_first: bool = False) -> date | None:
    """The day in a phrase such as "Tue Nov 26 22:43:56 2002", "2002-11-27" or "27/11/2002".

    A phrase without a year, such as "dec 31", takes the year of `near`, or the next one if it would go far back.
    """
    if found := _YEAR_FIRST.search(text) or _COMPACT.search(text):
        return _date(int(found[1]), int(found[2]), int(found[3]))
    if found := _YEAR_LAST.search(text):
        one, other, year = int(found[1]), int(found[3]), int(found[4])
        days = _date(year, other, one), _date(year, one, other)
        return days[month_first] or days[not month_first]
    month = _month(text)
    day, year_found = _DAY_NUMBER.search(text), _YEAR.search(text)
    if not (month and day and (year_found or near)):
        return None
    if year_found:
        return _date(int(year_found[1]), month, int(day[1]))
    assert near is not None
    return _date(near.year + (1 if near.month - month > 6 else 0), month, int(day[1]))


def is_month_first(text: str) -> bool:
    """Whether dates such as 3/15/2016 in this text have the month first: none can be right with the day first only."""
    found = [(int(one), int(other)) for one, _, other, _ in _YEAR_LAST.findall(text)]
    return any(other > 12 for _, other in found) and not any(one > 12 for one, _ in found)


def _month(text: str) -> int | None:
    """The month that a phrase names; the last one, because "mar." is a Tuesday before it is a month."""
    found = [month for word in _WORDS.findall(text) if (month := month_of(word))]
    return found[-1] if found else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1980 <= year <= 2200 else None
    except ValueError:
        return None
