"""String features of a word and its context for the mention tagger: pure functions of a message and a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ...text import Span
from .person_words import HE, PERSONAL, PRONOUNS, SECOND, SHE, word_set
from .you_types import use_of

MANY = word_set("guys everybody everyone two both people folks ladies gentlemen boys girls kids all fellas gang")
GENERAL = word_set("when if whenever unless once how like where because until every")
THEM = word_set("they people")
DETERMINERS = word_set("a an the my your his her our their this that some any every no another one these those")
WORD_CACHE_SIZE = 1 << 14  # words of which it is kept how they are written


@dataclass(frozen=True, slots=True)
class MessageTokens:
    """A tokenized message: spans, words, lower-case words, sentences, and the words that are not natural language."""

    author: str
    spans: list[Span]
    words: list[str]
    low: list[str]
    sentences: list[Span]
    code: frozenset[int]


class Sentence(NamedTuple):
    """Where a sentence begins and ends, its words, and what is the same for each of them."""

    start: int
    end: int
    low: list[str]
    words: list[str]
    mark: str
    opening: str
    two: str
    length: int
    with_i: bool
    first_you: int

    @classmethod
    def of(cls, message_tokens: MessageTokens, span: Span) -> Sentence:
        start, end = span
        low = message_tokens.low[start:end]
        you = start + low.index("you") if "you" in low else end
        return cls(
            start, end, ["^", "^", *low, "$", "$"], ["^", "^", *message_tokens.words[start:end], "$", "$"],
            message_tokens.words[end - 1][0], low[0], " ".join(low[:2]), min(8, end - start), "i" in low, you,
        )  # fmt: skip


class YouContext(NamedTuple):
    """What is the same for every "you" of a message."""

    near: int
    dialogue: bool
    many: str
    many_before: bool
    words: int
    place: int
    rest: int
    with_i: bool


def word_features(sentence: Sentence, place: int) -> list[str]:
    """A word, its neighbours within the sentence, and how they are written."""
    here, opens = place - sentence.start + 2, place == sentence.start
    second, first, word, after, then = sentence.low[here - 2 : here + 3]
    left, own, right = sentence.words[here - 1 : here + 2]
    pass_rows = f"{capitalization(own)}{opens}"
    one, other = word_class(left), word_class(right)
    return [
        "any",
        f"word {word}",
        f"word {word} {pass_rows}",
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
        f"look {pass_rows} {capitalization(left)} {capitalization(right)}",
        f"look < {pass_rows} {one}",
        f"look > {pass_rows} {other}",
        f"ends {word[-3:]} {pass_rows}",
        f"ends {word[-2:]} {pass_rows}",
        f"begins {word[:3]} {pass_rows}",
        f"mark {word} {sentence.mark}",
        f"opening {word} {sentence.opening}",
        f"opening {word} {sentence.two}",
        f"length {sentence.length} {word}",
        f"you {word} {sentence.with_i} {sentence.first_you < place}",
    ]


def first_person_features(message_tokens: MessageTokens, place: int) -> list[str]:
    """What is seen besides around "I"."""
    before, _ = neighbours(message_tokens.words, place)
    determined = not DETERMINERS.isdisjoint(message_tokens.low[max(0, place - 4) : place])
    return [f"i > {' '.join(message_tokens.low[place + 1 : place + 3])}", f"i < {word_class(before)} {determined}"]


def second_person_features(
    message_tokens: MessageTokens, sentence: Sentence, turn: YouContext, place: int
) -> list[str]:
    """What is seen besides around "you"."""
    low, start, end = message_tokens.low[place], sentence.start, sentence.end
    inside = message_tokens.low[start:end]
    return [
        f"use {use_of(message_tokens.low, place)}",
        f"near {turn.near} {low}",
        f"dialogue {turn.dialogue} {turn.near}",
        f"many {turn.many} {low}",
        f"many before {turn.many_before}",
        f"turn {turn.words}",
        f"turn place {turn.place}",
        f"turn rest {turn.rest}",
        f"after {' '.join(message_tokens.low[place + 1 : place + 4])}",
        f"before {' '.join(message_tokens.low[max(start, place - 3) : place])}",
        f"i {sentence.with_i} {'me' in inside or 'my' in inside} {turn.with_i}",
        f"we {'we' in inside or 'us' in inside}",
        f"third {not (HE.isdisjoint(inside) and SHE.isdisjoint(inside))} {not THEM.isdisjoint(inside)}",
        f"question {sentence.mark} {place == start}",
        f"named {any(word[0].isupper() and word != 'I' for word in message_tokens.words[start + 1 : end])}",
        *(f"general {word}" for word in inside if word in GENERAL),
        *(f"with {word}" for word in inside if word not in SECOND),
    ]


def neighbours(words: Sequence[str], place: int) -> tuple[str, str]:
    return words[place - 1] if place else "^", words[place + 1] if place + 1 < len(words) else "$"


@lru_cache(WORD_CACHE_SIZE)
def is_personal(low: str) -> bool:
    return low in PERSONAL or low.rpartition("-")[2] in PERSONAL


@lru_cache(WORD_CACHE_SIZE)
def capitalization(word: str) -> str:
    """How a word is written: large, small, mixed, a number, a sign."""
    if not word[0].isalpha():
        return "1" if word[0].isdigit() else "."
    if word[0].islower():
        return "x"
    return "XX" if len(word) > 1 and word.isupper() else "Xx"


@lru_cache(WORD_CACHE_SIZE)
def word_class(word: str) -> str:
    """A word, coarsely: itself if short or a pronoun, else how it is written or how it ends."""
    low = word.lower()
    if not word[0].isalnum():
        return word[0]
    if low in PRONOUNS:
        return low
    if word[0].isupper():
        return "Xx"
    return low if len(low) < 4 else low[-3:]
