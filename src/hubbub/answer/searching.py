"""Plain search in an archive: conversations that have the words, filtered by person, channel and date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from ..text import words
from .archive import Archive, Kept

Condition = tuple[str, tuple[str, ...]]

PASSAGES = 400
MOST_WORDS, COMMON_SHARE, FEW = 12, 0.04, 100


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
    ranked = by_words(archive, wanted, count, (filters or Filters()).clause())
    found = {kept.id: kept for kept in archive.kept(f"where m.id in ({','.join(str(id) for id, _, _ in ranked)})")}
    return [(score, found[id]) for id, _, score in ranked]


def by_words(archive: Archive, wanted: str, count: int, condition: Condition) -> list[tuple[int, int, float]]:
    """(message, conversation, BM25) of what matches and is allowed by a condition, best first; no system lines."""
    allowed, values = condition
    return archive.rows(
        "select m.id, m.conversation, -w.rank from words w join messages m on m.id = w.rowid"
        " join chats c on c.id = m.chat where words match ? and m.kind <> 'system' and m.conversation is not null"
        f"{allowed} order by w.rank limit {int(count)}",
        (wanted, *values),
    )


class Words:
    """The words of a question that tell something: as a query, how much each weighs, and which messages have it."""

    def __init__(self, found: Sequence[tuple[str, float, frozenset[int]]]) -> None:
        self.query = _any_of(word for word, _, _ in found)
        self._bits = [(1 << place, ids) for place, (_, _, ids) in enumerate(found)]
        self._weights = [weight for _, weight, _ in found]
        self._shares: dict[int, float] = {0: 0.0}

    def of(self, id: int) -> int:
        """Which of the words a message has, a bit a word."""
        return sum(bit for bit, ids in self._bits if id in ids)

    def share(self, found: int) -> float:
        """How much of the weight of all words those have that were found."""
        if found not in self._shares:
            has = sum(weight for place, weight in enumerate(self._weights) if found >> place & 1)
            self._shares[found] = has / sum(self._weights)
        return self._shares[found]


def telling_words(archive: Archive, question: str) -> Words:
    """The rarest words of a question. Those in many messages say little and are left out, if there are others."""
    total = archive.last()
    counts = {
        word: archive.rows("select count(*) from words where words match ?", (_any_of([word]),))[0][0]
        for word in dict.fromkeys(words(question))
    }
    rarest = sorted((count, word) for word, count in counts.items() if count)[:MOST_WORDS]
    few = [(count, word) for count, word in rarest if count <= max(COMMON_SHARE * total, FEW)] or rarest[:2]
    return Words([(word, log(1 + total / count), _having(archive, word)) for count, word in few])


def _having(archive: Archive, word: str) -> frozenset[int]:
    return frozenset(id for (id,) in archive.rows("select rowid from words where words match ?", (_any_of([word]),)))


def _any_of(listed: Iterable[str]) -> str:
    return " OR ".join(f'"{word}"' for word in listed)
