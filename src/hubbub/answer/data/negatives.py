"""Texts that share rare words with another: what makes false replies hard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log

from ...text import words

MAX_DOCUMENT_SHARE = 0.02  # keeps posting lists short
MAX_SIMILAR = 50  # more than the nine distractors need, since some are excluded


class SimilarTexts:
    """An inverted index of texts; words in more than one text of fifty are too common to retrieve by."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._has: dict[str, list[int]] = defaultdict(list)
        self._length: list[int] = []
        for place, text in enumerate(texts):
            own = set(words(text))
            self._length.append(len(own) + 1)
            for word in own:
                self._has[word].append(place)
        self._most = max(20, round(MAX_DOCUMENT_SHARE * len(texts)))
        self._count = len(texts)

    def to(self, text: str) -> list[int]:
        """The places of the most similar texts, best first."""
        scores: dict[int, float] = defaultdict(float)
        for word in sorted(set(words(text))):
            places = self._has.get(word, ())
            if len(places) <= self._most:
                weight = log((1 + self._count) / (1 + len(places)))
                for place in places:
                    scores[place] += weight
        ranked = sorted(scores, key=lambda place: (-scores[place] / self._length[place] ** 0.5, place))
        return ranked[:MAX_SIMILAR]
