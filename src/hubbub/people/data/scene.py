"""The input of the task: a Scene; and its gold labels: a Key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from ...chat import Chat
from ...layers import Link, Mention, Person, ReplyGraph
from ...text import Span
from ..features.names import person_of

SPEAKER_SEPARATOR = ", "  # what parts the names of several people who say one thing at once


@dataclass(frozen=True, slots=True)
class Scene:
    """A chat, the candidate people, and the mentions to link; None if mentions are to be detected first.

    `episode` names the larger unit that a scene belongs to. `tokens` are the token spans of each message where the file
    has tokens, else ().
    """

    chat: Chat
    cast: tuple[Person, ...] = ()
    mentions: tuple[Mention, ...] | None = None
    episode: str = ""
    replies: ReplyGraph | None = None
    tokens: tuple[tuple[Span, ...], ...] = ()

    def text(self, mention: Mention) -> str:
        return self.chat[mention.position].text[mention.start : mention.end]

    def unmarked(self) -> Scene:
        """The same scene with its mentions to be found, and no word boundaries but those of the text."""
        return replace(self, mentions=None, tokens=())


@dataclass(frozen=True, slots=True)
class Key(Sequence[Link]):
    """Who is meant by each mention, and what scoring has to know besides.

    `kinds` are the kinds of the mentions, `main` are the people who count by name in the Main scores. A person who is
    not among the `known`, those whom the training part has, counts as one of the others; None is everybody.
    """

    links: tuple[Link, ...]
    kinds: tuple[str, ...]
    main: frozenset[str]
    known: frozenset[str] | None = None

    @overload
    def __getitem__(self, place: int) -> Link: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Link, ...]: ...
    def __getitem__(self, place: int | slice) -> Link | tuple[Link, ...]:
        return self.links[place]

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)


def speakers(author: str) -> list[str]:
    """Everybody who says a message: mostly one, several where a transcript joins them by commas."""
    return [name for name in author.split(SPEAKER_SEPARATOR) if name]


def cast_of(chat: Chat, given: Sequence[Person] = ()) -> tuple[Person, ...]:
    """The people given and every participant who is none of them; renames make one person of several names.

    Relations are to any of them, by id or by name.
    """
    known = {name.casefold() for person in given for name in (person.id, *person.names)}
    aliases = chat.aliases()
    chains = dict.fromkeys(aliases.names(name) for author in chat.authors() for name in speakers(author))
    others = [Person(chain[0], chain) for chain in chains if not known & {name.casefold() for name in chain}]
    called = person_of((*given, *others))
    return (*(_related(person, called) for person in given), *others)


def _related(person: Person, called: Mapping[str, str]) -> Person:
    relations = tuple((relation, called.get(other.casefold(), other)) for relation, other in person.relations)
    return replace(person, relations=relations)


def unrelated(cast: Sequence[Person]) -> list[str]:
    """The relations of a cast that are to nobody in it."""
    ids = {person.id for person in cast}
    return [f"{relation} {other}" for person in cast for relation, other in person.relations if other not in ids]


def scene_of(chat: Chat, cast: Sequence[Person] = ()) -> Scene:
    """A plain chat as a scene whose mentions are to be found, with its participants in the cast."""
    return Scene(chat, cast_of(chat, cast), episode=chat.name)
