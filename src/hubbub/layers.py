"""What is laid over a chat. Layers stand off: they point at positions and are never written into the messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from .chat import Chat
from .relays import Relays


@dataclass(frozen=True, slots=True)
class ReplyGraph:
    """For each position, the positions it answers: () is not judged, (i,) itself starts a conversation.

    `scores`, if given, has a probability for every parent.
    """

    parents: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[float, ...], ...] = ()

    @classmethod
    def of(cls, links: Iterable[tuple[int, int]], length: int) -> Self:
        """From pairs (answer, answered) in any order."""
        found: list[set[int]] = [set() for _ in range(length)]
        for one, other in links:
            found[max(one, other)].add(min(one, other))
        return cls(tuple(tuple(sorted(each)) for each in found))

    def links(self) -> tuple[tuple[int, int], ...]:
        """Every (answer, answered) pair, self-links included."""
        return tuple((child, parent) for child, parents in enumerate(self.parents) for parent in parents)

    def conversations(self) -> tuple[tuple[int, ...], ...]:
        """The connected messages, each conversation in order, ordered by their first message; unjudged ones too."""
        root = list(range(len(self.parents)))
        for child, parent in self.links():
            one, other = _root(root, child), _root(root, parent)
            root[max(one, other)] = min(one, other)
        groups: dict[int, list[int]] = {}
        for position in range(len(root)):
            groups.setdefault(_root(root, position), []).append(position)
        return tuple(tuple(group) for group in groups.values())

    def spoken(self, chat: Chat) -> list[tuple[int, tuple[int, ...]]]:
        """The conversations in which somebody says something, numbered from 1 in the order of their first messages."""
        found = (each for each in self.conversations() if any(chat[place].kind != "system" for place in each))
        return list(enumerate(found, 1))

    def rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = [{"position": i, "parents": list(p)} for i, p in enumerate(self.parents) if p]
        if self.scores:
            for row in rows:
                row["scores"] = list(self.scores[row["position"]])
        return rows

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]], length: int) -> Self:
        parents: list[tuple[int, ...]] = [()] * length
        scores: list[tuple[float, ...]] = [()] * length
        for row in rows:
            parents[row["position"]] = tuple(row["parents"])
            scores[row["position"]] = tuple(row.get("scores", ()))
        return cls(tuple(parents), tuple(scores) if any(scores) else ())


def _root(root: list[int], position: int) -> int:
    while root[position] != position:
        root[position] = root[root[position]]
        position = root[position]
    return position


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is talked to or about. A relation is such as ("mother of", the id of another person)."""

    id: str
    names: tuple[str, ...] = ()
    gender: str = ""
    relations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a message's text that means a person."""

    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """Who a mention means: several for "they", nobody known for ()."""

    mention: Mention
    people: tuple[str, ...] = ()
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message wants; out of scope is name None, with its score and ranking kept.

    `score` is the probability that the message is in scope, `ranking` has those of the best intents.
    """

    position: int
    name: str | None
    score: float
    ranking: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that fits, how well, and where it was once said."""

    text: str
    score: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class Layers:
    """Everything laid over one chat so far. `relays` is made by reading: which messages a bridge brought, and how."""

    replies: ReplyGraph | None = None
    people: tuple[Person, ...] = ()
    links: tuple[Link, ...] = ()
    intents: tuple[Intent, ...] = ()
    answers: tuple[Reply, ...] = field(default=())
    relays: Relays = field(default_factory=Relays, hash=False)
