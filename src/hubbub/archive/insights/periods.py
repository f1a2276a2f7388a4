"""Figures grouped by day, week, month or hour of the day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from statistics import median

PERIODS = ("day", "week", "month")
LONGEST_WAIT_MINUTES = 30 * 24 * 60.0  # a month; what comes later is about another matter, or has a wrong date


@dataclass(slots=True)
class PeriodStatistics:
    """Figures of a period, named by its first day, or of an hour of the day. Minutes are medians."""

    name: str
    messages: int = 0
    people: int = 0
    conversations: int = 0
    questions: int = 0
    replied: int = 0
    confirmed: int = 0
    minutes_to_reply: float | None = None
    minutes_to_confirmation: float | None = None


@dataclass(slots=True)
class QuestionTimes:
    """When a question was asked, first replied to and confirmed, and by whom; times are None where unknown."""

    asker: str
    asked: str | None
    helpers: dict[str, int] = field(default_factory=dict)
    replied: str | None = None
    confirmed: str | None = None
    is_confirmed: bool = False


class PeriodGroups:
    """Statistics by a key of the time; what has no time is in none."""

    def __init__(self, key: Callable[[str], str]) -> None:
        self._key = key
        self._groups: dict[str, PeriodStatistics] = {}
        self._to_reply: dict[str, list[float]] = defaultdict(list)
        self._to_confirmation: dict[str, list[float]] = defaultdict(list)

    def at(self, time: str) -> PeriodStatistics:
        name = self._key(time)
        if name not in self._groups:
            self._groups[name] = PeriodStatistics(name)
        return self._groups[name]

    def set_people(self, counts: Mapping[str, int]) -> None:
        for name, count in counts.items():
            self._groups[name].people = count

    def add(self, question: QuestionTimes) -> None:
        group = self.at(question.asked or "")
        group.questions += 1
        group.replied += bool(question.helpers)
        group.confirmed += question.is_confirmed
        for waits, until in ((self._to_reply, question.replied), (self._to_confirmation, question.confirmed)):
            if (minutes := minutes_between(question.asked, until)) is not None:
                waits[group.name].append(minutes)

    def finished(self) -> list[PeriodStatistics]:
        """In order, with medians."""
        for name, group in self._groups.items():
            group.minutes_to_reply = _median(self._to_reply[name])
            group.minutes_to_confirmation = _median(self._to_confirmation[name])
        return [group for name, group in sorted(self._groups.items()) if name]


def period_start(period: str) -> Callable[[str], str]:
    """The first day of the period of a time; "" for none."""

    def start(time: str) -> str:
        if not time:
            return ""
        if period != "week":
            return time[:10] if period == "day" else f"{time[:7]}-01"
        day = date.fromisoformat(time[:10])
        return (day - timedelta(days=day.weekday())).isoformat()

    return start


def hour_of_day(time: str) -> str:
    return time[11:13]


def minutes_between(first: str | None, second: str | None) -> float | None:
    """None if one is unknown, if they are too far apart, or if only one of them has a time zone."""
    if not first or not second:
        return None
    try:
        minutes = (datetime.fromisoformat(second) - datetime.fromisoformat(first)).total_seconds() / 60
    except TypeError:
        return None
    return minutes if 0 <= minutes <= LONGEST_WAIT_MINUTES else None


def _median(minutes: list[float]) -> float | None:
    return round(median(minutes), 1) if minutes else None
