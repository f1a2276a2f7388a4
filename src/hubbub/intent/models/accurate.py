"""The accurate classifier: the sentence encoder fine-tuned on the intents, run without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from ...ml.calibration import log_sum_exp
from ...ml.encoder import Half, SentenceEncoder, encoder, table, tokenizer
from ...ml.encoder.half_encoder import WIDTH
from ...ml.encoder.half_encoder import fields as half_fields
from ...ml.model_schema import Field, Items, Numbers, Text
from ...ml.parameters import ranged
from ...ml.types import UNTRAINED, Array
from ..inference.neighbours import ExampleIndex, NearExample, centred
from ._classifier import MultiEvidenceClassifier, ScoredTexts, clipped

HALVES = ("lower.", "upper.")


@dataclass(repr=False)
class Accurate(MultiEvidenceClassifier):
    """All six layers fine-tuned under a head of scaled cosines; each batch passes twice under dropout with a
    consistency loss weighted by `consistency_weight` (R-Drop, Liang et al., 2021). With a share `token_dropout` there
    is a second training with so many tokens masked, and the weights of both are averaged. 15,000 texts are seen for
    `epochs` epochs, fewer for more. A second head on the mean of the tokens after layer three has the weight
    `lower_head_weight`. Out-of-scope evidence is the logit of the out-of-scope class against all others plus the
    distance from the nearest of `centres` centres an intent. `examples` keeps the training texts, to show those nearest
    to a query.
    """

    max_holdout_rounds = 1
    evidence_weights = (-1.0, -1.0)
    renamed_state: ClassVar = {"middle_": "lower_mean_", "beneath_": "lower_head_", "beneath_bias_": "lower_bias_"}
    renamed_parameters: ClassVar = {
        **MultiEvidenceClassifier.renamed_parameters,
        "agreement": "consistency_weight",
        "beneath": "lower_head_weight",
        "missed": "token_dropout",
        "outside": "out_of_scope_repeats",
    }
    criterion: str = "lost:0.5"
    epochs: int = ranged(3, 1, 10_000)
    batch: int = ranged(32, 1, 100_000)
    rate: float = ranged(1e-4, 0, 1)
    consistency_weight: float = ranged(1.0, 0, 1000)
    token_dropout: float = ranged(0.0, 0, 0.9)
    out_of_scope_repeats: int = ranged(3, 1, 1000)
    lower_head_weight: float = ranged(0.3, 0, 1000)
    centres: int = ranged(10, 1, 1000)
    examples: bool = True
    halves_: dict[str, Array] | None = None
    head_: Array = UNTRAINED
    bias_: Array = UNTRAINED
    lower_mean_: Array = UNTRAINED
    lower_head_: Array = UNTRAINED
    lower_bias_: Array = UNTRAINED
    centres_: Array = UNTRAINED
    texts_: list[str] | None = None
    labels_: Array = UNTRAINED
    vectors_: Array = UNTRAINED
    _encoder: SentenceEncoder | None = field(default=None, init=False, repr=False, compare=False)

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        from ..training.accurate import fine_tune, intent_centres
        from ._logistic_regression import fit_softmax_regression

        lower, upper, self.head_, self.bias_ = fine_tune(self, texts, labels, classes, len(self.names_ or []), seed)
        self._use(lower, upper)
        middle, vectors = self._levels(texts)
        self.lower_mean_ = middle.mean(0)
        weights, self.lower_bias_ = fit_softmax_regression(
            centred(middle, self.lower_mean_).astype(np.float32), labels, classes, seed
        )
        self.lower_head_ = weights.T.astype(np.float16)
        self.centres_ = intent_centres(vectors, labels, len(self.names_ or []), self.centres).astype(np.float16)
        inside = (
            [place for place, label in enumerate(labels) if label < len(self.names_ or [])] if self.examples else []
        )
        self.texts_ = [texts[place] for place in inside]
        self.labels_ = np.array(labels, np.int32)[inside]
        self.vectors_ = np.round(vectors[inside] * 127).astype(np.int8)

    def vectors(self, texts: Sequence[str]) -> Array:
        """The texts as this model sees them, one row of length 1 each."""
        return self._levels(texts)[1]

    def _use(self, *halves: Mapping[str, Any]) -> None:
        self.halves_ = {
            f"{which}{name}": half[name] for which, half in zip(HALVES, halves, strict=True) for name in half
        }
        self._encoder = SentenceEncoder(tokenizer(), table(), *map(Half, halves))

    def _levels(self, texts: Sequence[str]) -> tuple[Array, Array]:
        """The mean vectors of texts after the lower half and after the upper half of the encoder."""
        own = self._encoder or encoder()
        return own.halves([own.ids(text) for text in texts])

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[NearExample, ...]]:
        """The training examples most like each text; none if the model keeps none."""
        known, names = self.texts_ or [], self.names_ or []
        index = ExampleIndex(known, [names[label] for label in self.labels_], self.vectors_)
        return index.of(self.vectors([clipped(text) for text in texts]), count) if known else [()] * len(texts)

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        """Evidence is doubt, which counts against: by the head, by the distance from the nearest centre.

        In float64, where a batch and a single text differ by nothing that is ever shown.
        """
        middle, top = (level.astype(np.float64) for level in self._levels(texts))
        intents = len(self.names_ or [])
        above = top @ self.head_.T.astype(np.float64) + self.bias_
        below = centred(middle, self.lower_mean_) @ self.lower_head_.T.astype(np.float64) + self.lower_bias_
        scores = above + self.lower_head_weight * below
        logits = scores[:, :intents]
        by_head = scores[:, intents] - log_sum_exp(logits) if scores.shape[1] > intents else -log_sum_exp(above)
        similarity = top @ self.centres_.T.astype(np.float64)
        return ScoredTexts(logits, np.stack([by_head, -similarity.max(1)], 1))

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            **super().fields(tuned),
            "head_": Numbers("float32", ("classes", WIDTH)),
            "bias_": Numbers("float32", ("classes",)),
            "lower_mean_": Numbers("float32", (WIDTH,)),
            "lower_head_": Numbers("float16", ("classes", WIDTH)),
            "lower_bias_": Numbers("float32", ("classes",)),
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
