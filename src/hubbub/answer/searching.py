"""Plain search in an archive: conversations that have the words, filtered by person, channel and date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..text import words
from .archive import Archive, Kept

Condition = tuple[str, tuple[str, ...]]

PASSAGES = 400


@dataclass(frozen=True, slots=True)
class Filters:
    """Only this person's messages, this channel's, from this day on, until that day (both included)."""

    person: str = ""
    channel: str = ""
    since: str = ""
    until: str = ""

    def clause(self) -> Condition:
        """The condition and its values."""
        known = {
            "lower(m.author) = lower(?)": self.person,
            "lower(c.name) = lower(?)": self.channel,
            "m.time >= ?": self.since,
            "substr(m.time, 1, 10) <= ?": self.until,
        }
        used = {condition: value for condition, value in known.items() if value}
        return "".join(f" and {condition}" for condition in used), tuple(used.values())

    def conversations(self) -> Condition:
        """The condition that such a message is in the same conversation, and its values."""
        condition, values = self.clause()
        inner = f"select m.conversation from messages m join chats c on c.id = m.chat where true{condition}"
        return (f" and m.conversation in ({inner})", values) if values else ("", ())


@dataclass(frozen=True, slots=True)
class Hit:
    """A conversation, its messages that were found, best first, and how well they fit."""

    conversation: int
    score: float
    found: tuple[Kept, ...]


def search(archive: Archive, query: str, count: int = 10, filters: Filters | None = None) -> list[Hit]:
    """The conversations whose messages have the words, those with the rarest and the most of them first."""
    scored = matches(archive, query, PASSAGES, filters)
    grouped: dict[int, list[tuple[float, Kept]]] = {}
    for score, kept in scored:
        if kept.conversation is not None:
            grouped.setdefault(kept.conversation, []).append((score, kept))
    hits = [Hit(number, _worth(found), tuple(kept for _, kept in found)) for number, found in grouped.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.conversation))[:count]


def _worth(found: Sequence[tuple[float, Kept]]) -> float:
    """The best message counts whole, each further one half of the one before."""
    return sum(score * 0.5**place for place, (score, _) in enumerate(found))


def matches(archive: Archive, query: str, count: int, filters: Filters | None = None) -> list[tuple[float, Kept]]:
    """Messages with any of the words and their BM25 scores, best first."""
    wanted = _any_of(dict.fromkeys(words(query)))
    if not wanted:
        return []
    condition, values = (filters or Filters()).clause()
    ranked = archive.rows(
        "select m.id, -w.rank from words w join messages m on m.id = w.rowid join chats c on c.id = m.chat"
        " where words match ? and m.kind <> 'system' and m.conversation is not null"
        f"{condition} order by w.rank limit {int(count)}",
        (wanted, *values),
    )
    found = {kept.id: kept for kept in archive.kept(f"where m.id in ({','.join(str(id) for id, _ in ranked)})")}
    return [(score, found[id]) for id, score in ranked]


def _any_of(listed: Iterable[str]) -> str:
    return " OR ".join(f'"{word}"' for word in listed)
