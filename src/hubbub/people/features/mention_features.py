"""String features of words that may mean a person, for the mention tagger.

They depend on the text, the names of the participants and of the cast, and the order of speakers only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ...addressing import names_used_as_words
from ...chat import Message
from ...layers import Person
from ...text import Span
from ..data.scene import Scene, speakers
from .code_spans import code_places
from .context_features import (
    DETERMINERS,
    GENERAL,
    MANY,
    THEM,
    MessageTokens,
    Sentence,
    YouContext,
    capitalization,
    first_person_features,
    is_personal,
    neighbours,
    second_person_features,
    word_features,
)
from .names import cached_per_cast, name_words, odd_names
from .person_words import ANIMALS, FIRST, HE, NAMES, PRONOUNS, SECOND, SHE, TITLES, word_set
from .tokens import sentences, tokens

SPELT = {"u": "you", "ur": "your", "im": "i", "ive": "i", "youre": "you", "youve": "you", "hes": "he", "shes": "she"}
BE = word_set("'s is was are 're 'm be am were been")
AMBIGUOUS = word_set(
    """angel april art bill carol clay cliff dale dawn dean dick don drew earl faith frank gene ginger glenn grace
    grant guy hank hazel hope iris ivy jack jade jay jean jo joy june kay lance lee mark mason max may mercedes
    miles mitch morgan pat penny ray rex rich rob robin rod rose ruby sandy saul sue ted tony van violet wade will
    wolf"""
)
COMMON = AMBIGUOUS | DETERMINERS | BE | MANY | GENERAL | THEM | PRONOUNS
PLAIN_NAMES = NAMES - COMMON
MAX_TURN_WORDS, MAX_TURN_MESSAGES = 100, 8  # of one speaker as context; bounds the work on monologues
PAUSE = ",-.!?:…"
MIN_SHORT_NAME = 3  # letters of a shortened name
CONTEXT_WORDS_BEFORE, CONTEXT_WORDS_AFTER = 5, 2  # words around a sentence that its features may use
CONTEXT_DEPENDENT = SECOND | HE | SHE  # words whose features use more than their sentence


class _Words(NamedTuple):
    """The words of all names of a cast, those of names without spaces, and those of names that are written small."""

    words: frozenset[str]
    nicks: frozenset[str]
    small: frozenset[str]


@cached_per_cast
def _words_of(cast: tuple[Person, ...]) -> _Words:
    names = [name for person in cast for name in person.names]
    words = name_words(names)
    return _Words(words, name_words(name for name in names if " " not in name), _small(names))


def _small(names: Sequence[str]) -> frozenset[str]:
    return name_words(name for name in names if name == name.lower())


@dataclass(frozen=True)
class TaggerContext:
    """A scene as its words see it."""

    scene: Scene
    cast: frozenset[str] = field(init=False)
    present: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        present = [name for author in self.scene.chat.authors() for name in speakers(author)]
        whole = _words_of(self.scene.cast)
        nicks = whole.nicks | name_words(name for name in present if " " not in name)
        words = names_used_as_words(self.scene.chat, nicks) if nicks else set()
        object.__setattr__(self, "present", name_words(present) - words)
        object.__setattr__(self, "cast", (whole.words | self.present) - words)

    @cached_property
    def message_tokens(self) -> list[MessageTokens]:
        whole = odd_names(name for author in self.scene.chat.authors() for name in speakers(author))
        return [_tokenized(message, whole, self.nicks) for message in self.scene.chat]

    @cached_property
    def nicks(self) -> frozenset[str]:
        """The names that participants, or the cast, write small; such a word means nobody else."""
        present = [name for author in self.scene.chat.authors() for name in speakers(author)]
        return ((_small(present) | _words_of(self.scene.cast).small) & self.cast) - COMMON

    @cached_property
    def capital(self) -> Counter[str]:
        """How often each word is written large inside a sentence."""
        places = (
            (message_tokens, place)
            for message_tokens in self.message_tokens
            for a, b in message_tokens.sentences
            for place in range(a + 1, b)
        )
        return Counter(
            message_tokens.low[place] for message_tokens, place in places if message_tokens.words[place][0].isupper()
        )

    @cached_property
    def small(self) -> Counter[str]:
        """How often each word is written small."""
        return Counter(
            word for message_tokens in self.message_tokens for word in message_tokens.words if word[0].islower()
        )

    @cached_property
    def animals(self) -> list[int]:
        return [sum(word in ANIMALS for word in message_tokens.low) for message_tokens in self.message_tokens]

    @cached_property
    def animal_total(self) -> int:
        return sum(self.animals)

    @cached_property
    def in_order(self) -> list[str]:
        """The words of all names."""
        return sorted(self.cast)

    @cached_property
    def many(self) -> list[bool]:
        """Whether each message has a word for several people."""
        return [not MANY.isdisjoint(message_tokens.low) for message_tokens in self.message_tokens]

    def turn(self, position: int) -> Span:
        """The first and the last + 1 of the messages that an author says in one go, a few of them at most."""
        author, first, last = self.message_tokens[position].author, position, position + 1
        while first and position - first < MAX_TURN_MESSAGES and self.message_tokens[first - 1].author == author:
            first -= 1
        while (
            last < len(self.message_tokens)
            and last - position < MAX_TURN_MESSAGES
            and self.message_tokens[last].author == author
        ):
            last += 1
        return first, last

    def candidate(self, message_tokens: MessageTokens, place: int) -> bool:
        """Whether a word may mean a person at all."""
        low = message_tokens.low[place]
        if place in message_tokens.code:
            return False
        return low in PRONOUNS or message_tokens.words[place][0].isupper() or is_personal(low) or low in self.cast

    def basis(self, position: int, span: Span) -> Hashable:
        """The words that determine all features of a sentence, for caching; None if they depend on more than words."""
        message_tokens, (start, end) = self.message_tokens[position], span
        if message_tokens.code or not CONTEXT_DEPENDENT.isdisjoint(message_tokens.low[start:end]):
            return None
        before = min(start, CONTEXT_WORDS_BEFORE)
        return before, end - start, *message_tokens.words[start - before : end + CONTEXT_WORDS_AFTER]

    def features(self, position: int, span: Span) -> Iterator[tuple[int, list[str]]]:
        """(place of a word, what is seen around it) for every word of a sentence that may mean a person."""
        message_tokens, start = self.message_tokens[position], span[0]
        places = [place for place in range(*span) if self.candidate(message_tokens, place)]
        if not places:
            return
        sentence = Sentence.of(message_tokens, span)
        turn = None if SECOND.isdisjoint(sentence.low) else self._turn(position)
        for place in places:
            low = message_tokens.low[place]
            found = word_features(sentence, place) + self._names(message_tokens, start, place)
            if turn and low in SECOND:
                found += second_person_features(message_tokens, sentence, turn, place)
            elif low in HE or low in SHE:
                found += self._third(position, place)
            elif low in FIRST:
                found += first_person_features(message_tokens, place)
            else:
                found += self._noun(message_tokens, start, place)
            yield place, found

    def _names(self, message_tokens: MessageTokens, start: int, place: int) -> list[str]:
        low, pass_rows = message_tokens.low[place], capitalization(message_tokens.words[place]) + str(place == start)
        return [
            f"present {low in self.present} {pass_rows}",
            f"capital {min(4, self.capital[low])} {pass_rows}",
            f"small {min(3, self.small[low])} {pass_rows}",
            f"speakers {min(4, len(self.present))} {low}",
        ]

    def _turn(self, position: int) -> YouContext:
        first, last = self.turn(position)
        turn = [word for each in self.message_tokens[first:last] for word in each.low[:MAX_TURN_WORDS]]
        near = {each.author for each in self.message_tokens[max(0, position - 4) : position + 4]}
        before = self.message_tokens[first - 1].author if first else ""
        after = self.message_tokens[last].author if last < len(self.message_tokens) else ""
        return YouContext(
            len(near), before == after, "/".join(sorted(MANY.intersection(turn))[:3]),
            any(self.many[max(0, first - 2) : first]), min(6, len(turn) // 8), min(3, position - first),
            min(3, last - position), "i" in turn,
        )  # fmt: skip

    def _third(self, position: int, place: int) -> list[str]:
        low, near = self.message_tokens[position].low[place], sum(self.animals[max(0, position - 12) : position + 6])
        return [
            f"animals near {min(3, near)} {low}",
            f"animals near {min(3, near)}",
            f"animals here {min(3, self.animals[position])}",
            f"animals {min(4, self.animal_total)} {low}",
        ]

    def _noun(self, message_tokens: MessageTokens, start: int, place: int) -> list[str]:
        word, low = message_tokens.words[place], message_tokens.low[place]
        before, after = neighbours(message_tokens.low, place)
        kind = f"{is_personal(low)}{low in NAMES}{low in self.cast}{self._short(word, low)}{capitalization(word)}"
        back = message_tokens.low[max(0, place - 4) : place]
        determiner = next((each for each in reversed(back) if each in DETERMINERS), "")
        predicate = any(each in BE for each in message_tokens.low[max(0, place - 5) : place])
        alone = (place == start or before[0] in PAUSE) and (after == "$" or after[0] in PAUSE)
        return [
            f"kind {kind} {place == start}",
            f"kind {kind} < {self._kind(before)}",
            f"kind {kind} > {self._kind(after)}",
            f"kind {kind} <> {self._kind(before)} {self._kind(after)}",
            f"kind {kind} determiner {determiner}",
            f"kind {kind} determiner {determiner} {predicate}",
            f"kind {kind} << {message_tokens.low[place - 2] if place > 1 else '^'} {before}",
            f"kind {kind} alone {alone}",
            f"alone {alone} {low}",
            f"determiner {determiner} {low}",
            f"predicate {predicate} {low}",
            f"animals {min(4, self.animal_total)} {capitalization(word)}",
        ]

    def _short(self, word: str, low: str) -> bool:
        """Whether it may be the short form of a name in the cast."""
        if not word[0].isupper() or len(low) < MIN_SHORT_NAME or low in self.cast:
            return False
        place = bisect_left(self.in_order, low)
        return place < len(self.in_order) and self.in_order[place].startswith(low)

    def _kind(self, low: str) -> str:
        if low in TITLES:
            return "title"
        if is_personal(low):
            return "personal"
        if low in NAMES or low in self.cast:
            return "name"
        return low if len(low) < 4 else "word"


def _tokenized(message: Message, whole: tuple[str, ...], nicks: frozenset[str]) -> MessageTokens:
    """A message as tokens; system messages have none."""
    text = message.text if message.kind != "system" else ""
    spans = tokens(text, whole)
    words = [text[start:end] for start, end in spans]
    cut = sentences(words)
    for start, end in cut:
        small = words[start][0].islower()
        words[start:end] = [_as_name(word, small, nicks) for word in words[start:end]]
    low = [SPELT.get(small, small) for small in map(str.lower, words)]
    return MessageTokens(message.author, spans, words, low, cut, code_places(text, spans))


def _as_name(word: str, small: bool, nicks: frozenset[str]) -> str:
    """A name written large: nicks that are written small, and first names in sentences that begin small."""
    named = word.lower() in nicks or (small and word in PLAIN_NAMES)
    return word[0].upper() + word[1:] if named else word
