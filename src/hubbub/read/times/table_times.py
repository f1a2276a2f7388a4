"""Times as the cells of tables hold them: written as dates, or counted since 1970."""

from __future__ import annotations

import re
from datetime import date, datetime, time, tzinfo

from .clock import from_epoch, placed
from .dates import Dates, depends_on_order

_NUMBER = re.compile(r"-?\d+(\.\d+)?$")
_COMPACT = re.compile(r"(?:19|20)\d{12}$")


class Moments:
    """The times of one column, once every cell of it was seen."""

    def __init__(self, zone: tzinfo | None) -> None:
        self._zone = zone
        self._dates = Dates(zone)

    def see(self, value: object) -> None:
        if isinstance(value, str):
            self._dates.see(value.strip())

    def read(self, value: object) -> datetime | None:
        """The time that a cell tells, or None. A day alone is its midnight."""
        if isinstance(value, datetime):
            return placed(value, self._zone)
        if isinstance(value, date):
            return placed(datetime.combine(value, time()), self._zone)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _epoch(value)
        return self._written(value.strip()) if isinstance(value, str) else None

    def _written(self, text: str) -> datetime | None:
        if _NUMBER.match(text):
            return placed(made, self._zone) if (made := _compact(text)) else _epoch(float(text))
        return self._dates.read(text)


def is_plain(value: object) -> bool:
    """Whether a cell needs no look at its column to be understood."""
    return not isinstance(value, str) or not depends_on_order(value.strip())


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
