"""Annotation layers of a chat: replies, conversations, people, intents.

Layers are stand-off: they point at positions and are never written into the messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Self, overload

from .chat import Chat, Message
from .relays import Relays
from .titles import TITLE_MESSAGES, conversation_title


@dataclass(frozen=True, slots=True, repr=False)
class ReplyGraph:
    """For each position, the positions it replies to.

    () is not annotated; a position that replies to itself, (i,), starts a conversation.
    `scores`, if given, has a probability for every parent.
    """

    parents: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[float, ...], ...] = ()

    @classmethod
    def of(cls, links: Iterable[tuple[int, int]], length: int) -> Self:
        """From pairs (reply, parent) in any order."""
        found: list[set[int]] = [set() for _ in range(length)]
        for one, other in links:
            found[max(one, other)].add(min(one, other))
        return cls(tuple(tuple(sorted(each)) for each in found))

    def links(self) -> tuple[tuple[int, int], ...]:
        """Every (reply, parent) pair, including self-links."""
        return tuple((child, parent) for child, parents in enumerate(self.parents) for parent in parents)

    def components(self) -> tuple[tuple[int, ...], ...]:
        """The connected components as positions, by first message; messages without annotation are alone."""
        root = list(range(len(self.parents)))
        for child, parent in self.links():
            one, other = _root(root, child), _root(root, parent)
            root[max(one, other)] = min(one, other)
        groups: dict[int, list[int]] = {}
        for position in range(len(root)):
            groups.setdefault(_root(root, position), []).append(position)
        return tuple(tuple(group) for group in groups.values())

    def conversations(self, chat: Chat) -> tuple[Conversation, ...]:
        """The conversations of the chat, numbered from 1 by their first message; system events alone are none.

        >>> from hubbub import Chat, Message
        >>> chat = Chat("tea", (Message("1", None, "ada", "milk?"), Message("2", None, "bo", "yes please")))
        >>> [conversation.participants for conversation in ReplyGraph(((0,), (0,))).conversations(chat)]
        [('ada', 'bo')]
        """
        found = (each for each in self.components() if any(chat[place].kind != "system" for place in each))
        return tuple(Conversation(number, chat, positions) for number, positions in enumerate(found, 1))

    def __repr__(self) -> str:
        return f"<ReplyGraph: {len(self.parents)} messages, {len(self.links())} links>"

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


@dataclass(frozen=True, slots=True, repr=False)
class Conversation(Sequence[Message]):
    """Messages that belong together. `number` counts from 1 within the chat, `positions` are those in the chat."""

    number: int
    chat: Chat
    positions: tuple[int, ...]

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, index: int | slice) -> Message | tuple[Message, ...]:
        if isinstance(index, slice):
            return tuple(self.chat[position] for position in self.positions[index])
        return self.chat[self.positions[index]]

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def messages(self) -> tuple[Message, ...]:
        return self[:]

    @property
    def participants(self) -> tuple[str, ...]:
        """Everybody who wrote in it, in order of first appearance."""
        return tuple(dict.fromkeys(each.author for each in self if each.kind != "system" and each.author))

    @property
    def start(self) -> datetime | None:
        """The time of the first message that has one."""
        return next((each.time for each in self if each.time is not None), None)

    @property
    def end(self) -> datetime | None:
        """The time of the last message that has one."""
        return next((each.time for each in reversed(self) if each.time is not None), None)

    @property
    def title(self) -> str:
        """What tells most of what the person who began says first; extracted, never made up."""
        opening = (each for each in self if each.kind != "system")
        return conversation_title([(each.author, each.text) for each in islice(opening, TITLE_MESSAGES)])

    def __repr__(self) -> str:
        return f"<Conversation {self.number}: {self.title!r}, {len(self)} messages>"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is addressed or mentioned. A relation is a pair such as ("mother of", id of the other person)."""

    id: str
    names: tuple[str, ...] = ()
    gender: str = ""
    relations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a message's text that refers to a person."""

    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """The people a mention refers to: several for "they", () if unknown."""

    mention: Mention
    people: tuple[str, ...] = ()
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message asks for. Out of scope: name is None; score and ranking are still given.

    `score` is the probability that the message is in scope, `ranking` has those of the best intents.
    """

    position: int
    name: str | None
    score: float
    ranking: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A candidate reply, its score, and where it comes from."""

    text: str
    score: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class Layers:
    """All layers of one chat. `relays` comes from reading: which messages a bridge relayed, and how."""

    replies: ReplyGraph | None = None
    people: tuple[Person, ...] = ()
    links: tuple[Link, ...] = ()
    intents: tuple[Intent, ...] = ()
    answers: tuple[Reply, ...] = field(default=())
    relays: Relays = field(default_factory=Relays, hash=False)
