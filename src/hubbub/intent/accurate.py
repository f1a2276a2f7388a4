"""The accurate classifier: the sentence encoder with its upper half taught the intents, run without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ..encode import Half, encoder
from ..layers import Intent
from .classifier import Classifier, Judged, clipped
from .nearest import Near, Nearest

UPPER = "upper."


@dataclass
class Accurate(Classifier):
    """Layers 4 to 6 fine-tuned under a head of scaled cosines, each batch seen twice under dropout (`agreement` is how
    much the two must agree). Doubt is the out-of-scope class against all others plus the distance from the nearest of
    `centres` centres an intent. `examples` keeps the training texts, to show those nearest to a query.
    """

    criterion: str = "lost:0.5"
    epochs: int = 3
    batch: int = 32
    rate: float = 1e-4
    agreement: float = 1.0
    outside: int = 3
    centres: int = 10
    examples: bool = True
    upper_: dict[str, Any] | None = None
    head_: Any = None
    bias_: Any = None
    centres_: Any = None
    spread_: Any = None
    texts_: list[str] | None = None
    labels_: Any = None
    vectors_: Any = None
    half: Half | None = field(default=None, init=False, repr=False)

    def learn(self, texts: Sequence[str], labels: Any, classes: int, seed: int) -> None:
        from .accurate_training import centres_of, taught

        lower = encoder().hidden(texts)
        self.upper_, self.head_, self.bias_ = taught(self, lower, labels, classes, len(self.names_ or []), seed)
        self.half = Half(self.upper_)
        vectors = self.vectors(texts)
        self.centres_ = centres_of(vectors, labels, len(self.names_ or []), self.centres).astype(np.float16)
        inside = (
            [place for place, label in enumerate(labels) if label < len(self.names_ or [])] if self.examples else []
        )
        self.texts_ = [texts[place] for place in inside]
        self.labels_ = np.array(labels, np.int32)[inside]
        self.vectors_ = np.round(vectors[inside] * 127).astype(np.int8)
        self.spread_ = np.array([[0.0, 1.0], [0.0, 1.0]])

    def tune(self, inputs: Sequence[str], golds: Sequence[Intent]) -> Self:
        inside = [clipped(text) for text, gold in zip(inputs, golds, strict=True) if gold.name is not None]
        _, doubts = self._doubts(inside or [clipped(text) for text in inputs])
        self.spread_ = np.stack([doubts.mean(0), np.maximum(doubts.std(0), 1e-6)])
        return super().tune(inputs, golds)

    def judge(self, texts: Sequence[str]) -> Judged:
        logits, doubts = self._doubts(texts)
        middle, width = self.spread_
        return Judged(logits, -((doubts - middle) / width).sum(1))

    def vectors(self, texts: Sequence[str]) -> Any:
        """The texts as this model sees them, one row of length 1 each."""
        return encoder().encode(texts, self.half)

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[Near, ...]]:
        """The training examples most like each text; none if the model keeps none."""
        known, names = self.texts_ or [], self.names_ or []
        kept = Nearest(known, [names[label] for label in self.labels_], self.vectors_)
        return kept.of(self.vectors([clipped(text) for text in texts]), count) if known else [()] * len(texts)

    def _doubts(self, texts: Sequence[str]) -> tuple[Any, Any]:
        """The logits of the intents, and two columns of doubt: by the head, by the distance.

        In float64, where a batch and a single text differ by nothing that is ever shown.
        """
        vectors = self.vectors(texts).astype(np.float64)
        intents = len(self.names_ or [])
        scores = vectors @ self.head_.T.astype(np.float64) + self.bias_
        logits = scores[:, :intents]
        top = logits.max(1)
        total = top + np.log(np.exp(logits - top[:, None]).sum(1))
        by_head = scores[:, intents] - total if scores.shape[1] > intents else -total
        likeness = vectors @ self.centres_.T.astype(np.float64)
        return logits, np.stack([by_head, -likeness.max(1)], 1)

    def state(self) -> Mapping[str, Any]:
        plain = {name: value for name, value in super().state().items() if name != "upper_"}
        return {**plain, **{UPPER + name: array for name, array in (self.upper_ or {}).items()}}

    def restore(self, state: Mapping[str, Any]) -> Self:
        upper = {name.removeprefix(UPPER): array for name, array in state.items() if name.startswith(UPPER)}
        self.half = Half(upper)
        return super().restore({**state, "upper_": upper})
