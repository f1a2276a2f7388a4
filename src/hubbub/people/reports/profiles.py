"""One person in a chat: who has a name, where that person is meant, and by what words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from ...chat import Chat
from ...errors import OptionError, UnknownPerson
from ...layers import Layers, Link, Person
from ..data.mentions import kind_of
from ..data.scene import speakers
from ..features.names import name_words, stripped_nick
from ..features.person_words import PERSONAL

ReferenceType = Literal["name", "nickname", "pronoun", "noun"]
REFERENCE_TYPES: tuple[ReferenceType, ...] = ("name", "nickname", "pronoun", "noun")
MAX_SUGGESTIONS = 6  # names that an error lists


@dataclass(frozen=True, slots=True)
class PersonMention:
    """A mention of a person: who says it, in what words, and what kind of words these are."""

    link: Link
    author: str
    words: str
    way: ReferenceType


@dataclass(frozen=True, slots=True)
class PersonProfile:
    """A person in a chat: every mention, in order."""

    chat: Chat
    person: Person
    mentions: tuple[PersonMention, ...]

    def ways(self) -> dict[ReferenceType, Counter[str]]:
        """How often which words were used, kind by kind."""
        found = {
            way: Counter(each.words.lower() for each in self.mentions if each.way == way) for way in REFERENCE_TYPES
        }
        return {way: counts for way, counts in found.items() if counts}

    def records(self) -> Iterable[dict[str, Any]]:
        """First what there is of the person, then every mention."""
        ways: dict[str, Any] = {way: dict(counts.most_common()) for way, counts in self.ways().items()}
        names = list(self.person.names)
        yield {"person": self.person.id, "names": names, "chat": self.chat.name, "mentions": len(self.mentions), **ways}
        for each in self.mentions:
            place, message = each.link.mention, self.chat[each.link.mention.position]
            record = {"author": each.author, "mention": each.words, "way": each.way, "score": each.link.score}
            yield {"position": place.position, "start": place.start, "end": place.end, **record, "text": message.text}


def person_profile(chat: Chat, layers: Layers, person: Person) -> PersonProfile:
    found = [link for link in layers.links if person.id in link.people]
    return PersonProfile(chat, person, tuple(_person_mention(chat, link, person) for link in found))


def _person_mention(chat: Chat, link: Link, person: Person) -> PersonMention:
    words = words_of(chat, link)
    return PersonMention(link, chat[link.mention.position].author, words, reference_type(words, person))


def words_of(chat: Chat, link: Link) -> str:
    return chat[link.mention.position].text[link.mention.start : link.mention.end]


def reference_type(words: str, person: Person | None) -> ReferenceType:
    """How words call a person: by the first of the names or a part of it, by another name, a pronoun, or a noun."""
    if kind_of(words) not in ("name", "noun"):
        return "pronoun"
    low = " ".join(words.casefold().split())
    first = [person.id, *person.names[:1]] if person else []
    if low in {name.casefold() for name in first} | name_words(first):
        return "name"
    known = {name.casefold() for name in person.names} if person else set()
    return "noun" if low not in known and low.split()[-1:] and low.split()[-1] in PERSONAL else "nickname"


def is_self_evident(chat: Chat, link: Link, people: Mapping[str, Person]) -> bool:
    """Whether the words alone identify the person: a speaker's "I", or the name."""
    words, author = words_of(chat, link), chat[link.mention.position].author
    if len(link.people) != 1 or not (person := people.get(link.people[0])):
        return False
    if kind_of(words) == "first":
        return bool({name.casefold() for name in (person.id, *person.names)} & set(map(str.casefold, speakers(author))))
    return reference_type(words, person) == "name"


def person_named(name: str, cast: Sequence[Person], where: str) -> Person:
    """The person who has that name, whole or a word of it, in whatever letters."""
    normalized = " ".join(name.casefold().split())
    for names_of in (_ids, _names, _variants):
        found = [person for person in cast if normalized in names_of(person)]
        if len(found) > 1:
            ids = ", ".join(person.id for person in found[:MAX_SUGGESTIONS])
            raise OptionError("--who", name, f"several people have that name: say which of {ids}")
        if found:
            return found[0]
    known = {each: person for person in cast for each in (*_ids(person), *_names(person), *_variants(person))}
    near = dict.fromkeys(known[each].id for each in get_close_matches(normalized, known, MAX_SUGGESTIONS, 0.6))
    raise UnknownPerson(name, where, list(near), len(cast))


def _ids(person: Person) -> set[str]:
    return {person.id.casefold()}


def _names(person: Person) -> set[str]:
    return {name.casefold() for name in person.names}


def _variants(person: Person) -> set[str]:
    return {stripped_nick(name) for name in _names(person)} | name_words(person.names)
