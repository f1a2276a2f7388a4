"""Dates as people, phones and tables write them: which number is the day is told by all of a file's dates together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo

from .clock import from_iso, month_of, placed
from .month_names import DATE as NAMED_DATE
from .month_names import GROUPS as NAMED_GROUPS
from .month_names import named_date

_AM = (
    r"[Aa]\.?[ \u00a0\u2009\u202f]?[Mm]\b\.?|上午|凌晨|早上|清晨|午前|오전|ص|ق\.ظ\.?|[πΠ]\.?[μΜ]\.?|de\.|SA|PG|ÖÖ"
    r"|[Ff]\.?[Mm]\b\.?|पूर्वाह्न|vorm\.?|vm\.|e paradites|முற்பகல்|صبح|ጥዋት"
)
_PM = (
    r"[Pp]\.?[ \u00a0\u2009\u202f]?[Mm]\b\.?|下午|中午|晚上|午後|오후|م|ب\.ظ\.?|[μΜ]\.?[μΜ]\.?|du\.|CH|PTG|ÖS"
    r"|[Ee]\.?[Mm]\b\.?|अपराह्न|nachm\.?|nm\.|e pasdites|பிற்பகல்|شام|ከሰዓት"
)
_HALF = f"{_AM}|{_PM}"
_BLANK = r"[ \u00a0\u2009\u202f]"
_AFTERNOON = re.compile(_PM)

# Groups: three numbers of a date with the first separator between them, half of the day, hour, minute, second, half.
_DATE = r"(\d{1,4})(?:([./-]) ?|[년年] ?)(\d{1,2})(?:[./-] ?|[월月] ?)(\d{1,4})(?:[.일日]| г\.?)?"
TIME = (
    r"[,،、]?(?:[ T\u00a0\u2009\u202f]+"
    r"(?:(?:klo|kl\.?|à|às|a les|a las|alle|um|at|о|в|u|o|om|ob|la|saat|pukul|στις|lúc)[ \u00a0])?)"
    rf"(?:({_HALF}){_BLANK}?)?(\d{{1,2}})(?:[:.٫]| h )(\d{{2}})(?:(?:[:.٫]| min )(\d{{2}}))?(?:{_BLANK}?({_HALF}))?"
)
MOMENT = _DATE + TIME
GROUPS = 9
_ZONE = r"(?:\s*(?P<zone>Z\b|UTC|GMT|[+-]\d\d:?\d\d))?"
_NUMERIC = re.compile(rf"{_DATE}(?:{TIME}(?!\d)(?:[.,]\d+)?{_ZONE}|$)")
_NAMED = re.compile(
    r"(?:[a-z]{3,9}\.?,?\s+)?"
    r"(?:(?P<day>\d{1,2})[\s-]+(?P<month>[a-z]{3,9})\.?|(?P<month2>[a-z]{3,9})\.?\s+(?P<day2>\d{1,2}))"
    r"[-,\s]+(?:(?P<year>\d{4}|\d\d(?!:))[,\s]+(?:at\s+)?)?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?:\s?(?P<half>[ap]\.?m\b\.?))?"
    rf"{_ZONE}(?:\s+(?P<year2>\d{{4}}))?",
    re.I,
)

_WORDED = re.compile(rf"{NAMED_DATE}(?:{TIME}(?!\d){_ZONE}|$)")

Numbers = tuple[str, str, str]
_PLACES = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2), "ydm": (0, 2, 1)}
_FARTHER = 5


@dataclass(slots=True)
class _Run:
    """How the dates of a file run if their numbers are read in one order."""

    wrong: int = 0
    back: int = 0
    forth: int = 0
    first: date = date.max
    last: date = date.min

    def see(self, day: date | None) -> None:
        if day is None:
            self.wrong += 1
            return
        self.back += day < self.last
        self.forth += day > self.first
        self.first = min(day, self.first)
        self.last = max(day, self.last)

    def doubt(self) -> tuple[int, int]:
        """Dates that fit no calendar, then dates that turn against the run of the others, oldest or newest first."""
        return self.wrong, min(self.back, self.forth)

    def days(self) -> int:
        return 1 + max(0, (self.last - self.first).days)


class Order:
    """Sees every date of a file, then says which number is which.

    What fits no calendar speaks loudest, then what turns against the run of the others, then what spreads the same
    days much farther, then what runs backwards; after that slashes with a twelve-hour clock are month-first and
    everything else is day-first.
    """

    def __init__(self) -> None:
        self._runs = {order: _Run() for order in _PLACES}
        self._seen: Numbers | None = None
        self._month_first = False

    def see(self, numbers: Numbers, month_first: bool = False) -> None:
        self._month_first |= month_first
        if numbers != self._seen:
            self._seen = numbers
            for order, run in self._runs.items():
                run.see(day_of(numbers, order))

    def best(self) -> str:
        liked = ["mdy", "dmy", "ymd", "ydm"] if self._month_first else ["dmy", "mdy", "ymd", "ydm"]
        least = min(run.doubt() for run in self._runs.values())
        left = [order for order in liked if self._runs[order].doubt() == least]
        if "ymd" in left:
            left = [order for order in left if order != "ydm"]
        narrow = min(self._runs[order].days() for order in left)
        near = [order for order in left if self._runs[order].days() <= _FARTHER * narrow]
        return min(near, key=lambda order: self._runs[order].back > self._runs[order].forth)


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
        if (found := _NUMERIC.match(text)) and not _year_first(found):
            half = found[5] or found[9]
            self._order.see((found[1], found[3], found[4]), bool(half) and found[2] == "/")

    def read(self, text: str) -> datetime | None:
        """The time, once every date was seen; None if it is none. A day alone is its midnight."""
        when = from_iso(text) or self._numeric(text) or _named(text) or worded(text)
        return placed(when, self._zone) if when else None

    def _numeric(self, text: str) -> datetime | None:
        found = _NUMERIC.match(text)
        if not found:
            return None
        self._best = self._best or self._order.best()
        order = "ymd" if _year_first(found) else self._best
        hour, minute, second, half = found[6] or "0", found[7] or "0", found[8] or "0", found[5] or found[9] or ""
        return _in_zone(moment((found[1], found[3], found[4]), order, hour, minute, second, half), found["zone"])


def depends_on_order(text: str) -> bool:
    """Whether it takes a look at other dates to know which number of this one is the day."""
    found = _NUMERIC.match(text)
    return found is not None and not _year_first(found)


def _year_first(found: re.Match[str]) -> bool:
    return len(found[1]) == 4


def _named(text: str) -> datetime | None:
    found = _NAMED.match(text)
    month = month_of(found["month"] or found["month2"]) if found else None
    if not found or not month or not (year := found["year"] or found["year2"]):
        return None
    day = _date(int(year), month, int(found["day"] or found["day2"]))
    hour = hour_of(int(found["hour"]), found["half"] or "")
    return _in_zone(_at(day, hour, int(found["minute"]), int(found["second"] or 0)), found["zone"])


def worded(text: str) -> datetime | None:
    """A date with a month's name in any language, a day alone as its midnight; None if it is none."""
    found = _WORDED.match(text)
    numbers = named_date(found.groups()[:NAMED_GROUPS]) if found else None
    if not found or not numbers:
        return None
    before, hour, minute, second, after = found.groups()[NAMED_GROUPS : NAMED_GROUPS + 5]
    when = moment(numbers, "ymd", hour or "0", minute or "0", second or "0", before or after or "")
    return _in_zone(when, found["zone"])


def _in_zone(when: datetime | None, zone: str | None) -> datetime | None:
    if when is None or not zone:
        return when
    try:
        return placed(when, UTC if zone.isalpha() else datetime.strptime(zone.replace(":", ""), "%z").tzinfo)
    except ValueError:
        return None
