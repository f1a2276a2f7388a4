"""How the conversations that a search found are distributed: by person, channel and month."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

FACET_VALUES = 10  # of each facet, those with most conversations


class FoundRow(NamedTuple):
    """A message that matched, as far as grouping, sorting and counting need it."""

    id: int
    conversation: int
    time: str | None
    author: str
    channel: int
    score: float = 0.0


class FacetValue(NamedTuple):
    """A person, channel or month, and in how many conversations it was found."""

    value: str
    conversations: int


class Facets(NamedTuple):
    """The most frequent values; months in order, the latest first."""

    people: tuple[FacetValue, ...]
    channels: tuple[FacetValue, ...]
    months: tuple[FacetValue, ...]


def facets_of(rows: Sequence[FoundRow], channel_names: dict[int, str]) -> Facets:
    return Facets(
        _counted(rows, lambda row: row.author)[:FACET_VALUES],
        _counted(rows, lambda row: channel_names[row.channel])[:FACET_VALUES],
        tuple(sorted(_counted(rows, lambda row: (row.time or "")[:7]), reverse=True)),
    )


def _counted(rows: Iterable[FoundRow], value: Callable[[FoundRow], str]) -> tuple[FacetValue, ...]:
    """By number of conversations, then by name; what has no value (an undated message) is left out."""
    pairs = {(value(row), row.conversation) for row in rows}
    counts: dict[str, int] = {}
    for each, _ in pairs:
        if each:
            counts[each] = counts.get(each, 0) + 1
    return tuple(FacetValue(*pair) for pair in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
