"""The time stamps of IRC logs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time

from ..clock import Clock, from_iso, placed

When = tuple[datetime | None, time | None]
Moment = Callable[[str, Clock], When]

MONTHS = {
    name: n
    for n, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}

_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*([AaPp])?\.?(?:[Mm]\.?)?$")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_DAY_NUMBER = re.compile(r"(?<![\d:])(\d{1,2})(?![\d:])")


def read_stamp(stamp: str, clock: Clock) -> When:
    """hh:mm, hh:mm:ss, either with am or pm, or an ISO time. The time of day comes back only where no date is known."""
    if len(stamp) > 11 and stamp[4] == "-":
        when = from_iso(stamp)
        return (placed(when, clock.zone), None) if when else (None, None)
    found = _CLOCK.match(stamp)
    if not found:
        return None, None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4] in "Pp" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None, None
    when = clock.at(hour, minute, second)
    return (when, None) if when else (None, time(hour, minute, second))


def read_day(text: str) -> date | None:
    """The day in a phrase such as "Tue Nov 26 22:43:56 2002", "Nov 27 2002", "2002-11-27" or "27/11/2002"."""
    if iso := re.search(r"(\d{4})-(\d\d)-(\d\d)", text):
        return _date(int(iso[1]), int(iso[2]), int(iso[3]))
    words = [MONTHS.get(word[:3].lower()) for word in re.findall(r"[^\W\d_]+", text)]
    month = next((m for m in words if m), None)
    year, day = _YEAR.search(text), _DAY_NUMBER.search(text)
    if not (month and year and day):
        return None
    return _date(int(year[1]), month, int(day[1]))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
