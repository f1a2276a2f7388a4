"""When the messages of an HTML page were sent: most tell it in full, some the clock, service messages only a day."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from ...times.clock import from_iso, placed, time_of_day
from ...times.dates import Numbers, moment, worded

_ZONE = re.compile(r"\s*\(?(?:UTC|GMT)\s*(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)?$")
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f]")  # of right-to-left languages, around any part of a time
_NUMERIC = re.compile(
    r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})"
    r"(?:[ ,T]+(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[.,]\d+)?(?: ?([AaPp]\.?[Mm]\.?))?)?$"
)


class Days:
    """Follows the days of a page. Its zone is the one that its messages name, else the one that the user named."""

    def __init__(self, zone: tzinfo | None) -> None:
        self._zone = zone
        self._day: date | None = None

    def heading(self, text: str) -> bool:
        """Whether this is a day, which then is that of what follows."""
        found = _written(text)[0]
        if found is None or (found.hour, found.minute) != (0, 0):
            return False
        self._day = found.date()
        return True

    def message(self, title: str, shown: str) -> tuple[datetime | None, time | None]:
        """The time, or the clock alone where no day is known."""
        if when := self._told(title) or self._told(shown):
            return when, None
        clock = time_of_day(_DIRECTION_MARKS.sub("", shown).strip())
        if clock is None or self._day is None:
            return None, clock
        return placed(datetime.combine(self._day, clock), self._zone), None

    def service(self, titles: Iterable[str]) -> datetime | None:
        """The time that one of its elements tells, else the day as its midnight: a page tells no more of these."""
        if when := next((when for title in titles if (when := self._told(title))), None):
            return when
        return placed(datetime.combine(self._day, time()), self._zone) if self._day else None

    def _told(self, title: str) -> datetime | None:
        when, zone = _written(title)
        if when is None or len(title) < len("1.1.2013 1:00"):
            return None
        self._zone, self._day = zone or self._zone, when.date()
        return placed(when, zone or self._zone)


def zone_in(titles: Iterable[str]) -> tzinfo | None:
    """The zone of the first time that names one: all times of an export have that of the computer which made it."""
    return next((zone for title in titles if (zone := _written(title)[1])), None)


def _written(text: str) -> tuple[datetime | None, tzinfo | None]:
    """A time without its zone, and the zone."""
    text = _DIRECTION_MARKS.sub("", text).strip()
    found = _ZONE.search(text)
    bare = text[: found.start()].rstrip() if found else text
    when = _numeric(bare) or from_iso(bare) or worded(bare)
    if when is not None and when.tzinfo is not None:
        return when.replace(tzinfo=None), when.tzinfo
    return when, _zone(found) if found else None


def _zone(found: re.Match[str]) -> tzinfo | None:
    if not found[1]:
        return UTC
    offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(-offset if found[1] == "-" else offset) if offset < timedelta(days=1) else None


def _numeric(text: str) -> datetime | None:
    """Telegram writes the day first; only a number that is no month says otherwise."""
    found = _NUMERIC.match(text)
    if not found:
        return None
    numbers: Numbers = (found[1], found[3], found[4])
    clock = (found[5] or "0", found[6] or "0", found[7] or "0", found[8] or "")
    return moment(numbers, "dmy", *clock) or moment(numbers, "mdy", *clock)
