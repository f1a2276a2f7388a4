"""Time as logs tell it: clocks without dates, dates without years, and never more than is known."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

DAY = timedelta(days=1)
HALF_DAY = timedelta(hours=12)


def placed(when: datetime, zone: tzinfo | None) -> datetime:
    """A time with the zone that the user named, if it has none of its own."""
    return when.replace(tzinfo=zone) if zone and when.tzinfo is None else when


def from_epoch(seconds: float) -> datetime | None:
    """Seconds since 1970 as a UTC time, or None if no calendar reaches there."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
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
        self._last: timedelta | None = None
        self._half = timedelta(0)
        self._past_noon = False

    def at(self, hour: int, minute: int, second: int = 0) -> datetime | None:
        """The time at which the clock shows this, or None while the day is unknown."""
        shown = timedelta(hours=hour, minutes=minute, seconds=second)
        self._past_noon |= hour > 12
        if self._last is not None:
            self._carry(self._last - shown)
        self._last = shown
        if self.day is None:
            return None
        return placed(datetime.combine(self.day, time()) + shown + self._half, self.zone)

    def _carry(self, fallen: timedelta) -> None:
        if fallen < timedelta(hours=2):
            return
        twelve_hours = not self._past_noon and timedelta(hours=11) <= fallen <= timedelta(hours=12, minutes=59)
        if twelve_hours and not self._half:
            self._half = HALF_DAY
            return
        self._half = timedelta(0)
        if self.day is not None:
            self.day += DAY
