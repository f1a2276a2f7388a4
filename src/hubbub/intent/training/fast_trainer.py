"""How the network of `intent/fast` learns: Adam over the rows that a batch touches and over the dense layers."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...ml.calibration import softmax
from ...ml.types import UNTRAINED, Array
from ..features.ngrams import Bag
from ..models._fast_network import DENSE_PARAMETERS, MAX_POOL_WEIGHT, NgramNetwork, normalised
from .fast_kernels import adam_all, adam_rows, max_rows, mean_rows, scatter_max_gradients, scatter_mean_gradients

log = logging.getLogger(__name__)

WARM_UP = 0.1  # share of the steps in which the rate rises
PROGRESS_REPORTS = 5


class TrainingTexts(NamedTuple):
    """Texts as rows of the tables; the gold class of each, -1 if there is none; the teacher's log probabilities."""

    texts: Sequence[Bag]
    labels: Array
    soft_labels: Array | None = None


@dataclass(frozen=True, slots=True)
class OptimizerSettings:
    """Settings of the optimizer. With soft labels the loss is the cross-entropy with them at `temperature`. `dropout`
    are the shares of features, hidden inputs and hidden units dropped in a step. The dense weights decay to zero, or to
    their initial values if `anchored`.
    """

    steps: int
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.01
    temperature: float = 3.0
    dropout: tuple[float, float, float] = (0.1, 0.3, 0.3)
    anchored: bool = False


class _TableState:
    """A table with its Adam moments."""

    def __init__(self, values: Array) -> None:
        self.values = values
        self.first, self.second, self.gradients = (np.zeros_like(values) for _ in range(3))
        self.last_step = np.zeros(len(values), np.int64)
        self.counts: Array = UNTRAINED
        self.where: Array = UNTRAINED


