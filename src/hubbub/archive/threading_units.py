"""Units of threading: the days of a channel that a model reads in one run.

Conversations must not depend on the order in which logs are added. So a model does not go on from where it stopped, but
reads each unit from a fresh start, after the WARM_UP messages before it, and a unit is read again whenever it, or what
is before it, has changed. Units are parts of the calendar: the largest of year, month, ten days and day that has at
most LIMIT messages, because reading the messages before costs much for units that are small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

LIMIT = 5_000
WARM_UP = 500


def named_units(sizes: Mapping[str, int]) -> dict[str, str]:
    """Date -> the name of its unit, from date -> number of messages."""
    totals: Counter[str] = Counter()
    for day, size in sizes.items():
        for name in _names(day)[:-1]:
            totals[name] += size
    return {day: next((name for name in _names(day)[:-1] if totals[name] <= LIMIT), day) for day in sizes}


def _names(day: str) -> tuple[str, ...]:
    return day[:4], day[:7], f"{day[:7]} part {min((int(day[8:]) - 1) // 10, 2) + 1}", day


def affected(sizes: Mapping[str, int], changed: set[str], known: Mapping[str, str | None]) -> list[list[str]]:
    """The units that must be threaded, each as its dates: those that changed, and those whose warm-up did.

    `known` has the unit under which each date was threaded the last time.
    """
    names = named_units(sizes)
    units: dict[str, list[str]] = {}
    for day in sorted(sizes):
        units.setdefault(names[day], []).append(day)
    found = []
    since_change = WARM_UP  # messages since the last day that changed
    for name, listed in units.items():
        if since_change < WARM_UP or any(day in changed or known.get(day) != name for day in listed):
            found.append(listed)
        for day in listed:
            since_change = 0 if day in changed else since_change + sizes[day]
    return found
