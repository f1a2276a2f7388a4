"""Names of people in texts: where they stand, and which of them may be ordinary words instead.

A name is compared without regard to case and without marks around it, so that `<ada>`, `@Ada`, `ada's` and `ada_` are
found and `adamant` is not. A name that is also a word, such as "will", counts only where it is certain to be a name,
and so does one word of a name of several, such as "Ruth" of "Ruth Miller".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from ...addressing import COMMON_WORDS, MIN_LATER_RATIO, MIN_LATER_USES, MIN_NAME_LENGTH
from .name_places import DETERMINER, LONGEST_DETERMINER, NAME_WORDS, SURNAMES, UNCALLED, is_surely_name, is_surely_part

MAX_WORDS_OF_NAME = 6  # bounds the candidates that start at a word; longer names are found by no other means
DETERMINED_SHARE = 0.1  # of uses after an article; names have next to none, nouns far more
NICK_MARKS = "-[]\\`^{}|"  # characters of IRC names that are no letters or digits

_WORD = re.compile(r"\w+")
_REST_OF_ADDRESS = re.compile(r"@[\w-]+(?:\.[\w-]+)+")
_EDGES = re.compile(r"\A\W+|\W+\Z")


class NameKind(Enum):
    """What is sought: a name; a name that is a word too; one word of a name; such a word that is a word too, or that
    somebody else has in a name; the name of somebody else, which is passed over."""

    NAME = auto()
    WORD = auto()
    PART = auto()
    PART_WORD = auto()
    SHARED = auto()
    OTHER = auto()


class NameSpan(NamedTuple):
    """Where a name stands; `is_certain` is False where it may be an ordinary word or somebody else."""

    start: int
    end: int
    core: str
    is_certain: bool


def core_of(name: str) -> str:
    """A name as it is compared: in small letters, without marks at its ends; "" if it consists of marks."""
    return _EDGES.sub("", name).casefold()


def parts_of(name: str) -> tuple[str, ...]:
    """The words of a name of several words by which its owner may be called, as cores."""
    cores = [core_of(word) for word in name.split()]
    return tuple(core for core in cores if _is_call_name(core)) if len(cores) > 1 else ()


def _is_call_name(core: str) -> bool:
    is_long = sum(map(str.isalpha, core)) >= MIN_NAME_LENGTH
    return is_long and (core in NAME_WORDS or core not in COMMON_WORDS | UNCALLED)


def is_call_word(core: str) -> bool:
    """Whether one word of a name is a word too, as far as can be said without seeing how it is used."""
    return core in NAME_WORDS or core in SURNAMES


def words_in(names: Iterable[str]) -> set[str]:
    """All words of names, in small letters."""
    return {word for name in names for word in _WORD.findall(name.casefold())}


def words_of(core: str) -> int:
    return len(_WORD.findall(core))


def most_words_of(cores: Iterable[str]) -> Callable[[str], int]:
    """How many words the longest of these names has that starts with a word."""
    found: dict[str, int] = {}
    for core in cores:
        words = _WORD.findall(core)
        found[words[0]] = max(found.get(words[0], 1), len(words))
    return lambda first: found.get(first, 1)


def is_common(core: str) -> bool:
    """Whether a name is a word, as far as can be said without seeing how it is used."""
    return len(core) < MIN_NAME_LENGTH or core.isdecimal() or core in COMMON_WORDS or core in NAME_WORDS


class NameFinder:
    """Finds names in texts.

    `kind_of` says of a core what it is, and None if it is not sought. `most_words` is how many words a name may have
    that starts with a word, in small letters. `is_other` says whether a longer run of characters that has a name
    inside, such as `ada|work`, is the name of somebody else.
    """

    def __init__(
        self,
        kind_of: Callable[[str], NameKind | None],
        most_words: Callable[[str], int] = lambda first: 1,
        is_other: Callable[[str], bool] | None = None,
    ) -> None:
        self._kind_of, self._is_other, self._most_words = kind_of, is_other, most_words

    def find(self, text: str) -> Iterator[NameSpan]:
        """Names in order; where names overlap, the longest."""
        words = list(_WORD.finditer(text))
        place = 0
        while place < len(words):
            start = words[place].start()
            most = min(self._most_words(words[place][0].casefold()), MAX_WORDS_OF_NAME)
            ends = [word.end() for word in words[place : place + most]]
            count = next((n for n in range(len(ends), 0, -1) if self._sought(text[start : ends[n - 1]]) is not None), 0)
            if count:
                end = ends[count - 1]
                core = text[start:end].casefold()
                kind = self._sought(core)
                if kind not in (None, NameKind.OTHER) and not self._belongs_to_other(text, start, end):
                    is_certain = _is_certain(kind, text, start, end)
                    if address := _REST_OF_ADDRESS.match(text, end):
                        end, is_certain = address.end(), kind is not NameKind.SHARED
                    yield NameSpan(start, end, core, is_certain)
            place += count or 1

    def _sought(self, candidate: str) -> NameKind | None:
        """People append underscores to a name that is taken."""
        core = candidate.casefold()
        found = self._kind_of(core)
        if found is None and core.endswith("_"):
            found = self._kind_of(core.rstrip("_"))
            if found is not None and self._is_other and self._is_other(core):
                return None
        return found

    def _belongs_to_other(self, text: str, start: int, end: int) -> bool:
        if self._is_other is None:
            return False
        first, last = start, end
        while first and (text[first - 1] in NICK_MARKS or text[first - 1].isalnum()):
            first -= 1
        while last < len(text) and (text[last] in NICK_MARKS or text[last].isalnum()):
            last += 1
        run = core_of(text[first:last])
        return run != text[start:end].casefold() and self._is_other(run)


def _is_certain(kind: NameKind | None, text: str, start: int, end: int) -> bool:
    if kind in (NameKind.PART, NameKind.PART_WORD):
        return is_surely_part(text, start, end, is_word=kind is NameKind.PART_WORD)
    return kind is NameKind.NAME or (kind is NameKind.WORD and is_surely_name(text, start, end))


class NameUses:
    """How names are used in texts, which tells names from words."""

    def __init__(self) -> None:
        self.addressed, self.inside, self.determined = Counter[str](), Counter[str](), Counter[str]()
        self.lower = Counter[str]()

    def count(self, text: str, spans: Iterable[NameSpan]) -> None:
        for each in spans:
            mark = text[each.end : each.end + 1]
            if not text[: each.start].strip("@<> ") and mark in (":", ","):
                self.addressed[each.core] += 1
            else:
                self.inside[each.core] += 1
                before = text[max(0, each.start - LONGEST_DETERMINER) : each.start]
                self.determined[each.core] += bool(DETERMINER.search(before))
                self.lower[each.core] += text[each.start].islower()

    def is_never_addressed(self, core: str) -> bool:
        """Whether a name of letters occurs only inside texts."""
        return core.isalpha() and not self.addressed[core]

    def is_word(self, core: str) -> bool:
        """Whether a name of letters alone is mostly used as a word, or often follows an article."""
        if is_common(core):
            return True
        if not core.isalpha():
            return False
        return self._is_noun(core) or self.inside[core] > max(MIN_LATER_USES, MIN_LATER_RATIO * self.addressed[core])

    def is_part_word(self, core: str) -> bool:
        """Whether one word of a name is a word too: by a list, often after an article, or mostly in small letters."""
        is_lower = 2 * self.lower[core] > self.inside[core]
        return is_call_word(core) or is_lower or self._is_noun(core)

    def _is_noun(self, core: str) -> bool:
        determined = self.determined[core]
        return determined > 0 and determined >= DETERMINED_SHARE * self.inside[core]

    def kinds(self, cores: Iterable[str], parts: Iterable[str], shared: Collection[str] = ()) -> dict[str, NameKind]:
        """What names and words of names are, by their uses; `shared` are parts that somebody else has too."""
        found = {part: NameKind.PART_WORD if self.is_part_word(part) else NameKind.PART for part in parts}
        found |= {part: NameKind.SHARED for part in found if part in shared}
        return found | {core: NameKind.WORD if self.is_word(core) else NameKind.NAME for core in cores}
