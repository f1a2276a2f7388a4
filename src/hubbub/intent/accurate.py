"""The accurate classifier: the sentence encoder taught the intents, run without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ..encode import Encoder, Half, encoder, table, tokenizer
from ..encode.half import WIDTH
from ..encode.half import fields as half_fields
from ..parameters import ranged
from ..schema import Field, Items, Numbers, Text
from .classifier import Judged, Weighing, clipped, logsum
from .nearest import Near, Nearest, centred

HALVES = ("lower.", "upper.")


@dataclass
class Accurate(Weighing):
    """All six layers fine-tuned under a head of scaled cosines, each batch seen twice under dropout (`agreement` is how
    much the two looks must agree). If a share `missed` is given, this is done once more with looks that miss so many of
    the tokens, and the weights of both are averaged. Fifteen thousand texts are seen `epochs` times, fewer oftener. A
    second head sees the tokens half-way up, where words still are what they are, and counts `beneath` as much. Doubt is
    the out-of-scope class against all others plus the distance from the nearest of `centres` centres an intent.
    `examples` keeps the training texts, to show those nearest to a query.
    """

    most_rehearsals = 1
    worth = (-1.0, -1.0)
    criterion: str = "lost:0.5"
    epochs: int = ranged(3, 1, 10_000)
    batch: int = ranged(32, 1, 100_000)
    rate: float = ranged(1e-4, 0, 1)
    agreement: float = ranged(1.0, 0, 1000)
    missed: float = ranged(0.0, 0, 0.9)
    outside: int = ranged(3, 1, 1000)
    beneath: float = ranged(0.3, 0, 1000)
    centres: int = ranged(10, 1, 1000)
    examples: bool = True
    halves_: dict[str, Any] | None = None
    head_: Any = None
    bias_: Any = None
    middle_: Any = None
    beneath_: Any = None
    beneath_bias_: Any = None
    centres_: Any = None
    texts_: list[str] | None = None
    labels_: Any = None
    vectors_: Any = None
    _encoder: Encoder | None = field(default=None, init=False, repr=False, compare=False)

    def learn(self, texts: Sequence[str], labels: Any, classes: int, seed: int) -> None:
        from .accurate_training import centres_of, taught
        from .regression import regression

        lower, upper, self.head_, self.bias_ = taught(self, texts, labels, classes, len(self.names_ or []), seed)
        self._use(lower, upper)
        middle, vectors = self._levels(texts)
        self.middle_ = middle.mean(0)
        weights, self.beneath_bias_ = regression(
            centred(middle, self.middle_).astype(np.float32), labels, classes, seed
        )
        self.beneath_ = weights.T.astype(np.float16)
        self.centres_ = centres_of(vectors, labels, len(self.names_ or []), self.centres).astype(np.float16)
        inside = (
            [place for place, label in enumerate(labels) if label < len(self.names_ or [])] if self.examples else []
        )
        self.texts_ = [texts[place] for place in inside]
        self.labels_ = np.array(labels, np.int32)[inside]
        self.vectors_ = np.round(vectors[inside] * 127).astype(np.int8)

    def vectors(self, texts: Sequence[str]) -> Any:
        """The texts as this model sees them, one row of length 1 each."""
        return self._levels(texts)[1]

    def _use(self, *halves: Mapping[str, Any]) -> None:
        self.halves_ = {
            f"{which}{name}": half[name] for which, half in zip(HALVES, halves, strict=True) for name in half
        }
        self._encoder = Encoder(tokenizer(), table(), *map(Half, halves))

    def _levels(self, texts: Sequence[str]) -> tuple[Any, Any]:
        """What the encoder says of texts half-way up and at the top."""
        own = self._encoder or encoder()
        return own.halves([own.ids(text) for text in texts])

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[Near, ...]]:
        """The training examples most like each text; none if the model keeps none."""
        known, names = self.texts_ or [], self.names_ or []
        kept = Nearest(known, [names[label] for label in self.labels_], self.vectors_)
        return kept.of(self.vectors([clipped(text) for text in texts]), count) if known else [()] * len(texts)

    def judge(self, texts: Sequence[str]) -> Judged:
        """Evidence is doubt, which counts against: by the head, by the distance from the nearest centre.

        In float64, where a batch and a single text differ by nothing that is ever shown.
        """
        middle, top = (level.astype(np.float64) for level in self._levels(texts))
        intents = len(self.names_ or [])
        above = top @ self.head_.T.astype(np.float64) + self.bias_
        below = centred(middle, self.middle_) @ self.beneath_.T.astype(np.float64) + self.beneath_bias_
        scores = above + self.beneath * below
        logits = scores[:, :intents]
        by_head = scores[:, intents] - logsum(logits) if scores.shape[1] > intents else -logsum(above)
        likeness = top @ self.centres_.T.astype(np.float64)
        return Judged(logits, np.stack([by_head, -likeness.max(1)], 1))

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            **super().fields(tuned),
            "head_": Numbers("float32", ("classes", WIDTH)),
            "bias_": Numbers("float32", ("classes",)),
            "middle_": Numbers("float32", (WIDTH,)),
            "beneath_": Numbers("float16", ("classes", WIDTH)),
            "beneath_bias_": Numbers("float32", ("classes",)),
            "centres_": Numbers("float16", ("centres", WIDTH)),
            "texts_": Items(Text(), "examples"),
            "labels_": Numbers("int32", ("examples",), 0, below="names"),
            "vectors_": Numbers("int8", ("examples", WIDTH)),
            **{name: each for half in HALVES for name, each in half_fields(half).items()},
        }

    def state(self) -> Mapping[str, Any]:
        plain = {name: value for name, value in super().state().items() if name != "halves_"}
        return {**plain, **(self.halves_ or {})}

    def restore(self, state: Mapping[str, Any]) -> Self:
        self._use(
            *({name.removeprefix(half): state[name] for name in state if name.startswith(half)} for half in HALVES)
        )
        return super().restore({**state, "halves_": self.halves_})
