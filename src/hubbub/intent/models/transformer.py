"""The paper's fine-tuned encoder with a plain linear head on it. Torch trains it, onnxruntime runs it.

The paper fine-tunes all of BERT large; here the upper half of the bundled encoder is trained on, its lower half is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Self

import numpy as np

from ...ml.encoder import Half, encoder
from ...ml.encoder.files import arrays
from ...ml.encoder.half_encoder import WIDTH, dequantised, quantised
from ...ml.encoder.half_encoder import fields as half_fields
from ...ml.model_schema import Field, Numbers
from ...ml.parameters import ranged
from ...ml.torch_import import torch_or_error
from ...ml.types import UNTRAINED, Array, Network, Tensor
from ._classifier import Classifier, ScoredTexts, split_scores

UPPER = "upper."
HEAD_RATE = 2e-3  # the head is untrained at first and needs a higher rate than the encoder
CHUNK = 50  # batches that are mixed, then sorted by length, so that little is padded


@dataclass(repr=False)
class Transformer(Classifier):
    """`rate` is that of the encoder's layers; it rises over the first tenth of the steps and falls to zero."""

    max_holdout_rounds = 1
    epochs: int = ranged(5, 1, 10_000)
    batch: int = ranged(32, 1, 100_000)
    rate: float = ranged(1e-4, 0, 10)
    dropout: float = ranged(0.1, 0, 0.95)
    head_: Array = UNTRAINED
    head_bias_: Array = UNTRAINED
    upper: dict[str, Array] = field(default_factory=dict, init=False, repr=False)
    half: Half | None = field(default=None, init=False, repr=False)

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            "head_": Numbers("float32", ("classes", WIDTH)),
            "head_bias_": Numbers("float32", ("classes",)),
            **half_fields(UPPER),
        }

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        torch = torch_or_error()
        stored = arrays("upper.npz")
        weights = {name: torch.tensor(each, requires_grad=True) for name, each in dequantised(stored).items()}
        states = [torch.from_numpy(each) for each in encoder().hidden(texts)]
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            head = torch.nn.Linear(WIDTH, classes)
            self._train(torch, weights, head, states, torch.as_tensor(labels))
        self.head_, self.head_bias_ = (each.detach().numpy().copy() for each in (head.weight, head.bias))
        self._use(quantised({name: each.detach().numpy() for name, each in weights.items()}, stored))

    def _train(
        self, torch: ModuleType, weights: dict[str, Tensor], head: Network, states: Sequence[Tensor], labels: Tensor
    ) -> None:
        groups = [{"params": list(weights.values()), "lr": self.rate}, {"params": head.parameters(), "lr": HEAD_RATE}]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        steps = self.epochs * -(-len(states) // self.batch)
        rising = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / (0.1 * steps), 1) * (1 - step / (steps + 1))
        )
        for _ in range(self.epochs):
            for places in _batches(torch.randperm(len(states)).tolist(), states, self.batch):
                pooled = _pooled(torch, weights, [states[place] for place in places], self.dropout)
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(head(pooled), labels[places]).backward()
                optimizer.step()
                rising.step()

    def _use(self, upper: Mapping[str, Array]) -> None:
        self.upper, self.half = dict(upper), Half(upper)

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        vectors = encoder().encode(texts, self.half) * np.float32(WIDTH**0.5)
        scores = [self.head_ @ vector + self.head_bias_ for vector in vectors]
        return split_scores(np.array(scores, np.float32), len(self.names_ or []))

    def state(self) -> Mapping[str, Any]:
        return {**super().state(), **{UPPER + name: array for name, array in self.upper.items()}}

    def restore(self, state: Mapping[str, Any]) -> Self:
        self._use({name.removeprefix(UPPER): each for name, each in state.items() if name.startswith(UPPER)})
        return super().restore(state)


def _pooled(torch: ModuleType, weights: Mapping[str, Tensor], states: Sequence[Tensor], dropout: float) -> Tensor:
    """The mean of each text's tokens above the trained layers, all of the same length as vectors."""
    from ...ml.encoder.torch_layers import half

    lengths = torch.tensor([len(each) for each in states])
    mask = torch.arange(int(lengths.max())) < lengths[:, None]
    above = half(weights, torch.nn.utils.rnn.pad_sequence(states, batch_first=True), mask, dropout)
    mean = (above * mask[..., None]).sum(1)
    return torch.nn.functional.normalize(mean, dim=1) * WIDTH**0.5


def _batches(places: list[int], states: Sequence[Tensor], size: int) -> Iterator[list[int]]:
    """Batches of about equal lengths, in an order that says nothing of the lengths."""
    for start in range(0, len(places), CHUNK * size):
        chunk = sorted(places[start : start + CHUNK * size], key=lambda place: len(states[place]))
        found = [chunk[at : at + size] for at in range(0, len(chunk), size)]
        yield from sorted(found, key=lambda each: each[0])
