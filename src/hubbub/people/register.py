"""A cast made ready for looking people up by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..layers import Person
from .gender import person_gender
from .kin import Declared, declared
from .names import name_words, trimmed


@dataclass(frozen=True, slots=True)
class Register:
    """A cast made ready for looking people up."""

    whole: Mapping[str, tuple[str, ...]]  # a name or id in small letters -> who has it
    part: Mapping[str, tuple[str, ...]]  # a word of a name -> who has it
    words: Mapping[str, tuple[str, ...]]  # id -> the words of the names
    gender: Mapping[str, float]
    relations: Declared


@lru_cache(maxsize=16)
def register_of(people: tuple[Person, ...]) -> Register:
    whole, part = dict[str, dict[str, None]](), dict[str, dict[str, None]]()
    words: dict[str, tuple[str, ...]] = {}
    for person in people:
        for name in (person.id, *person.names):
            whole.setdefault(name.casefold(), {})[person.id] = None
        words[person.id] = tuple(sorted(name_words((*person.names, trimmed(person.id)))))
        for word in words[person.id]:
            part.setdefault(word, {})[person.id] = None
    return Register(
        {name: tuple(ids) for name, ids in whole.items()},
        {word: tuple(ids) for word, ids in part.items()},
        words,
        {person.id: person_gender(person) for person in people},
        declared(people),
    )
