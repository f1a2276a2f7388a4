"""Plain search in an archive: conversations that have the words, filtered by person, channel and date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..text import words
from .archive import Archive, Kept

PASSAGES = 400


@dataclass(frozen=True, slots=True)
class Filters:
    """Only this person's messages, this channel's, from this day on, until that day (both included)."""

    person: str = ""
    channel: str = ""
    since: str = ""
    until: str = ""

    def clause(self) -> tuple[str, tuple[str, ...]]:
        """The condition and its values."""
        known = {
            "lower(m.author) = lower(?)": self.person,
            "lower(c.name) = lower(?)": self.channel,
            "m.time >= ?": self.since,
            "substr(m.time, 1, 10) <= ?": self.until,
        }
        used = {condition: value for condition, value in known.items() if value}
        return "".join(f" and {condition}" for condition in used), tuple(used.values())


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
    wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(query)))
    if not wanted:
        return []
    condition, values = (filters or Filters()).clause()
    rest = (
        "join words w on w.rowid = m.id where words match ? and m.kind <> 'system'"
        f"{condition} order by w.rank limit {int(count)}"
    )
    found = archive.kept(rest, (wanted, *values))
    return [(-rank, kept) for rank, kept in zip(_ranks(archive, wanted, [k.id for k in found]), found, strict=True)]


def _ranks(archive: Archive, wanted: str, ids: Sequence[int]) -> list[float]:
    with archive.guarded():
        rows = archive.connection.execute(
            f"select rowid, rank from words where words match ? and rowid in ({','.join(map(str, ids)) or 'null'})",
            (wanted,),
        ).fetchall()
    known = dict(rows)
    return [known[each] for each in ids]
