"""The rankers of Kummerfeld et al. 2019: every message answers whichever of itself and the 100 before scores highest.

Trained with torch (thread/ranker_training.py); predicting needs NumPy alone. The word vectors are learnt from the
chats that the model is trained on (thread/vectors.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..chat import Chat
from ..layers import ReplyGraph
from ..model import Learnt
from .paper_features import PaperFeatures
from .vectors import Sentences


@dataclass
class Ranker(Learnt):
    """What both rankers share.

    In training, `nearest` candidates and the message itself always compete; of the others `sampled` ones stand for
    all. `dimensions` is the length of a word's vector.
    """

    dimensions: int = 100
    epochs: int = 8
    rate: float = 0.001
    decay: float = 1e-6
    batch: int = 64
    nearest: int = 12
    sampled: int = 10
    vocabulary_: list[str] | None = None
    vectors_: Any = None

    hidden_layers = 0

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        from .ranker_training import train

        return train(self, inputs, golds, seed)

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [self._graph(chat) for chat in inputs]

    def _graph(self, chat: Chat) -> ReplyGraph:
        chosen = list(self._chosen(chat))
        parents = tuple((parent,) for parent, _ in chosen)
        return ReplyGraph(parents, tuple((probability,) for _, probability in chosen))

    def _chosen(self, chat: Chat) -> Iterator[tuple[int, float]]:
        """The best candidate of each message and its probability; of equal ones the nearest."""
        import numpy as np

        said = Sentences(self.vocabulary_ or [], self.vectors_).of([message.text for message in chat])
        features, prepared = PaperFeatures(chat), self.prepared(said)
        for position in range(len(chat)):
            rows = features.of(position)
            begin = position + 1 - len(rows)
            scores = self.scores(rows, prepared, begin, position)
            best = len(scores) - 1 - int(scores[::-1].argmax())
            yield begin + best, float(1 / np.exp(scores - scores[best]).sum())

    def prepared(self, said: Any) -> Any:
        """What can be worked out for each message alone."""
        raise NotImplementedError

    def scores(self, rows: Any, prepared: Any, begin: int, position: int) -> Any:
        raise NotImplementedError


@dataclass
class Linear(Ranker):
    """A linear ranker over the paper's 77 features and word vectors."""

    epochs: int = 12
    rate: float = 0.003
    out_features_: Any = None
    out_candidate_: Any = None

    def prepared(self, said: Any) -> Any:
        return said @ self.out_candidate_

    def scores(self, rows: Any, prepared: Any, begin: int, position: int) -> Any:
        return rows @ self.out_features_ + prepared[begin : position + 1]


@dataclass
class Feedforward(Ranker):
    """A ranker with two hidden layers (softsign) over the paper's 77 features and word vectors."""

    hidden: int = 512
    in_features_: Any = None
    in_message_: Any = None
    in_candidate_: Any = None
    in_bias_: Any = None
    middle_: Any = None
    middle_bias_: Any = None
    out_: Any = None

    hidden_layers = 2

    def prepared(self, said: Any) -> Any:
        return said @ self.in_message_ + self.in_bias_, said @ self.in_candidate_

    def scores(self, rows: Any, prepared: Any, begin: int, position: int) -> Any:
        message, candidate = prepared
        first = _softsign(rows @ self.in_features_ + message[position] + candidate[begin : position + 1])
        return _softsign(first @ self.middle_ + self.middle_bias_) @ self.out_


def _softsign(values: Any) -> Any:
    return values / (1 + abs(values))
