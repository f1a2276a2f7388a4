"""Time as logs tell it: clocks without dates, dates without years, and never more than is known."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

HOUR = 3600
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_MONTHS, 1)}


def month_of(word: str) -> int | None:
    """The number of a month by its name, of which three letters are enough."""
    return MONTHS.get(word[:3].lower())


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


class Clock:
    """Turns times of day into times, carrying the date over midnight.

    A clock that falls back by two hours or more has passed midnight. If it falls back by about twelve hours and has
    never shown an hour past twelve, it is a twelve-hour clock: it goes on with the other half of the day.
    """

    def __init__(self, day: date | None, zone: tzinfo | None) -> None:
        self.zone = zone
        self.on(day)

    def on(self, day: date | None) -> None:
        """The log says which day it is."""
        self.day = day
        self._midnight = datetime.combine(day, time(), self.zone) if day else None
        self._last = 0
        self._half = 0
        self._past_noon = False

    def at(self, hour: int, minute: int, second: int = 0) -> datetime | None:
        """The time at which the clock shows this, or None while the day is unknown."""
        shown = hour * HOUR + minute * 60 + second
        if hour > 12:
            self._past_noon = True
        if self._last - shown >= 2 * HOUR:
            self._fell(self._last - shown)
        self._last = shown
        return self._midnight + timedelta(seconds=shown + self._half) if self._midnight else None

    def _fell(self, seconds: int) -> None:
        twelve_hours = not self._past_noon and 11 * HOUR <= seconds < 13 * HOUR
        if twelve_hours and not self._half:
            self._half = 12 * HOUR
            return
        self._half = 0
        if self.day and self._midnight and self.day < date.max:
            self.day += timedelta(days=1)
            self._midnight = datetime.combine(self.day, time(), self.zone)
