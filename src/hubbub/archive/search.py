"""Plain search in an archive: conversations that have the words, filtered by person, channel and date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..text import words
from .store import ArchiveStore, StoredMessage

Condition = tuple[str, dict[str, str]]

PASSAGES = 400


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Only this person's messages, this channel's, from this day on, until that day (both included)."""

    person: str = ""
    channel: str = ""
    since: str = ""
    until: str = ""

    def clause(self) -> Condition:
        """The condition and its values."""
        known = {
            "lower(m.author) = lower(:person)": ("person", self.person),
            "lower(c.name) = lower(:channel)": ("channel", self.channel),
            "m.time >= :since": ("since", self.since),
            "substr(m.time, 1, 10) <= :until": ("until", self.until),
        }
        used = {condition: given for condition, given in known.items() if given[1]}
        return "".join(f" and {condition}" for condition in used), dict(used.values())

    def conversations(self) -> Condition:
        """The condition that such a message is in the same conversation, and its values."""
        condition, values = self.clause()
        inner = f"select m.conversation_id from messages m join channels c on c.id = m.channel_id where true{condition}"
        return (f" and m.conversation_id in ({inner})", values) if values else ("", {})


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A conversation, its messages that were found, best first, and how well they fit."""

    conversation: int
    score: float
    found: tuple[StoredMessage, ...]

    @property
    def conversation_id(self) -> str:
        """The permanent id, as people see it."""
        return self.found[0].conversation_id


def search(archive: ArchiveStore, query: str, count: int = 10, filters: SearchFilters | None = None) -> list[SearchHit]:
    """The conversations whose messages have the words, those with the rarest and the most of them first."""
    scored = matches(archive, query, PASSAGES, filters)
    grouped: dict[int, list[tuple[float, StoredMessage]]] = {}
    for score, kept in scored:
        if kept.conversation is not None:
            grouped.setdefault(kept.conversation, []).append((score, kept))
    hits = [SearchHit(number, _worth(found), tuple(kept for _, kept in found)) for number, found in grouped.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.conversation))[:count]


def _worth(found: Sequence[tuple[float, StoredMessage]]) -> float:
    """The best message counts whole, each further one half of the one before."""
    return sum(score * 0.5**place for place, (score, _) in enumerate(found))


def matches(
    archive: ArchiveStore, query: str, count: int, filters: SearchFilters | None = None
) -> list[tuple[float, StoredMessage]]:
    """Messages with any of the words and their BM25 scores, best first."""
    wanted = list(dict.fromkeys(words(query)))
    if not wanted:
        return []
    condition, values = (filters or SearchFilters()).clause()
    said = f"and m.kind <> 'system' and m.conversation_id is not null{condition}"
    with archive.guarded():
        ranked = archive.engine.ranked(wanted, said, values, count)
    found = archive.by_ids(id for id, _ in ranked)
    return [(score, found[id]) for id, score in ranked]
