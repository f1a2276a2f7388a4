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
from ..parameters import ranged
from ..schema import Field, Items, Numbers, Schema, Size, Text
from .paper_features import BLOCK, COUNT, REACH, paper_features
from .vectors import Sentences


@dataclass
class Ranker(Learnt):
    """What both rankers share.

    In training, the `rivals` that look likeliest by their features alone compete, and `sampled` others that stand for
    all the rest. `dimensions` is the length of a word's vector.
    """

    dimensions: int = ranged(100, 1, 1000)
    epochs: int = ranged(3, 1, 10_000)
    rate: float = ranged(0.002, 0, 10)
    decay: float = ranged(1e-6, 0, 1)
    batch: int = ranged(128, 1, 100_000)
    rivals: int = ranged(6, 1, REACH)
    sampled: int = ranged(2, 0, REACH)
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
        """The shapes of what is learnt besides the word vectors."""
        raise NotImplementedError

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

        said = Sentences(self.vocabulary_ or [], self.vectors_).of([message.text for message in chat.seen()])
        features, prepared = paper_features(chat), self.prepared(said)
        for begin in range(0, len(chat), BLOCK):
            rows = features.block(begin // BLOCK).astype(np.float32)
            position = np.arange(begin, begin + len(rows))
            scores = self.scores(rows, prepared, position)
            apart = scores[:, ::-1].argmax(axis=1)
            sums = np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1)
            yield from zip((position - apart).tolist(), (1 / sums).tolist(), strict=True)

    def prepared(self, said: Any) -> Any:
        """What can be worked out for each message alone."""
        raise NotImplementedError

    def scores(self, rows: Any, prepared: Any, position: Any) -> Any:
        """Of each message those of its REACH + 1 candidates, minus infinity where there is none."""
        raise NotImplementedError


@dataclass
class Linear(Ranker):
    """A linear ranker over the paper's 77 features and word vectors."""

    epochs: int = ranged(4, 1, 10_000)
    rate: float = ranged(0.02, 0, 10)
    batch: int = ranged(512, 1, 100_000)
    rivals: int = ranged(30, 1, REACH)
    sampled: int = ranged(10, 0, REACH)
    out_features_: Any = None
    out_candidate_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        return {"out_features_": (COUNT,), "out_candidate_": (2 * self.dimensions,)}

    def prepared(self, said: Any) -> Any:
        return said @ self.out_candidate_

    def scores(self, rows: Any, prepared: Any, position: Any) -> Any:
        import numpy as np

        candidate = candidates(position)
        return np.where(candidate < 0, -np.inf, rows @ self.out_features_ + prepared[candidate.clip(0)])


@dataclass
class Feedforward(Ranker):
    """A ranker with two hidden layers (softsign) over the paper's 77 features and word vectors.

    The `shortlist` that looks likeliest by a linear look at the features is scored, the rest is out.
    """

    hidden: int = ranged(512, 1, 4096)
    shortlist: int = ranged(24, 1, REACH + 1)
    shortlist_: Any = None
    in_features_: Any = None
    in_message_: Any = None
    in_candidate_: Any = None
    in_bias_: Any = None
    middle_: Any = None
    middle_bias_: Any = None
    out_: Any = None

    hidden_layers = 2

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        said, hidden = 2 * self.dimensions, self.hidden
        return {
            "shortlist_": (COUNT,),
            "in_features_": (COUNT, hidden),
            "in_message_": (said, hidden),
            "in_candidate_": (said, hidden),
            "in_bias_": (hidden,),
            "middle_": (hidden, hidden),
            "middle_bias_": (hidden,),
            "out_": (hidden,),
        }

    def prepared(self, said: Any) -> Any:
        return said @ self.in_message_ + self.in_bias_, said @ self.in_candidate_

    def scores(self, rows: Any, prepared: Any, position: Any) -> Any:
        import numpy as np

        message, said = prepared
        candidate = candidates(position)
        rough = np.where(candidate < 0, -np.inf, rows @ self.shortlist_)
        kept = np.argsort(-rough, axis=1)[:, : self.shortlist]
        listed = np.take_along_axis(candidate, kept, axis=1)
        first = np.take_along_axis(rows, kept[:, :, None], axis=1) @ self.in_features_
        first = _softsign(first + message[position][:, None] + said[listed.clip(0)])
        found = _softsign(first @ self.middle_ + self.middle_bias_) @ self.out_
        scores = np.full(rough.shape, -np.inf, dtype=np.float32)
        np.put_along_axis(scores, kept, np.where(listed < 0, -np.inf, found), axis=1)
        return scores


def candidates(position: Any) -> Any:
    """The candidates of each message, from the farthest to itself; those below 0 do not exist."""
    import numpy as np

    return position[:, None] + np.arange(-REACH, 1)


def _softsign(values: Any) -> Any:
    return values / (1 + abs(values))
