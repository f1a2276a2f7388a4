"""The messages of a day, stored and new, in one order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .alignment import Side
from .day_batches import Incoming


@dataclass(slots=True)
class StoredRow:
    """A message of the archive that what is added may be."""

    id: int
    day: int
    ordinal: int
    side: Side


def merged_day(
    new: Sequence[Incoming], old: Sequence[StoredRow], pairs: Mapping[int, int], date: str | None, inside: Sequence[int]
) -> list[tuple[int, bool]]:
    """The messages of a day in order, as (index, whether it is new): matched ones in place, others by time."""
    before: dict[int, list[int]] = defaultdict(list)  # stored message -> the new ones that come before it
    waiting: list[int] = []
    for i, each in enumerate(new):
        if i in pairs:
            if waiting:
                before[pairs[i]] += waiting
                waiting = []
        elif each.date == date:
            waiting.append(i)
    found: list[tuple[int, bool]] = []
    anchored = set(pairs.values())
    gap: list[int] = []
    for j in inside:
        if j in anchored:
            found += _interleaved(new, old, before.pop(j, []), gap, not found)
            found.append((j, False))
            gap = []
        else:
            gap.append(j)
    rest = [i for some in before.values() for i in some] + waiting
    return found + _interleaved(new, old, sorted(rest), gap, not found)


def _interleaved(
    new: Sequence[Incoming], old: Sequence[StoredRow], fresh: Sequence[int], gap: Sequence[int], is_start: bool
) -> list[tuple[int, bool]]:
    """New and stored messages between two matched ones, by time; stored ones first where it is the same."""
    found: list[tuple[int, bool]] = []
    waiting = list(zip(gap, _filled([old[j].side.when for j in gap], is_start), strict=True))
    for i, when in zip(fresh, _filled([new[i].message.time for i in fresh], is_start), strict=True):
        while waiting and when is not None and (waiting[0][1] is None or waiting[0][1] <= when):
            found.append((waiting.pop(0)[0], False))
        found.append((i, True))
    return found + [(j, False) for j, _ in waiting]


def _filled(times: Sequence[datetime | None], is_start: bool) -> list[datetime | None]:
    """Times in which a message without one has that of the message before, at the start of a day that of the next."""
    local = [when.replace(tzinfo=None) if when else None for when in times]
    last = next((when for when in local if when), None) if is_start else None
    found = []
    for when in local:
        last = when or last
        found.append(last)
    return found