class FastTrainer:
    """One training of a network."""

    def __init__(self, network: NgramNetwork, examples: TrainingTexts, settings: OptimizerSettings, seed: int) -> None:
        self.network, self.examples, self.settings = network, examples, settings
        self.random = np.random.default_rng(seed)
        self.tables = [_TableState(np.asarray(table)) for table in network.tables]
        self.memory = {name: [np.zeros_like(getattr(network, name)) for _ in range(2)] for name in DENSE_PARAMETERS}
        self.anchor = {name: getattr(network, name) * np.float32(settings.anchored) for name in DENSE_PARAMETERS}
        self.dropped = np.uint32(settings.dropout[0] * 2**32)
        self.soft_labels = (
            None if examples.soft_labels is None else softmax(examples.soft_labels / settings.temperature)
        )

    def run(self) -> None:
        waiting = np.zeros(0, np.int64)
        total = 0.0
        for step in range(1, self.settings.steps + 1):
            while len(waiting) < self.settings.batch:
                waiting = np.concatenate([waiting, self.random.permutation(len(self.examples.labels))])
            batch, waiting = waiting[: self.settings.batch], waiting[self.settings.batch :]
            total += self._step(batch, step)
            if step % max(1, self.settings.steps // PROGRESS_REPORTS) == 0:
                log.info(
                    "step %d of %d: loss %.4f",
                    step,
                    self.settings.steps,
                    total / max(1, self.settings.steps // PROGRESS_REPORTS),
                )
                total = 0.0

    def _step(self, batch: Array, step: int) -> float:
        net, settings = self.network, self.settings
        rate = settings.rate * min(1, step / (WARM_UP * settings.steps)) * (1 - step / (settings.steps + 1))
        pooled = [self._mean_inputs(k, batch, step) for k in range(3)]
        if net.sees_largest:
            pooled.append(self._max_inputs(batch, step))
        normalized, factor = normalised(np.concatenate(pooled, 1))
        input_mask = self._mask(normalized.shape, settings.dropout[1])
        hidden_mask = self._mask((len(batch), len(net.hidden_bias)), settings.dropout[2])
        inputs = (normalized * net.gain + net.shift) * input_mask
        hidden = np.maximum(inputs @ net.hidden + net.hidden_bias, 0) * hidden_mask
        gradient, loss = self._loss(hidden @ net.out + net.out_bias, batch)
        hidden_gradient = (gradient @ net.out.T) * hidden_mask * (hidden > 0)
        input_gradient = (hidden_gradient @ net.hidden.T) * input_mask
        gradients = {
            "out": hidden.T @ gradient,
            "out_bias": gradient.sum(0),
            "hidden": inputs.T @ hidden_gradient,
            "hidden_bias": hidden_gradient.sum(0),
            "gain": (input_gradient * normalized).sum(0),
            "shift": input_gradient.sum(0),
        }
        # Through the layer normalization (Ba et al. 2016, section 3) to the pooled rows.
        input_gradient *= net.gain
        input_gradient = factor * (
            input_gradient
            - input_gradient.mean(1, keepdims=True)
            - normalized * (input_gradient * normalized).mean(1, keepdims=True)
        )
        for name, dense in gradients.items():
            # Biases do not decay, unless all weights decay towards where training started.
            decay = self.settings.decay if dense.ndim == 2 or self.settings.anchored else 0.0
            weights = getattr(self.network, name)
            anchor, first, second = (each.ravel() for each in (self.anchor[name], *self.memory[name]))
            adam_all(weights.ravel(), anchor, first, second, np.ascontiguousarray(dense).ravel(), rate, step, decay)
        self._update_tables(input_gradient, batch, rate, step)
        return loss

    def _mean_inputs(self, which: int, batch: Array, step: int) -> Array:
        table, bag = self.tables[which], self.examples.texts[which]
        means = np.zeros((len(batch), table.values.shape[1]), np.float32)
        table.counts = np.zeros(len(batch), np.float32)
        mean_rows(table.values, bag.keys, bag.starts, batch, step, self.dropped, means, table.counts)
        return means

    def _max_inputs(self, batch: Array, step: int) -> Array:
        table, bag = self.tables[0], self.examples.texts[0]
        found = np.zeros((len(batch), table.values.shape[1]), np.float32)
        table.where = np.full(found.shape, -1, np.int64)
        max_rows(table.values, bag.keys, bag.starts, batch, step, self.dropped, found, table.where)
        return found * MAX_POOL_WEIGHT

    def _mask(self, shape: tuple[int, ...], dropout: float) -> Array:
        return (self.random.random(shape, np.float32) >= dropout) * np.float32(1 / (1 - dropout))

    def _loss(self, scores: Array, batch: Array) -> tuple[Array, float]:
        """The gradient of the loss by the scores, and the cross-entropy with the gold labels."""
        labels, probabilities = self.examples.labels[batch], softmax(scores)
        known = np.flatnonzero(labels >= 0)
        cross_entropy = -np.log(np.maximum(probabilities[known, labels[known]], 1e-9)).mean() if len(known) else 0.0
        if self.soft_labels is None:
            gradient = probabilities
            gradient[known, labels[known]] -= 1
        else:
            gradient = self.settings.temperature * (
                softmax(scores / self.settings.temperature) - self.soft_labels[batch]
            )
        return (gradient / len(batch)).astype(np.float32), float(cross_entropy)

    def _update_tables(self, back: Array, batch: Array, rate: float, step: int) -> None:
        begin = 0
        for table, bag in zip(self.tables, self.examples.texts, strict=True):
            end = begin + table.values.shape[1]
            place = (bag.keys, bag.starts, batch, step, self.dropped)
            touched = scatter_mean_gradients(table.gradients, table.last_step, *place, back[:, begin:end], table.counts)
            if table.where is not None:
                scatter_max_gradients(table.gradients, table.where, back[:, -table.where.shape[1] :] * MAX_POOL_WEIGHT)
            adam_rows(table.values, table.first, table.second, table.gradients, touched, rate, step)
            begin = end


def log_softmax(scores: Array) -> Array:
    """The logarithm of softmax, none of it below that of a billionth."""
    return np.log(np.maximum(softmax(np.asarray(scores, np.float32)), 1e-9))
