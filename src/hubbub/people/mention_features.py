"""What can be seen around a word that may mean a person, as strings; a tagger weighs them.

Nothing but the text is looked at, the names of the participants and of the cast, and who speaks when.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..addressing import used_as_words
from ..chat import Message
from ..layers import Person
from ..text import Span
from .names import name_words, odd_names
from .scene import Scene, speakers
from .tokens import sentences, tokens
from .words import ANIMALS, FIRST, HE, NAMES, PERSONAL, PRONOUNS, SECOND, SHE, TITLES, among
from .you import use_of

SPELT = {"u": "you", "ur": "your", "im": "i", "ive": "i", "youre": "you", "youve": "you", "hes": "he", "shes": "she"}
MANY = among("guys everybody everyone two both people folks ladies gentlemen boys girls kids all fellas gang")
GENERAL = among("when if whenever unless once how like where because until every")
THEM = among("they people")
DETERMINERS = among("a an the my your his her our their this that some any every no another one these those")
BE = among("'s is was are 're 'm be am were been")
AMBIGUOUS = among(
    """angel april art bill carol clay cliff dale dawn dean dick don drew earl faith frank gene ginger glenn grace
    grant guy hank hazel hope iris ivy jack jade jay jean jo joy june kay lance lee mark mason max may mercedes
    miles mitch morgan pat penny ray rex rich rob robin rod rose ruby sandy saul sue ted tony van violet wade will
    wolf"""
)
COMMON = AMBIGUOUS | DETERMINERS | BE | MANY | GENERAL | THEM | PRONOUNS
PLAIN_NAMES = NAMES - COMMON
LONGEST, LONGEST_TURN = 100, 8
PAUSE = ",-.!?:…"

_CODE = re.compile(r"(?:\w+://|www\.)\S+|(?<!\S)[~\[(\"]*/[\w.]\S*|\S*/\S*/\S*|(?<!\S)-[a-z]\b|#\w+|\S+@\S+\.\w+")


@dataclass(frozen=True, slots=True)
class Said:
    """A message cut into words: where they stand, as written, in small letters; its sentences; and what is no speech.

    No speech are addresses, paths, options of commands and channels: whoever's name they hold, nobody is meant.
    """

    author: str
    spans: list[Span]
    words: list[str]
    low: list[str]
    sentences: list[Span]
    code: list[Span]


class _Words(NamedTuple):
    """The words of all names of a cast, those of names without spaces, and how they may be cut short."""

    words: frozenset[str]
    nicks: frozenset[str]
    prefixes: frozenset[str]


@lru_cache(maxsize=16)
def _words_of(cast: tuple[Person, ...]) -> _Words:
    names = [name for person in cast for name in person.names]
    words = name_words(names)
    return _Words(words, name_words(name for name in names if " " not in name), _prefixes(words))


def _prefixes(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:size] for word in words for size in range(3, len(word)))


@dataclass(frozen=True)
class Setting:
    """A scene as its words see it."""

    scene: Scene
    cast: frozenset[str] = field(init=False)
    present: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        present = [name for author in self.scene.chat.authors() for name in speakers(author)]
        whole = _words_of(self.scene.cast)
        nicks = whole.nicks | name_words(name for name in present if " " not in name)
        words = used_as_words(self.scene.chat, nicks) if nicks else set()
        object.__setattr__(self, "present", name_words(present) - words)
        object.__setattr__(self, "cast", (whole.words | self.present) - words)

    @cached_property
    def said(self) -> list[Said]:
        whole = odd_names(name for author in self.scene.chat.authors() for name in speakers(author))
        return [_said(message, whole, self.nicks) for message in self.scene.chat]

    @cached_property
    def nicks(self) -> frozenset[str]:
        """The names that participants, or the cast, write small; such a word means nobody else."""
        present = [name for author in self.scene.chat.authors() for name in speakers(author)]
        names = [*present, *(name for person in self.scene.cast for name in person.names)]
        return (name_words(name for name in names if name == name.lower()) & self.cast) - COMMON

    @cached_property
    def capital(self) -> Counter[str]:
        """How often each word is written large inside a sentence."""
        places = ((said, place) for said in self.said for a, b in said.sentences for place in range(a + 1, b))
        return Counter(said.low[place] for said, place in places if said.words[place][0].isupper())

    @cached_property
    def small(self) -> Counter[str]:
        """How often each word is written small."""
        return Counter(word for said in self.said for word in said.words if word[0].islower())

    @cached_property
    def animals(self) -> list[int]:
        return [sum(word in ANIMALS for word in said.low) for said in self.said]

    @cached_property
    def animal_total(self) -> int:
        return sum(self.animals)

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """How the names of the cast may be cut short."""
        whole = _words_of(self.scene.cast)
        return whole.prefixes | _prefixes(self.present) if self.cast >= whole.words else _prefixes(self.cast)

    def turn(self, position: int) -> Span:
        """The first and the last + 1 of the messages that an author says in one go, a few of them at most."""
        author, first, last = self.said[position].author, position, position + 1
        while first and position - first < LONGEST_TURN and self.said[first - 1].author == author:
            first -= 1
        while last < len(self.said) and last - position < LONGEST_TURN and self.said[last].author == author:
            last += 1
        return first, last

    def candidate(self, said: Said, place: int) -> bool:
        """Whether a word may mean a person at all."""
        low = said.low[place]
        if any(start <= said.spans[place][0] < end for start, end in said.code):
            return False
        return low in PRONOUNS or said.words[place][0].isupper() or _personal(low) or low in self.cast

    def features(self, position: int) -> Iterator[tuple[int, list[str]]]:
        """(place of a word, what is seen around it) for every word of a message that may mean a person."""
        said = self.said[position]
        for start, end in said.sentences:
            for place in range(start, end):
                if self.candidate(said, place):
                    low = said.low[place]
                    found = [*_around(said, start, end, place), *self._names(said, start, place)]
                    if low in SECOND:
                        found += self._second(position, start, end, place)
                    elif low in HE or low in SHE:
                        found += self._third(position, place)
                    elif low in FIRST:
                        found += _first(said, place)
                    else:
                        found += self._noun(said, start, place)
                    yield place, found

    def _names(self, said: Said, start: int, place: int) -> list[str]:
        low, look = said.low[place], _look(said.words[place]) + str(place == start)
        return [
            f"present {low in self.present} {look}",
            f"capital {min(4, self.capital[low])} {look}",
            f"small {min(3, self.small[low])} {look}",
            f"speakers {min(4, len(self.present))} {low}",
        ]

    def _second(self, position: int, start: int, end: int, place: int) -> list[str]:
        said, (first, last) = self.said[position], self.turn(position)
        low, sentence = said.low[place], said.low[start:end]
        turn = [word for each in self.said[first:last] for word in each.low[:LONGEST]]
        near = {each.author for each in self.said[max(0, position - 4) : position + 4]}
        before = self.said[first - 1].author if first else ""
        after = self.said[last].author if last < len(self.said) else ""
        many = sorted({word for word in turn if word in MANY})
        earlier = any(word in MANY for each in self.said[max(0, first - 2) : first] for word in each.low)
        return [
            f"use {use_of(said.low, place)}",
            f"near {len(near)} {low}",
            f"dialogue {before == after} {len(near)}",
            f"many {'/'.join(many[:3])} {low}",
            f"many before {earlier}",
            f"turn {min(6, len(turn) // 8)}",
            f"turn place {min(3, position - first)}",
            f"turn rest {min(3, last - position)}",
            f"after {' '.join(said.low[place + 1 : place + 4])}",
            f"before {' '.join(said.low[max(start, place - 3) : place])}",
            f"i {'i' in sentence} {'me' in sentence or 'my' in sentence} {'i' in turn}",
            f"we {'we' in sentence or 'us' in sentence}",
            f"third {any(word in HE or word in SHE for word in sentence)} {any(word in THEM for word in sentence)}",
            f"question {said.words[end - 1][0]} {place == start}",
            f"named {any(word[0].isupper() and word != 'I' for word in said.words[start + 1 : end])}",
            *(f"general {word}" for word in sentence if word in GENERAL),
            *(f"with {word}" for word in sentence if word not in SECOND),
        ]

    def _third(self, position: int, place: int) -> list[str]:
        low, near = self.said[position].low[place], sum(self.animals[max(0, position - 12) : position + 6])
        return [
            f"animals near {min(3, near)} {low}",
            f"animals near {min(3, near)}",
            f"animals here {min(3, self.animals[position])}",
            f"animals {min(4, self.animal_total)} {low}",
        ]

    def _noun(self, said: Said, start: int, place: int) -> list[str]:
        word, low = said.words[place], said.low[place]
        before, after = _neighbours(said.low, place)
        kind = f"{_personal(low)}{low in NAMES}{low in self.cast}{self._short(word, low)}{_look(word)}"
        back = said.low[max(0, place - 4) : place]
        determiner = next((each for each in reversed(back) if each in DETERMINERS), "")
        predicate = any(each in BE for each in said.low[max(0, place - 5) : place])
        alone = (place == start or before[0] in PAUSE) and (after == "$" or after[0] in PAUSE)
        return [
            f"kind {kind} {place == start}",
            f"kind {kind} < {self._kind(before)}",
            f"kind {kind} > {self._kind(after)}",
            f"kind {kind} <> {self._kind(before)} {self._kind(after)}",
            f"kind {kind} determiner {determiner}",
            f"kind {kind} determiner {determiner} {predicate}",
            f"kind {kind} << {said.low[place - 2] if place > 1 else '^'} {before}",
            f"kind {kind} alone {alone}",
            f"alone {alone} {low}",
            f"determiner {determiner} {low}",
            f"predicate {predicate} {low}",
            f"animals {min(4, self.animal_total)} {_look(word)}",
        ]

    def _short(self, word: str, low: str) -> bool:
        """Whether it may be the short form of a name in the cast."""
        return word[0].isupper() and low in self.prefixes and low not in self.cast

    def _kind(self, low: str) -> str:
        if low in TITLES:
            return "title"
        if _personal(low):
            return "personal"
        if low in NAMES or low in self.cast:
            return "name"
        return low if len(low) < 4 else "word"


def _said(message: Message, whole: tuple[str, ...], nicks: frozenset[str]) -> Said:
    """A message cut into words; announcements of the platform have none."""
    text = message.text if message.kind != "system" else ""
    spans = tokens(text, whole)
    words = [text[start:end] for start, end in spans]
    cut = sentences(words)
    for start, end in cut:
        small = words[start][0].islower()
        words[start:end] = [_as_name(word, small, nicks) for word in words[start:end]]
    low = [SPELT.get(word.lower(), word.lower()) for word in words]
    return Said(message.author, spans, words, low, cut, [found.span() for found in _CODE.finditer(text)])


def _as_name(word: str, small: bool, nicks: frozenset[str]) -> str:
    """A name written large: nicks that are written small, and first names in sentences that begin small."""
    named = word.lower() in nicks or (small and word in PLAIN_NAMES)
    return word[0].upper() + word[1:] if named else word


def _personal(low: str) -> bool:
    return low in PERSONAL or low.rpartition("-")[2] in PERSONAL


def _look(word: str) -> str:
    """How a word is written: large, small, mixed, a number, a sign."""
    if not word[0].isalpha():
        return "1" if word[0].isdigit() else "."
    if word[0].islower():
        return "x"
    return "XX" if len(word) > 1 and word.isupper() else "Xx"


def _kindred(word: str) -> str:
    """A word, coarsely: itself if short or a pronoun, else how it is written or how it ends."""
    low = word.lower()
    if not word[0].isalnum():
        return word[0]
    if low in PRONOUNS:
        return low
    if word[0].isupper():
        return "Xx"
    return low if len(low) < 4 else low[-3:]


def _neighbours(words: Sequence[str], place: int) -> tuple[str, str]:
    return words[place - 1] if place else "^", words[place + 1] if place + 1 < len(words) else "$"


def _around(said: Said, start: int, end: int, place: int) -> list[str]:
    """The word, its neighbours within the sentence, and how they are written."""
    low, words = ["^", "^", *said.low[start:end], "$", "$"], ["^", "^", *said.words[start:end], "$", "$"]
    here = place - start + 2
    second, first, word, after, then = low[here - 2 : here + 3]
    look = _look(words[here]) + str(place == start)
    one, other = _kindred(words[here - 1]), _kindred(words[here + 1])
    return [
        "any",
        f"word {word}",
        f"word {word} {look}",
        f"< {first}",
        f"> {after}",
        f"< {first} {word}",
        f"> {word} {after}",
        f"<> {first} {word} {after}",
        f"<< {second} {first} {word}",
        f">> {word} {after} {then}",
        f"<. {second} {word}",
        f".> {word} {then}",
        f"~< {one} {word}",
        f"~> {word} {other}",
        f"~<> {one} {word} {other}",
        f"look {look} {_look(words[here - 1])} {_look(words[here + 1])}",
        f"look < {look} {one}",
        f"look > {look} {other}",
        f"ends {word[-3:]} {look}",
        f"ends {word[-2:]} {look}",
        f"begins {word[:3]} {look}",
        f"mark {word} {said.words[end - 1][0]}",
        f"opening {word} {said.low[start]}",
        f"opening {word} {' '.join(said.low[start : start + 2])}",
        f"length {min(8, end - start)} {word}",
        f"you {word} {'i' in said.low[start:end]} {'you' in said.low[start:place]}",
    ]


def _first(said: Said, place: int) -> list[str]:
    before, _ = _neighbours(said.words, place)
    determined = any(word in DETERMINERS for word in said.low[max(0, place - 4) : place])
    return [f"i > {' '.join(said.low[place + 1 : place + 3])}", f"i < {_kindred(before)} {determined}"]
