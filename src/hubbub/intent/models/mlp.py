"""The paper's network on frozen sentence embeddings: one hidden layer. Torch trains it, NumPy runs it.

The paper's embeddings are those of the Universal Sentence Encoder; here they are those of the bundled encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...ml.encoder import encoder
from ...ml.encoder.half_encoder import WIDTH
from ...ml.model_schema import Field, Numbers
from ...ml.parameters import ranged
from ...ml.torch_import import torch_or_error
from ...ml.types import UNTRAINED, Array
from ..training.small_networks import train_classifier
from ._classifier import Classifier, ScoredTexts, split_scores


@dataclass(repr=False)
class Mlp(Classifier):
    """A layer of `hidden` tangents between the encoder's vector of a text and the classes."""

    max_holdout_rounds = 1
    hidden: int = ranged(400, 1, 8192)
    dropout: float = ranged(0.0, 0, 0.95)
    epochs: int = ranged(30, 1, 10_000)
    batch: int = ranged(32, 1, 100_000)
    rate: float = ranged(1e-3, 0, 10)
    weights_: Array = UNTRAINED
    offsets_: Array = UNTRAINED
    output_: Array = UNTRAINED
    output_bias_: Array = UNTRAINED

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            "weights_": Numbers("float32", (self.hidden, WIDTH)),
            "offsets_": Numbers("float32", (self.hidden,)),
            "output_": Numbers("float32", ("classes", self.hidden)),
            "output_bias_": Numbers("float32", ("classes",)),
        }

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        torch = torch_or_error()
        vectors = torch.as_tensor(encoder().encode(texts))
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            first, last = torch.nn.Linear(vectors.shape[1], self.hidden), torch.nn.Linear(self.hidden, classes)
            network = torch.nn.Sequential(first, torch.nn.Tanh(), torch.nn.Dropout(self.dropout), last)
            train_classifier(
                network, lambda places: network(vectors[places]), labels, self.epochs, self.batch, self.rate
            )
        self.weights_, self.offsets_ = (each.detach().numpy().copy() for each in (first.weight, first.bias))
        self.output_, self.output_bias_ = (each.detach().numpy().copy() for each in (last.weight, last.bias))

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        # Text by text: the product of a table rounds differently, and a text's scores would depend on its batch.
        hidden = (np.tanh(self.weights_ @ vector + self.offsets_) for vector in encoder().encode(texts))
        scores = [self.output_ @ each + self.output_bias_ for each in hidden]
        return split_scores(np.array(scores, np.float32), len(self.names_ or []))
