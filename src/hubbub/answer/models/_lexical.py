"""Replies chosen by the words they share with the context: TF-IDF and BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Self

from ...layers import Reply
from ...ml.model_schema import Mapped, Number, Schema
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ...ml.types import Array
from ...text import words
from ..data.examples import Choice, Context, turn_texts
from ..metrics import Ranked

Tuning = tuple[Sequence[Choice], Sequence[Ranked]]

MAX_TERMS = 400  # bounds the time for pastes


@dataclass(repr=False)
class Lexical(BaseModel):
    """Counts in how many texts each word stands; `turns` is how much of the end of a context counts, 0 for all."""

    turns: int = ranged(0, 0, 1000)
    frequency_: dict[str, int] | None = None
    count_: int | None = None
    length_: float | None = None

    def schema(self) -> Schema:
        count = Number(0, 1e12, whole=True)
        return Schema({"frequency_": Mapped(count), "count_": count, "length_": Number(0, 1e9)})

    def fit(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        documents = {
            text
            for choice, gold in zip(inputs, golds, strict=True)
            for text in (*turn_texts(choice.context), gold[0].text)
        }
        found: Counter[str] = Counter()
        length = 0
        for text in documents:
            listed = terms(text)
            length += len(listed)
            found.update(set(listed))
        self.frequency_, self.count_ = dict(sorted(found.items())), len(documents)
        self.length_ = length / max(len(documents), 1)
        return self

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        return [ranked(choice.candidates, self.scores(choice)) for choice in inputs]

    def scores(self, choice: Choice) -> list[float]:
        raise NotImplementedError

    def query(self, context: Context) -> list[str]:
        return [term for text in turn_texts(context[-self.turns :]) for term in terms(text)]

    def rarity(self, term: str) -> float:
        return log((1 + (self.count_ or 0)) / (1 + (self.frequency_ or {}).get(term, 0)))


def terms(text: str) -> list[str]:
    return words(text[: MAX_TERMS * 10])[:MAX_TERMS]


def ranked(candidates: Sequence[str], scores: Sequence[float] | Array) -> Ranked:
    """Replies by falling score, equal ones in the order they were given."""
    order = sorted(range(len(candidates)), key=lambda place: -scores[place])
    return tuple(Reply(candidates[place], float(scores[place])) for place in order)
