"""The rankers of Kummerfeld et al. 2019 (supplement, C.2): the parent is the best of a message and the 100 before.

Trained with torch (thread/training/ranker.py); predicting needs NumPy alone. The word vectors are trained on the same
chats (thread/features/pmi_vectors.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ...chat import Chat
from ...layers import ReplyGraph
from ...ml.model_schema import Field, Items, Numbers, Schema, Size, Text
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ..features.kummerfeld_features import BLOCK_SIZE, WINDOW, kummerfeld_features
from ..features.pmi_vectors import MessageVectors


@dataclass(repr=False)
class Ranker(BaseModel):
    """The base of both rankers.

    In training, the `hard_negatives` that score highest by their features alone compete, and `sampled_negatives` others
    that represent all the rest. `dimensions` is the length of a word vector.
    """

    renamed_parameters: ClassVar = {"rivals": "hard_negatives", "sampled": "sampled_negatives"}
    dimensions: int = ranged(100, 1, 1000)
    epochs: int = ranged(3, 1, 10_000)
    rate: float = ranged(0.002, 0, 10)
    decay: float = ranged(1e-6, 0, 1)
    batch: int = ranged(128, 1, 100_000)
    hard_negatives: int = ranged(6, 1, WINDOW)
    sampled_negatives: int = ranged(2, 0, WINDOW)
    vocabulary_: list[str] | None = None
    vectors_: Any = None

    hidden_layers = 0

    def schema(self) -> Schema:
        words: dict[str, Field] = {
            "vocabulary_": Items(Text(), "words"),
            "vectors_": Numbers("float32", ("words", self.dimensions)),
        }
        arrays = {name: Numbers("float32", shape) for name, shape in self.shapes().items()}
        return Schema(words | arrays, empty=frozenset({"words"}))

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        """The shapes of the weights, word vectors excluded."""
        raise NotImplementedError

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        from ..training.kummerfeld_ranker import train

        return train(self, inputs, golds, seed)

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [self._graph(chat) for chat in inputs]

    def _graph(self, chat: Chat) -> ReplyGraph:
        chosen = list(self._chosen(chat))
        parents = tuple((parent,) for parent, _ in chosen)
        return ReplyGraph(parents, tuple((probability,) for _, probability in chosen))

    def _chosen(self, chat: Chat) -> Iterator[tuple[int, float]]:
        """The best candidate of each message and its probability; of equal ones the nearest."""
        from ...ml.calibration import softmax

        vectors = MessageVectors(self.vocabulary_ or [], self.vectors_).of([message.text for message in chat.seen()])
        features, prepared = kummerfeld_features(chat), self.prepared(vectors)
        for begin in range(0, len(chat), BLOCK_SIZE):
            rows = features.block(begin // BLOCK_SIZE).astype(np.float32)
            position = np.arange(begin, begin + len(rows))
            scores = self.scores(rows, prepared, position)
            apart = scores[:, ::-1].argmax(axis=1)
            yield from zip((position - apart).tolist(), softmax(scores).max(axis=1).tolist(), strict=True)

    def prepared(self, vectors: Any) -> Any:
        """What depends on each message alone, computed once."""
        raise NotImplementedError

    def scores(self, rows: Any, prepared: Any, position: Any) -> Any:
        """The scores of the WINDOW + 1 candidates of each message, minus infinity where there is none."""
        raise NotImplementedError


def candidates(position: Any) -> Any:
    """The candidates of each message, from the farthest to itself; those below 0 do not exist."""
    return position[:, None] + np.arange(-WINDOW, 1)
