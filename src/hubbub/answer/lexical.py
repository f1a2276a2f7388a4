"""Replies chosen by the words they share with the context: TF-IDF and BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Self

from ..layers import Reply
from ..model import Learnt
from ..parameters import ranged
from ..schema import Number, Schema, Table
from ..text import words
from .examples import Choice, Context, texts
from .metrics import Ranked

Tuning = tuple[Sequence[Choice], Sequence[Ranked]]

LONGEST = 400


@dataclass
class Lexical(Learnt):
    """Counts in how many texts each word stands; `turns` is how much of the end of a context counts, 0 for all."""

    turns: int = ranged(0, 0, 1000)
    frequency_: dict[str, int] | None = None
    count_: int | None = None
    length_: float | None = None

    def schema(self) -> Schema:
        count = Number(0, 1e12, whole=True)
        return Schema({"frequency_": Table(count), "count_": count, "length_": Number(0, 1e9)})

    def fit(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        seen = {
            text for choice, gold in zip(inputs, golds, strict=True) for text in (*texts(choice.context), gold[0].text)
        }
        found: Counter[str] = Counter()
        length = 0
        for text in seen:
            listed = terms(text)
            length += len(listed)
            found.update(set(listed))
        self.frequency_, self.count_ = dict(sorted(found.items())), len(seen)
        self.length_ = length / max(len(seen), 1)
        return self

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        return [ranked(choice.candidates, self.scores(choice)) for choice in inputs]

    def scores(self, choice: Choice) -> list[float]:
        raise NotImplementedError

    def query(self, context: Context) -> list[str]:
        return [term for text in texts(context[-self.turns :]) for term in terms(text)]

    def rarity(self, term: str) -> float:
        return log((1 + (self.count_ or 0)) / (1 + (self.frequency_ or {}).get(term, 0)))


@dataclass
class TfIdf(Lexical):
    """The cosine of TF-IDF vectors of context and reply, the baseline of 2015."""

    def scores(self, choice: Choice) -> list[float]:
        context = self._vector(self.query(choice.context))
        return [_cosine(context, self._vector(terms(text))) for text in choice.candidates]

    def _vector(self, listed: Sequence[str]) -> dict[str, float]:
        return {term: count * self.rarity(term) for term, count in Counter(listed).items()}


@dataclass
class Bm25(Lexical):
    """Okapi BM25 of the reply for the words of the context."""

    k: float = ranged(1.2, 0, 1000)
    b: float = ranged(0.75, 0, 1)

    def scores(self, choice: Choice) -> list[float]:
        query = Counter(self.query(choice.context))
        return [self._score(query, terms(text)) for text in choice.candidates]

    def _score(self, query: Mapping[str, int], listed: Sequence[str]) -> float:
        counts = Counter(listed)
        slack = self.k * (1 - self.b + self.b * len(listed) / (self.length_ or 1.0))
        shared = (term for term in counts if term in query)
        return sum(self.rarity(term) * counts[term] * (self.k + 1) / (counts[term] + slack) for term in shared)


def terms(text: str) -> list[str]:
    return words(text[: LONGEST * 10])[:LONGEST]


def ranked(candidates: Sequence[str], scores: Sequence[float]) -> Ranked:
    """Replies by falling score, equal ones in the order they were given."""
    order = sorted(range(len(candidates)), key=lambda place: -scores[place])
    return tuple(Reply(candidates[place], float(scores[place])) for place in order)


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    norm = sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return sum(weight * other[term] for term, weight in one.items() if term in other) / norm if norm else 0.0
