"""Time as logs tell it: clocks without dates, dates without years, and never more than is known."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache

HOUR = 3600
_JUMP = 2 * HOUR  # more than any change of summer time or any delay of a line
_UNSEEN = -1
_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[.,]\d+)?(?: ?([AaPp])\.?[Mm]\.?)?$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_MONTHS, 1)}

# How the months begin in the other languages in which programs write them.
_FOREIGN = (
    "jän ene gen sty led янв січ", "fév fev lut úno фев лют", "mär maa mrt bře мар бер", "avr abr kwi dub апр кві",
    "mai mei mag maj kvě май мая тра", "juin giu cze июн чер", "juil lug lip июл лип", "aoû ago sie srp авг сер",
    "set wrz zář сен вер", "okt ott out paź říj окт жов", "lis ноя", "déc dez dic gru pro дек гру",
)  # fmt: skip
_BEGINNINGS = MONTHS | {name: number for number, names in enumerate(_FOREIGN, 1) for name in names.split()}


def month_of(word: str) -> int | None:
    """The number of a month by its name, of which the first three or four letters are enough."""
    beginning = word[:4].lower()
    return _BEGINNINGS.get(beginning) or _BEGINNINGS.get(beginning[:3])


def placed(when: datetime, zone: tzinfo | None) -> datetime:
    """A time with the zone that the user named, if it has none of its own."""
    return when.replace(tzinfo=zone) if zone and when.tzinfo is None else when


def from_epoch(seconds: float) -> datetime | None:
    """Seconds since 1970 as a UTC time, or None if no calendar reaches there."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def from_milliseconds(value: object) -> datetime | None:
    """The same of milliseconds, as a number or a text; None if it is neither."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return from_epoch(float(value) / 1000)
    except (ValueError, OverflowError):
        return None


def from_iso(text: object, zone: tzinfo | None = None) -> datetime | None:
    """An ISO 8601 time, or None if it is none. Any number of decimals of a second are understood."""
    if not isinstance(text, str) or len(text) < 10:
        return None
    try:
        return placed(datetime.fromisoformat(text.strip()), zone)
    except ValueError:
        return None


@lru_cache(maxsize=100_000)
def time_of_day(text: str) -> time | None:
    """What "9:05", "09.05.30" or "9:05 pm" shows."""
    found = _CLOCK.match(text)
    if not found:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4] in "Pp" else 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def second_of_day(shown: time) -> int:
    return shown.hour * HOUR + shown.minute * 60 + shown.second


class Clock:
    """Turns times of day into times, carrying the date over midnight.

    A clock that falls back by two hours or more has passed midnight. If it falls back by about twelve hours and has
    never shown an hour past twelve, it is a twelve-hour clock: it goes on with the other half of the day.
    `month_first` says how dates are to be read that could be read both ways.
    `doubt` is set by a jump of the clock, or by a line that names an unexpected day: either may belong to lines of
    another log that were pasted into this one. Whoever can see the lines around it decides, and calls `undo` if so.
    """

    def __init__(self, day: date | None, zone: tzinfo | None) -> None:
        self.zone = zone
        self.month_first = False
        self.doubt = False
        self.on(day)
        self._before = self._state()

    def on(self, day: date | None) -> None:
        """The log says which day it is."""
        self.day = day
        self._midnight = datetime.combine(day, time(), self.zone) if day else None
        self._last = _UNSEEN
        self._half = 0
        self._past_noon = False

    def announce(self, day: date) -> None:
        """A line between the messages says which day it is. Days follow each other; any other day is in doubt."""
        before = self._state()
        if self.day and self._last >= 0 and not 0 <= (day - self.day).days <= 1:
            self.doubt, self._before = True, before
        self.on(day)

    def at(self, second: int) -> datetime | None:
        """The time at which the clock shows this second of a day, or None while the day is unknown."""
        last = self._last
        if not -_JUMP < second - last < _JUMP and last >= 0:
            self._jump(last - second)
        if second >= 13 * HOUR:
            self._past_noon = True
        self._last = second
        midnight = self._midnight
        return midnight + timedelta(0, second + self._half) if midnight else None

    @property
    def last_before(self) -> int:
        """The second of the day that the clock showed before what is in doubt."""
        return self._before[2]

    @property
    def day_before(self) -> date | None:
        return self._before[0]

    def undo(self) -> None:
        """What was in doubt belongs to another log: this clock still shows what it showed before."""
        self.day, self._midnight, self._last, self._half, self._past_noon = self._before

    def aside(self, shown: time) -> datetime | None:
        """This time on the present day, without a change of the clock."""
        return datetime.combine(self.day, shown, self.zone) if self.day else None

    def _state(self) -> tuple[date | None, datetime | None, int, int, bool]:
        return self.day, self._midnight, self._last, self._half, self._past_noon

    def _jump(self, back: int) -> None:
        if self.day:  # without a day, nothing follows from a jump
            self.doubt, self._before = True, self._state()
        if back > 0:
            self._fell(back)

    def _fell(self, seconds: int) -> None:
        twelve_hours = not self._past_noon and 11 * HOUR <= seconds < 13 * HOUR
        if twelve_hours and not self._half:
            self._half = 12 * HOUR
            return
        self._half = 0
        if self.day and self._midnight and self.day < date.max:
            self.day += timedelta(days=1)
            self._midnight = datetime.combine(self.day, time(), self.zone)
