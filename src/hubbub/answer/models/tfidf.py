"""TF-IDF: the baseline of Lowe et al. 2015."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from ..data.examples import Choice
from ._lexical import Lexical, terms


@dataclass(repr=False)
class TfIdf(Lexical):
    """The cosine of TF-IDF vectors of context and reply, the baseline of 2015."""

    def scores(self, choice: Choice) -> list[float]:
        context = self._vector(self.query(choice.context))
        return [_cosine(context, self._vector(terms(text))) for text in choice.candidates]

    def _vector(self, listed: Sequence[str]) -> dict[str, float]:
        return {term: count * self.rarity(term) for term, count in Counter(listed).items()}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    norm = sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return sum(weight * other[term] for term, weight in one.items() if term in other) / norm if norm else 0.0
