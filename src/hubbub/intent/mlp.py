"""The paper's network on frozen sentence embeddings: one hidden layer. Torch trains it, NumPy runs it.

The paper's embeddings are those of the Universal Sentence Encoder; here they are those of the bundled encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..encode import encoder
from ..encode.half import WIDTH
from ..parameters import ranged
from ..schema import Field, Numbers
from ..training import torch_or_error
from .classifier import Classifier, Judged, parted
from .torch_descent import descend


@dataclass
class Mlp(Classifier):
    """A layer of `hidden` tangents between the encoder's vector of a text and the classes."""

    most_rehearsals = 1
    hidden: int = ranged(400, 1, 8192)
    dropout: float = ranged(0.0, 0, 0.95)
    epochs: int = ranged(30, 1, 10_000)
    batch: int = ranged(32, 1, 100_000)
    rate: float = ranged(1e-3, 0, 10)
    weights_: Any = None
    offsets_: Any = None
    output_: Any = None
    output_bias_: Any = None

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            "weights_": Numbers("float32", (self.hidden, WIDTH)),
            "offsets_": Numbers("float32", (self.hidden,)),
            "output_": Numbers("float32", ("classes", self.hidden)),
            "output_bias_": Numbers("float32", ("classes",)),
        }

    def learn(self, texts: Sequence[str], labels: Any, classes: int, seed: int) -> None:
        torch = torch_or_error()
        given = torch.as_tensor(encoder().encode(texts))
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            first, last = torch.nn.Linear(given.shape[1], self.hidden), torch.nn.Linear(self.hidden, classes)
            network = torch.nn.Sequential(first, torch.nn.Tanh(), torch.nn.Dropout(self.dropout), last)
            descend(network, lambda places: network(given[places]), labels, self.epochs, self.batch, self.rate)
        self.weights_, self.offsets_ = (each.detach().numpy().copy() for each in (first.weight, first.bias))
        self.output_, self.output_bias_ = (each.detach().numpy().copy() for each in (last.weight, last.bias))

    def judge(self, texts: Sequence[str]) -> Judged:
        scores = [self._scores(vector) for vector in encoder().encode(texts)]
        return parted(np.array(scores, np.float32), len(self.names_ or []))

    def _scores(self, vector: Any) -> Any:
        return self.output_ @ np.tanh(self.weights_ @ vector + self.offsets_) + self.output_bias_
