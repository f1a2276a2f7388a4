"""Names as people write them: their words, their variants, and whom an author's name belongs to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from ...layers import Person
from .person_words import PERSONAL, TITLES, word_set

_WORDS = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_TRIMMINGS = re.compile(r"^[\W_]+|[\d_\W]+$")
MIN_NAME_LETTERS = 3  # shorter ones are words such as "al" more often than names
_NO_NAMES = PERSONAL | TITLES | word_set("the of and a an in at from with old young little big fake")


T = TypeVar("T")
People = tuple[Person, ...]


def cached_per_cast(make: Callable[[People], T]) -> Callable[[People], T]:
    """Caches the result for the last cast, compared by identity: comparing a large cast by its contents is slow."""
    last: list[tuple[People, T]] = []

    def kept(cast: People) -> T:
        if not last or last[0][0] is not cast:
            last[:] = [(cast, make(cast))]
        return last[0][1]

    return kept


def stripped_nick(name: str) -> str:
    """A nick without what people hang on it: signs before, digits, underscores and signs behind."""
    return _TRIMMINGS.sub("", name) or name


def name_words(names: Iterable[str]) -> frozenset[str]:
    """The words in names that mean that very person, in small letters: no titles, no nouns such as "woman"."""
    found = {word for name in names for word in _own(name)}
    return frozenset(word for word in found if word not in _NO_NAMES and len(word) > 1)


def _own(name: str) -> Iterable[str]:
    """The words of a name that identify the person; a name such as "Ada's teacher" has none.

    Of a nick such as "otto|bus" it is the first word; the others carry a status or nothing.
    """
    low = name.casefold()
    if " " in low:
        return () if "'s " in low or "’s " in low else (low, stripped_nick(low), *_WORDS.findall(low))
    return (low, *(part for part in (stripped_nick(low), *_WORDS.findall(low)[:1]) if len(part) >= MIN_NAME_LETTERS))


def odd_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names without spaces that are no plain word, such as nicks with digits or signs in them."""
    return tuple(sorted({name for name in names if not name.isalpha() and " " not in name and len(name) > 1}))


def person_of(cast: Sequence[Person]) -> Mapping[str, str]:
    """Name in small letters -> id of the only person who has it, whole names and ids before single words of them."""
    whole, parts = dict[str, set[str]](), dict[str, set[str]]()
    for person in cast:
        for name in (person.id, *person.names):
            whole.setdefault(name.casefold(), set()).add(person.id)
        for word in name_words(person.names):
            parts.setdefault(word, set()).add(person.id)
    return {name: next(iter(ids)) for name, ids in (parts | whole).items() if len(ids) == 1}
