"""Examples that a classifier keeps, and which of them are nearest to a text: the reasons of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...ml.types import Array


class NearExample(NamedTuple):
    """A kept example and the cosine between it and what was asked."""

    text: str
    name: str
    similarity: float


@dataclass(frozen=True, slots=True)
class ExampleIndex:
    """Kept texts, the name of the intent of each, and their vectors in bytes."""

    texts: Sequence[str]
    names: Sequence[str]
    vectors: Array

    @classmethod
    def kept(cls, texts: Sequence[str], names: Sequence[str], vectors: Array) -> ExampleIndex:
        return cls(list(texts), list(names), np.round(127 * unit(vectors)).astype(np.int8))

    def of(self, vectors: Array, count: int = 3) -> list[tuple[NearExample, ...]]:
        """For each vector the nearest examples, nearest first; where two are equally near, the earlier one."""
        if not len(self.texts):
            return [() for _ in vectors]
        cosines = unit(vectors) @ unit(self.vectors).T
        best = np.argsort(-np.round(cosines, 6), axis=1, kind="stable")[:, :count]
        return [
            tuple(NearExample(self.texts[p], self.names[p], round(float(row[p]), 4)) for p in places)
            for row, places in zip(cosines, best.tolist(), strict=True)
        ]


def unit(vectors: Array) -> Array:
    """The same directions at length 1; nothing stays nothing."""
    values = np.asarray(vectors, np.float64)
    return values / np.maximum(np.linalg.norm(values, axis=-1, keepdims=True), 1e-9)


def centred(vectors: Array, mean: Array) -> Array:
    """Directions from the middle of all vectors, of length 1."""
    return unit(vectors - mean)
