"""The features of Elsner and Charniak 2008 for pairs of messages: time, speakers, mentions, cues, words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from math import log2
from typing import Any

import numpy as np

from ...addressing import Addressees
from ...chat import Chat
from ...timeline import elapsed_seconds
from .pmi_vectors import tokens

TIME_LIMITS = (2, 5, 10, 15, 20, 30, 45, 60, 90, 120)  # seconds, ends of the bins of gaps
RARITY_LEVELS = 6  # of words, in steps of a factor of 8
LONG_MESSAGE_WORDS = 10  # a message with more words is long

_GREETING = frozenset(("hello", "hi", "hey", "hiya", "greetings", "morning", "evening", "howdy", "heya", "yo"))
_ANSWER = frozenset(("yes", "no", "yeah", "yep", "nope", "yup", "nah", "ok", "okay", "right", "sure", "true"))
_THANKS = frozenset(("thanks", "thank", "thx", "ty", "cheers", "welcome", "np"))
_TECHNICAL_WORDS = (
    "apt bash bios boot cd chmod compile config cpu daemon deb desktop dns driver dvd ethernet firefox firewall gcc "
    "gnome grub gui hardware install ip iso kde kernel laptop lib library linux log module mount network nvidia "
    "package partition path pci perl php port proxy python ram repo root router script server shell sound source ssh "
    "sudo swap terminal update upgrade usb user video vim wifi wine wireless xorg "
)
_TECHNICAL = frozenset(_TECHNICAL_WORDS.split())
_SHAPED = re.compile(r"(?:^|\s)(?:[/~]\S+/\S*|\S+\.(?:conf|deb|so|sh|py|c|h|gz|iso|log|txt)\b|--?\w[\w-]+|\w+\(\))")

FEATURE_COUNT = 1 + 1 + (len(TIME_LIMITS) + 1) + 1 + 6 + 2 * 5 + 2 + RARITY_LEVELS + 2 + 2


def rarity(count: Counter[str]) -> dict[str, int]:
    """Word -> how rare it is, from 0, the most frequent, in steps of a factor of 8; a word seen once is left out."""
    total = max(1, count.total())
    return {word: min(RARITY_LEVELS - 1, int(-log2(times / total) / 3)) for word, times in count.items() if times > 1}


class ElsnerFeatures:
    """Everything about one chat that the features need, gathered once."""

    def __init__(self, chat: Chat, max_seconds: float, rare: Mapping[str, int]) -> None:
        chat = chat.seen()
        people = Addressees(chat)
        self._reach = max_seconds
        self._rare = rare
        self.moments = np.array(elapsed_seconds(chat))
        self.system = np.array([message.kind == "system" for message in chat], dtype=bool)
        self._positions = [position for position, system in enumerate(self.system) if not system]
        self._authors = [message.author.lower() for message in chat]
        self._mentions = [frozenset(people.addressed(message.text)) for message in chat]
        self._words = [frozenset(tokens(message.text)) for message in chat]
        self._cues = np.array([_cues(message.text) for message in chat], dtype=np.float32).reshape(-1, 5)
        # A word of the trade, or something of the form of a path, file, option or call.
        technical = (
            _TECHNICAL & words or _SHAPED.search(m.text[:2000]) for m, words in zip(chat, self._words, strict=True)
        )
        self._technical = np.array([bool(each) for each in technical], dtype=bool)

    def near(self, position: int) -> Any:
        """The positions of earlier messages, no system lines, that are not too long ago."""
        first = int(np.searchsorted(self.moments[: position + 1], self.moments[position] - self._reach))
        return np.array(
            self._positions[bisect_left(self._positions, first) : bisect_left(self._positions, position)],
            dtype=int,
        )

    def of(self, position: int, near: Any) -> Any:
        """One row for each of these earlier messages."""
        apart = self.moments[position] - self.moments[near]
        times = np.searchsorted(np.array(TIME_LIMITS), apart, side="right")[:, None] == np.arange(len(TIME_LIMITS) + 1)
        same = np.array([self._authors[each] == self._authors[position] for each in near])
        next_to = np.arange(len(near)) == len(near) - 1
        technical = [
            self._technical[near] & self._technical[position],
            self._technical[near] ^ self._technical[position],
        ]
        questions = self._cues[near, 3] * self._cues[position, 1], self._cues[position, 3] * self._cues[near, 3]
        columns = [np.ones(len(near)), next_to, times, same, self._mention_features(position, near), self._cues[near]]
        here = np.repeat(self._cues[position][None], len(near), axis=0)
        both = [
            here,
            *questions,
            self._shared(position, near),
            *technical,
            same & next_to,
            ~same & (apart < TIME_LIMITS[2]),
        ]
        return np.column_stack([*columns, *both]).astype(np.float32)

    def _mention_features(self, position: int, near: Any) -> Any:
        """Whether either mentions the other, both the same person, either anybody, the later one a third person."""
        mine, author = self._mentions[position], self._authors[position]
        rows = []
        for each in near:
            theirs, other = self._mentions[each], self._authors[each]
            rows.append(
                (other in mine, author in theirs, bool(mine & theirs), bool(mine), bool(theirs), bool(mine - {other}))
            )
        return np.array(rows, dtype=np.float32)

    def _shared(self, position: int, near: Any) -> Any:
        """How many words both have, by how rare they are."""
        found = np.zeros((len(near), RARITY_LEVELS), dtype=np.float32)
        for row, each in enumerate(near):
            for word in self._words[position] & self._words[each]:
                found[row, self._rare.get(word, RARITY_LEVELS - 1)] += 1
        return np.minimum(found, 4)


def _cues(text: str) -> tuple[bool, ...]:
    """Whether it greets, answers, thanks, asks, is long."""
    words = tokens(text)
    distinct = frozenset(words)
    return (
        bool(distinct & _GREETING),
        bool(distinct & _ANSWER),
        bool(distinct & _THANKS),
        "?" in distinct,
        len(words) > LONG_MESSAGE_WORDS,
    )
