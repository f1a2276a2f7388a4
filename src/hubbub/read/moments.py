"""Times as tables write them: ISO, seconds or milliseconds since 1970, and days in any order."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo

from .clock import from_epoch, from_iso, placed

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?\s*(?P<half>[ap]\.?m\.?)?"
_ZONE = r"\s*(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?"
_NUMBERS = re.compile(rf"(\d{{1,4}})([./-])(\d{{1,2}})\2(\d{{1,4}})(?:[,T\s]+{_CLOCK}{_ZONE})?$", re.I)
_WORDS = re.compile(
    rf"(?:[a-z]{{3,9}},?\s+)?(?:(?P<d1>\d{{1,2}})[\s-]+(?P<m1>[a-z]{{3,9}})|(?P<m2>[a-z]{{3,9}})\s+(?P<d2>\d{{1,2}}))"
    rf"[,\s-]+(?:(?P<y1>\d{{4}})[,\s]+(?:at\s+)?)?{_CLOCK}{_ZONE}(?:\s+(?P<y2>\d{{4}}))?$",
    re.I,
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?$")
_COMPACT = re.compile(r"(?:19|20)\d{12}$")


class DayOrder:
    """Tells 5/1 from 1/5 by the whole column: a number above twelve is a day; else the days that lie closer
    together are right; else a dot or a dash means the day first, and a slash with am or pm the month."""

    def __init__(self) -> None:
        self._months_first = False
        self._days_first = False
        self._paths = {True: 0.0, False: 0.0}
        self._last: tuple[int, int, int] | None = None
        self._american = False

    def see(self, value: object) -> None:
        found = _NUMBERS.match(value.strip()) if isinstance(value, str) else None
        if found is None or len(found[1]) > 2:
            return
        one, other, year = int(found[1]), int(found[3]), int(found[4])
        self._days_first |= one > 12
        self._months_first |= other > 12
        self._american |= found[2] == "/" and bool(found["half"])
        if self._last:
            for first in (True, False):
                self._paths[first] += abs(_rough(one, other, year, first) - _rough(*self._last, first))
        self._last = (one, other, year)

    @property
    def day_first(self) -> bool:
        if self._days_first != self._months_first:
            return self._days_first
        if self._paths[True] != self._paths[False]:
            return self._paths[True] < self._paths[False]
        return not self._american

    def time(self, value: object, zone: tzinfo | None) -> datetime | None:
        """The time that a cell tells, or None. A day alone is its midnight."""
        if isinstance(value, datetime):
            return placed(value, zone)
        if isinstance(value, date):
            return placed(datetime.combine(value, time()), zone)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _epoch(value)
        return self._written(value.strip(), zone) if isinstance(value, str) else None

    def _written(self, text: str, zone: tzinfo | None) -> datetime | None:
        if _NUMBER.match(text) and len(text) != 8:
            return placed(made, zone) if (made := _compact(text)) else _epoch(float(text))
        if when := from_iso(text, zone):
            return when
        if found := _NUMBERS.match(text):
            return self._numbered(found, zone)
        found = _WORDS.match(text)
        return _worded(found, zone) if found else None

    def _numbered(self, found: re.Match[str], zone: tzinfo | None) -> datetime | None:
        one, middle, last = int(found[1]), int(found[3]), int(found[4])
        if len(found[1]) > 2:
            return _moment(one, middle, last, found, zone)
        year = last if len(found[4]) > 2 else 2000 + last
        day, month = (one, middle) if self.day_first else (middle, one)
        return _moment(year, month, day, found, zone)


def is_plain(value: object) -> bool:
    """Whether a cell needs no look at its column to be understood."""
    found = _NUMBERS.match(value.strip()) if isinstance(value, str) else None
    return found is None or len(found[1]) > 2


def _rough(one: int, other: int, year: int, day_first: bool) -> int:
    day, month = (one, other) if day_first else (other, one)
    return year * 365 + month * 30 + day


def _worded(found: re.Match[str], zone: tzinfo | None) -> datetime | None:
    name = (found["m1"] or found["m2"])[:3].lower()
    year = found["y1"] or found["y2"]
    if name not in _MONTHS or not year:
        return None
    return _moment(int(year), _MONTHS.index(name) + 1, int(found["d1"] or found["d2"]), found, zone)


def _moment(year: int, month: int, day: int, found: re.Match[str], zone: tzinfo | None) -> datetime | None:
    hour = int(found["hour"] or 0)
    if found["half"]:
        hour = hour % 12 + (12 if found["half"].lower().startswith("p") else 0)
    try:
        when = datetime(year, month, day, hour, int(found["minute"] or 0), int(found["second"] or 0))
        return placed(when, _zone(found["zone"]) or zone)
    except ValueError:
        return None


def _zone(text: str | None) -> tzinfo | None:
    if not text:
        return None
    return UTC if text.isalpha() else datetime.strptime(text.replace(":", ""), "%z").tzinfo


def _compact(text: str) -> datetime | None:
    """20130105123000."""
    try:
        return datetime.strptime(text, "%Y%m%d%H%M%S") if _COMPACT.match(text) else None
    except ValueError:
        return None


def _epoch(number: float) -> datetime | None:
    """Seconds, or thousands, millions or milliards of them; less than 1973 is no time of a chat but a counter."""
    size = abs(number)
    if size > 1e19:
        return None
    for limit, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (1e8, 1)):
        if size >= limit:
            return from_epoch(number / unit)
    return None
