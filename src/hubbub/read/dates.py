"""Dates as people's phones write them: which number is the day is told apart from all of them together."""

from __future__ import annotations

import re
from datetime import date, datetime, tzinfo

from .clock import from_iso, placed

_AM = (
    r"[Aa]\.?[ \u00a0\u2009\u202f]?[Mm]\b\.?|上午|凌晨|早上|清晨|午前|오전|ص|ق\.ظ\.?|[πΠ]\.?[μΜ]\.?|de\.|SA|PG|ÖÖ"
    r"|[Ff]\.?[Mm]\b\.?|पूर्वाह्न|vorm\.?"
)
_PM = (
    r"[Pp]\.?[ \u00a0\u2009\u202f]?[Mm]\b\.?|下午|中午|晚上|午後|오후|م|ب\.ظ\.?|[μΜ]\.?[μΜ]\.?|du\.|CH|PTG|ÖS"
    r"|[Ee]\.?[Mm]\b\.?|अपराह्न|nachm\.?"
)
_HALF = f"{_AM}|{_PM}"
_BLANK = r"[ \u00a0\u2009\u202f]"
_AFTERNOON = re.compile(_PM)

# Groups: three numbers of a date with the first separator between them, half of the day, hour, minute, second, half.
MOMENT = (
    r"(\d{1,4})(?:([./-]) ?|[년年] ?)(\d{1,2})(?:[./-] ?|[월月] ?)(\d{1,4})(?:[.일日]| г\.?)?"
    r"[,،、]?(?:[ T\u00a0\u2009\u202f]+(?:(?:klo|kl\.?|à|às|a las|alle|um|at|о|в|u|o) )?)"
    rf"(?:({_HALF}){_BLANK}?)?(\d{{1,2}})[:.٫](\d{{2}})(?:[:.٫](\d{{2}}))?(?:{_BLANK}?({_HALF}))?"
)
GROUPS = 9
_NUMERIC = re.compile(MOMENT + r"(?!\d)")

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED = re.compile(
    r"(?i)(?:[a-z]+, )?"
    r"(?:(?P<day>\d{1,2})[- ](?P<month>[a-z]{3})[a-z]*\.?|(?P<month2>[a-z]{3})[a-z]*\.? (?P<day2>\d{1,2}))"
    r"[-, ]+(?P<year>\d{2,4})[, ]+(?:at )?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?"
    r"(?:[ \u202f]?(?P<half>[ap]\.?m\.?))?"
)

Numbers = tuple[str, str, str]
_PLACES = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2), "ydm": (0, 2, 1)}
_FARTHER = 5


class Order:
    """Sees every date of a file, then says which number is which.

    What fits no calendar speaks loudest, then what runs backwards, then what spreads the same days much farther;
    after that slashes with a twelve-hour clock are month-first and everything else is day-first.
    """

    def __init__(self) -> None:
        self._last: dict[str, date] = {}
        self._first: dict[str, date] = {}
        self._wrong = dict.fromkeys(_PLACES, 0)
        self._back = dict.fromkeys(_PLACES, 0)
        self._seen: Numbers | None = None
        self._month_first = False

    def see(self, numbers: Numbers, month_first: bool = False) -> None:
        self._month_first |= month_first
        if numbers == self._seen:
            return
        self._seen = numbers
        for order in _PLACES:
            day = day_of(numbers, order)
            if day is None:
                self._wrong[order] += 1
                continue
            self._back[order] += day < self._last.get(order, day)
            self._last[order] = max(day, self._last.get(order, day))
            self._first[order] = min(day, self._first.get(order, day))

    def best(self) -> str:
        liked = ["mdy", "dmy", "ymd", "ydm"] if self._month_first else ["dmy", "mdy", "ymd", "ydm"]
        least = min((self._wrong[order], self._back[order]) for order in liked)
        left = [order for order in liked if (self._wrong[order], self._back[order]) == least]
        narrow = min(map(self._spread, left))
        return next(order for order in left if self._spread(order) <= _FARTHER * narrow)

    def _spread(self, order: str) -> int:
        return 1 + (self._last[order] - self._first[order]).days if order in self._last else 1


def day_of(numbers: Numbers, order: str) -> date | None:
    year, month, day = (numbers[place] for place in _PLACES[order])
    if len(year) == 3 or len(month) > 2 or len(day) > 2:
        return None
    return _date(int(year), int(month), int(day))


def _date(year: int, month: int, day: int) -> date | None:
    year += 2000 if year < 70 else 1900 if year < 100 else -543 if 2500 <= year < 2600 else 0
    if year < 1970:  # of another calendar
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def hour_of(hour: int, half: str) -> int:
    """The hour of a 24-hour clock; `half` is how a locale says AM or PM, or ""."""
    if not half or hour > 12:
        return hour
    afternoon = bool(_AFTERNOON.fullmatch(half)) and not (half == "中午" and hour == 11)
    return hour % 12 + (12 if afternoon else 0)


def moment(numbers: Numbers, order: str, hour: str, minute: str, second: str, half: str) -> datetime | None:
    day = day_of(numbers, order)
    return _at(day, hour_of(int(hour), half), int(minute), int(second or 0))


def _at(day: date | None, hour: int, minute: int, second: int) -> datetime | None:
    try:
        return datetime(day.year, day.month, day.day, hour, minute, second) if day else None
    except ValueError:
        return None


class Dates:
    """Times of one file, in ISO form, with a month's name, or in numbers of an order that all of them tell."""

    def __init__(self, zone: tzinfo | None) -> None:
        self._zone = zone
        self._order = Order()
        self._best: str | None = None

    def see(self, text: str) -> None:
        if from_iso(text) is None and (found := _NUMERIC.match(text)):
            half = found[5] or found[9]
            self._order.see((found[1], found[3], found[4]), bool(half) and found[2] == "/")

    def read(self, text: str) -> datetime | None:
        """The time, once every date was seen; None if it is none."""
        when = from_iso(text) or _named(text) or self._numeric(text)
        return placed(when, self._zone) if when else None

    def _numeric(self, text: str) -> datetime | None:
        found = _NUMERIC.match(text)
        if not found:
            return None
        self._best = self._best or self._order.best()
        numbers = (found[1], found[3], found[4])
        return moment(numbers, self._best, found[6], found[7], found[8] or "", found[5] or found[9] or "")


def _named(text: str) -> datetime | None:
    found = _NAMED.match(text)
    name = (found["month"] or found["month2"]).lower() if found else ""
    if not found or name not in _MONTHS:
        return None
    day = _date(int(found["year"]), _MONTHS.index(name) + 1, int(found["day"] or found["day2"]))
    hour = hour_of(int(found["hour"]), found["half"] or "")
    return _at(day, hour, int(found["minute"]), int(found["second"] or 0))
