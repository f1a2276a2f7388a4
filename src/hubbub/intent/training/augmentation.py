"""Data augmentation: new texts made of examples, to be labelled by a teacher."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...ml.encoder import similar_words
from ...ml.encoder.wordpiece import words as words_of
from ...ml.types import Array

SAME_INTENT_CROSSING, ANY_CROSSING, WORD_EXCHANGE, UNCHANGED = (
    0.2,
    0.3,
    0.5,
    0.9,
)  # shares of texts, added up: crossings, a word, the text as it is
WORD_DROPOUT = 0.2  # of each word
REPLACED_SHARE = 0.4  # of the words that have synonyms, in the mean
MAX_SIMILAR_WORDS = 30  # candidates of a replacement
MAX_TEXT_WORDS = 24  # longer crossings are not queries


def augmented_texts(texts: Sequence[str], labels: Array, count: int, seed: int, synonym_rate: float) -> list[str]:
    """New texts: the beginning of one example and the end of another, of the same intent or of any; an example with a
    word exchanged for another that follows the same word somewhere; with words dropped; or unchanged. In a share
    `synonym_rate` of them words are replaced by words of similar meaning, which the examples need not have.
    """
    maker = _TextGenerator(texts, labels, seed, synonym_rate)
    texts_made: dict[str, None] = {}
    known = {" ".join(words) for words in maker.split}
    for _ in range(2 * count):
        words = maker.made()
        text = " ".join(words)
        if 2 <= len(words) <= MAX_TEXT_WORDS and text not in known:
            texts_made[text] = None
        if len(texts_made) == count:
            break
    return list(texts_made)


class _TextGenerator:
    def __init__(self, texts: Sequence[str], labels: Array, seed: int, synonym_rate: float) -> None:
        self.random = np.random.default_rng(seed)
        self.split = [words_of(text) for text in texts]
        self.labels, self.synonym_rate = labels, synonym_rate
        self.of_label = {label: np.flatnonzero(labels == label) for label in np.unique(labels)}
        self.followers = _followers(self.split)
        self.often = Counter(word for words in self.split for word in set(words))
        self.like = similar_words(self.often, MAX_SIMILAR_WORDS)

    def made(self) -> list[str]:
        words = self._crossed(int(self.random.integers(len(self.split))), self.random.random())
        return self._replaced(words) if self.random.random() < self.synonym_rate else words

    def _crossed(self, place: int, kind: float) -> list[str]:
        random, words = self.random, self.split[place]
        if kind < ANY_CROSSING:
            others = self.of_label[self.labels[place]] if kind < SAME_INTENT_CROSSING else None
            other = self.split[random.choice(others) if others is not None else random.integers(len(self.split))]
            return words[: random.integers(1, max(2, len(words)))] + other[random.integers(max(1, len(other))) :]
        if kind < WORD_EXCHANGE and words:
            at = int(random.integers(len(words)))
            possible = self.followers[words[at - 1] if at else ""]
            return [*words[:at], possible[random.integers(len(possible))], *words[at + 1 :]]
        if kind < UNCHANGED:
            return words
        return [word for word in words if random.random() >= WORD_DROPOUT]

    def _replaced(self, words: Sequence[str]) -> list[str]:
        """Some words, rare ones first of all, in favour of those like them; at least one if any has such."""
        random, changed = self.random, list(words)
        possible = [place for place, word in enumerate(words) if word in self.like]
        if possible:
            rare = np.array([self.often[words[place]] ** -0.5 for place in possible])
            count = max(1, int(random.binomial(len(possible), REPLACED_SHARE)))
            for place in random.choice(possible, count, replace=False, p=rare / rare.sum()):
                choice = self.like[words[place]]
                changed[place] = choice[int(len(choice) * random.random() ** 1.5)]
        return changed


def _followers(split: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Each word's followers, as often as they follow it; those of nothing are what texts begin with."""
    found: dict[str, list[str]] = {}
    for words in split:
        for before, word in pairwise(["", *words]):
            found.setdefault(before, []).append(word)
    return found
