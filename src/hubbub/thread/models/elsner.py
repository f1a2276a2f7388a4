"""The model of Elsner and Charniak 2008: a maximum-entropy classifier of whether two messages are in
the same conversation, for pairs at most 129 seconds apart; each message then joins the earlier one that scores highest,
if any scores above 0.

The technical words of the paper come from two text collections; here a word is technical by its form or by a short list
(thread/features/elsner.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ...chat import Chat
from ...layers import ReplyGraph
from ...ml.model_schema import Mapped, Number, Numbers, Schema
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ..features.elsner_features import FEATURE_COUNT, RARITY_LEVELS, ElsnerFeatures, rarity
from ..features.pmi_vectors import tokens


@dataclass(repr=False)
class Elsner(BaseModel):
    """Pairs of messages scored by a linear model, linked greedily (Elsner and Charniak 2008).

    `decide` "best" joins a message to the earlier one that scores highest; "vote" to the conversation whose messages
    score highest together, which does better with little training data.
    """

    renamed_parameters: ClassVar = {"reach": "max_seconds"}
    max_seconds: float = ranged(129.0, 0, 1e6)
    decide: Literal["best", "vote"] = "best"
    penalty: float = ranged(1.0, 1e-6, 1e6)
    steps: int = ranged(12, 1, 1000)
    rarity_: dict[str, int] | None = None
    weights_: Any = None

    def schema(self) -> Schema:
        rarity = Mapped(Number(0, RARITY_LEVELS - 1, whole=True))
        return Schema({"rarity_": rarity, "weights_": Numbers("float64", (FEATURE_COUNT,))})

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        words = Counter(word for chat in inputs for m in chat if m.kind != "system" for word in tokens(m.text))
        self.rarity_ = rarity(words)
        parts = list(self._pairs(inputs, golds))
        rows = np.concatenate([part for part, _ in parts] or [np.zeros((0, FEATURE_COUNT), dtype=np.float32)])
        same = np.concatenate([labels for _, labels in parts] or [np.zeros(0, dtype=bool)])
        self.weights_ = fit_logistic_regression(rows, same, self.penalty, self.steps)
        return self

    def _pairs(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph]) -> Iterator[tuple[Any, Any]]:
        """The features of pairs of annotated messages, and whether they are in the same conversation."""
        for chat, gold in zip(inputs, golds, strict=True):
            features = self._features(chat)
            group = {p: number for number, each in enumerate(gold.components()) for p in each}
            annotated = np.array([bool(parents) for parents in gold.parents], dtype=bool)
            for position in np.flatnonzero(annotated & ~features.system):
                near = features.near(int(position))
                near = near[annotated[near]]
                if len(near):
                    same = np.array([group[int(each)] == group[int(position)] for each in near])
                    yield features.of(int(position), near), same

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [self._graph(chat) for chat in inputs]

    def _graph(self, chat: Chat) -> ReplyGraph:
        features = self._features(chat)
        conversation: list[int] = []
        parents: list[tuple[int, ...]] = []
        for position in range(len(chat)):
            parent = self._parent(features, position, conversation)
            conversation.append(position if parent == position else conversation[parent])
            parents.append((parent,))
        return ReplyGraph(tuple(parents))

    def _parent(self, features: ElsnerFeatures, position: int, conversation: Sequence[int]) -> int:
        near = features.near(position)
        if features.system[position] or not len(near):
            return position
        scores = features.of(position, near) @ self.weights_
        if self.decide == "vote":
            # The candidates of the conversation with the largest sum; none if no sum is above 0.
            of = np.array([conversation[each] for each in near])
            known, place = np.unique(of, return_inverse=True)
            sums = np.bincount(place, weights=scores)
            chosen = (of == known[sums.argmax()]) & (sums.max() > 0)
            near, scores = near[chosen], scores[chosen]
        best = len(near) - 1 - int(scores[::-1].argmax()) if len(near) else 0
        return int(near[best]) if len(near) and (scores[best] > 0 or self.decide == "vote") else position

    def _features(self, chat: Chat) -> ElsnerFeatures:
        return ElsnerFeatures(chat, self.max_seconds, self.rarity_ or {})


def fit_logistic_regression(rows: Any, targets: Any, penalty: float, steps: int) -> Any:
    """The weights of an L2-regularised logistic regression by Newton's method; O(rows * width^2) a step."""
    from ...ml.calibration import sigmoid

    width = rows.shape[1]
    weights = np.zeros(width)
    for _ in range(steps):
        gradient, hessian = penalty * weights, penalty * np.eye(width)
        for begin in range(0, len(rows), CHUNK_ROWS):
            part, labels = rows[begin : begin + CHUNK_ROWS].astype(float), targets[begin : begin + CHUNK_ROWS]
            probability = sigmoid(part @ weights)
            gradient += part.T @ (probability - labels)
            hessian += (part * (probability * (1 - probability))[:, None]).T @ part
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < TOLERANCE:
            break
    return weights


CHUNK_ROWS = 100_000  # converted to float64 at once; bounds the memory
TOLERANCE = 1e-6  # a smaller step ends the optimisation
