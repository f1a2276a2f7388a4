"""Okapi BM25 (Robertson and Zaragoza 2009)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...ml.bm25 import length_norm, term_score
from ...ml.parameters import ranged
from ..data.examples import Choice
from ._lexical import Lexical, terms


@dataclass(repr=False)
class Bm25(Lexical):
    """Okapi BM25 of the reply for the words of the context."""

    renamed_parameters: ClassVar = {"k": "k1"}
    k1: float = ranged(1.2, 0, 1000)
    b: float = ranged(0.75, 0, 1)

    def scores(self, choice: Choice) -> list[float]:
        query = Counter(self.query(choice.context))
        return [self._score(query, terms(text)) for text in choice.candidates]

    def _score(self, query: Mapping[str, int], listed: Sequence[str]) -> float:
        counts = Counter(listed)
        norm = length_norm(len(listed), self.length_ or 1.0, self.k1, self.b)
        shared = (term for term in counts if term in query)
        return sum(term_score(self.rarity(term), counts[term], norm, self.k1) for term in shared)
