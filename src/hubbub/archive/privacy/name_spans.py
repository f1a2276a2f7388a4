"""Names of people in texts: where they stand, and which of them may be ordinary words instead.

A name is compared without regard to case and without marks around it, so that `<ada>`, `@Ada`, `ada's` and `ada_` are
found and `adamant` is not. A name that is also a word, such as "will", counts only where it is certain to be a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...addressing import COMMON_WORDS, MIN_LATER_RATIO, MIN_LATER_USES, MIN_NAME_LENGTH

MAX_WORDS_OF_NAME = 6  # bounds the candidates that start at a word; longer names are found by no other means
DETERMINED_SHARE = 0.1  # of uses after an article; names have next to none, nouns far more
NICK_MARKS = "-[]\\`^{}|"  # characters of IRC names that are no letters or digits

# First names that are words too. The common words of `addressing` have the rest of them.
_NAMES = (
    "amber angel april art august autumn basil bill bud buck chance charity chase chip christian chuck clay cliff colt "
    "daisy dale dawn dean dick dot drew duke earl faith frank gene ginger glen grace grant guy harmony heath heather "
    "holly hope hunter iris ivy jack jade jay jewel joy june lance laurel lily mark marsh mason may melody mercy miles "
    "nick norm olive pat patience peg penny pierce poppy ray red reed rich rob robin rocky rod rose rusty sandy scout "
    "sky star sterling stew sue summer sunny tab tad trip victor violet wade ward wells will willow winter woody"
)
NAME_WORDS = frozenset(_NAMES.split())
_WORD = re.compile(r"\w+")
_DETERMINER = re.compile(
    r"(?i)\b(?:an?|the|my|your|his|her|our|their|this|that|these|those|some|any|no|every|each|which)\s+\Z"
)
_GREETING = re.compile(r"(?i)\b(?:thanks|thank you|thx|ty|hi|hello|hey|cheers|ping|cc|bye|welcome|sorry)[,\s]+\Z")
_GREETED_CROWD = frozenset({"again", "all", "every", "guys", "man", "there", "you"})
_AFTER_GREETING = re.compile(r"\s*(?:[.,;:!?)]|\Z)")
_LOWER_WORD_BEFORE = re.compile(r"[a-z]\s\Z")
_REST_OF_ADDRESS = re.compile(r"@[\w-]+(?:\.[\w-]+)+")
_EDGES = re.compile(r"\A\W+|\W+\Z")


class NameSpan(NamedTuple):
    """Where a name stands; `is_certain` is False where it may be an ordinary word."""

    start: int
    end: int
    core: str
    is_certain: bool


def core_of(name: str) -> str:
    """A name as it is compared: in small letters, without marks at its ends; "" if it consists of marks."""
    return _EDGES.sub("", name).casefold()


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

    `is_word` says of a core whether it is an ordinary word too, and None if it is no name that is sought. `most_words`
    is how many words a name may have that starts with a word, in small letters. `is_other` says whether a longer run of
    characters that has a name inside, such as `ada|work`, is the name of somebody else.
    """

    def __init__(
        self,
        is_word: Callable[[str], bool | None],
        most_words: Callable[[str], int] = lambda first: 1,
        is_other: Callable[[str], bool] | None = None,
    ) -> None:
        self._is_word, self._is_other, self._most_words = is_word, is_other, most_words

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
                if not self._belongs_to_other(text, start, end):
                    if address := _REST_OF_ADDRESS.match(text, end):
                        end = address.end()
                    is_certain = not self._sought(core) or bool(address) or is_surely_name(text, start, end)
                    yield NameSpan(start, end, core, is_certain)
            place += count or 1

    def _sought(self, candidate: str) -> bool | None:
        """People append underscores to a name that is taken."""
        core = candidate.casefold()
        found = self._is_word(core)
        if found is None and core.endswith("_"):
            found = self._is_word(core.rstrip("_"))
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


def is_surely_name(text: str, start: int, end: int) -> bool:
    """Whether a word is certain to be a name: `will: ...`, `@will`, `<will>`, `thanks will!`, `ask Will about it`."""
    before, core = text[:start], text[start:end].casefold()
    line = before.rpartition("\n")[2]
    if before.endswith("@") or (text[end : end + 1] == ":" and not line.strip()):
        return True
    if line.rstrip("@+%~&").endswith("<") and text[end : end + 1] == ">":
        return True
    if _GREETING.search(before) and _AFTER_GREETING.match(text, end) and core not in _GREETED_CROWD:
        return True
    return core in NAME_WORDS and text[start].isupper() and bool(_LOWER_WORD_BEFORE.search(before))


class NameUses:
    """How names are used in texts, which tells names from words."""

    def __init__(self) -> None:
        self.addressed, self.inside, self.determined = Counter[str](), Counter[str](), Counter[str]()

    def count(self, text: str, spans: Iterable[NameSpan]) -> None:
        for each in spans:
            mark = text[each.end : each.end + 1]
            if not text[: each.start].strip("@<> ") and mark in (":", ","):
                self.addressed[each.core] += 1
            else:
                self.inside[each.core] += 1
                self.determined[each.core] += bool(_DETERMINER.search(text[max(0, each.start - 12) : each.start]))

    def is_never_addressed(self, core: str) -> bool:
        """Whether a name of letters occurs only inside texts."""
        return core.isalpha() and not self.addressed[core]

    def is_word(self, core: str) -> bool:
        """Whether a name of letters alone is mostly used as a word, or often follows an article."""
        if is_common(core):
            return True
        if not core.isalpha():
            return False
        inside, determined = self.inside[core], self.determined[core]
        is_noun = determined > 0 and determined >= DETERMINED_SHARE * inside
        return is_noun or inside > max(MIN_LATER_USES, MIN_LATER_RATIO * self.addressed[core])
