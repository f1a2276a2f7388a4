"""A cast made ready for looking people up: by names, by nouns in names, by what they are to each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...layers import Person
from .gender import person_gender
from .names import cached_per_cast, name_words, stripped_nick
from .person_words import PERSONAL
from .relations import INVERSE_RELATION, DeclaredRelations, declared_relations, relation_of

_SEVERAL = re.compile(r",| and ")
_OWNED = re.compile(r"(.+?)['’]s? (\S+)$")


@dataclass(frozen=True, slots=True)
class NameIndex:
    whole: Mapping[str, tuple[str, ...]]  # a name or id in small letters -> who has it
    part: Mapping[str, tuple[str, ...]]  # a word of a name -> who has it
    noun: Mapping[str, tuple[str, ...]]  # the noun of a name such as "Nurse" or "Ada's boss" -> who has it
    words: Mapping[str, tuple[str, ...]]  # id -> the words of the names
    beginning: Mapping[str, tuple[str, ...]]  # a letter -> the words of names that begin with it
    gender: Mapping[str, float]
    relations: DeclaredRelations


@cached_per_cast
def name_index(people: tuple[Person, ...]) -> NameIndex:
    whole, part, noun = (dict[str, dict[str, None]]() for _ in range(3))
    words: dict[str, tuple[str, ...]] = {}
    for person in people:
        names = [name for name in (*person.names, stripped_nick(person.id)) if not _SEVERAL.search(name)]
        words[person.id] = tuple(sorted(name_words(names)))
        for name in (person.id, *person.names):
            whole.setdefault(name.casefold(), {})[person.id] = None
        for word in words[person.id]:
            part.setdefault(word, {})[person.id] = None
        # People who are called by a noun, such as "the teacher".
        for word in (stripped_nick(name.casefold().split()[-1]) for name in names if name.split()):
            if word in PERSONAL:
                noun.setdefault(word, {})[person.id] = None
    relations = {key: list(found) for key, found in declared_relations(people).items()}
    for key, found in _named_relations(people, {name: list(ids) for name, ids in (part | whole).items()}):
        relations.setdefault(key, []).append(found)
    gender = {person.id: person_gender(person) for person in people}
    # By first letter, so that short forms are compared with few names.
    beginning: dict[str, dict[str, None]] = {}
    for word in part:
        beginning.setdefault(word[0], {})[word] = None
    return NameIndex(_fixed(whole), _fixed(part), _fixed(noun), words, _fixed(beginning), gender, relations)


def _fixed(found: Mapping[str, Mapping[str, None]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(ids) for name, ids in found.items()}


def _named_relations(
    people: tuple[Person, ...], named: Mapping[str, list[str]]
) -> Iterator[tuple[tuple[str, str], tuple[str, int]]]:
    """Relations in names: "Ada's teacher" is the teacher of Ada, if only one person has that name."""
    for person in people:
        for found in filter(None, map(_OWNED.match, person.names)):
            owners, relation = named.get(found[1].casefold(), []), relation_of(found[2])
            if relation and len(owners) == 1:
                yield (owners[0], relation[0]), (person.id, relation[1])
                yield (person.id, INVERSE_RELATION[relation[0]]), (owners[0], 0)
