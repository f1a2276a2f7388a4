"""How the network of `intent/fast` learns: Adam over the rows that a batch touches and over the dense layers."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .grams import Bag
from .kernels import average, hand_back, largest, scatter, step_all, step_rows
from .network import DENSE, STANDING_OUT, Network, normalised

log = logging.getLogger(__name__)

WARM = 0.1
REPORTS = 5


class Lessons(NamedTuple):
    """Texts as rows of the tables; the right class of each, -1 if only the teacher knows; what the teacher says."""

    texts: Sequence[Bag]
    labels: Any
    taught: Any = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How to descend. Where there is a teacher, its word counts and not the labels; `softness` is the temperature it
    speaks at. `lost` is the share of a text's features, inputs of the hidden layer and hidden units left out in a step.
    The dense weights decay to nothing, or to what they were before if the network is to `remember`."""

    steps: int
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.01
    softness: float = 3.0
    lost: tuple[float, float, float] = (0.1, 0.3, 0.3)
    remember: bool = False


class _Table:
    """A table with what Adam remembers of it."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.first, self.second, self.slopes = (np.zeros_like(values) for _ in range(3))
        self.seen = np.zeros(len(values), np.int64)
        self.counts: Any = None
        self.where: Any = None


class Descent:
    """One training of a network."""

    def __init__(self, network: Network, lessons: Lessons, plan: Plan, seed: int) -> None:
        self.network, self.lessons, self.plan = network, lessons, plan
        self.random = np.random.default_rng(seed)
        self.tables = [_Table(table) for table in network.tables]
        self.memory = {name: [np.zeros_like(getattr(network, name)) for _ in range(2)] for name in DENSE}
        self.home = {name: getattr(network, name) * np.float32(plan.remember) for name in DENSE}
        self.dropped = np.uint32(plan.lost[0] * 2**32)
        self.taught = None if lessons.taught is None else shares(lessons.taught / plan.softness)

    def run(self) -> None:
        waiting = np.zeros(0, np.int64)
        total = 0.0
        for step in range(1, self.plan.steps + 1):
            while len(waiting) < self.plan.batch:
                waiting = np.concatenate([waiting, self.random.permutation(len(self.lessons.labels))])
            batch, waiting = waiting[: self.plan.batch], waiting[self.plan.batch :]
            total += self._step(batch, step)
            if step % max(1, self.plan.steps // REPORTS) == 0:
                log.info("step %d of %d: loss %.4f", step, self.plan.steps, total / max(1, self.plan.steps // REPORTS))
                total = 0.0

    def _step(self, batch: Any, step: int) -> float:
        net, plan = self.network, self.plan
        rate = plan.rate * min(1, step / (WARM * plan.steps)) * (1 - step / (plan.steps + 1))
        seen = [self._means(k, batch, step) for k in range(3)]
        if net.sees_largest:
            seen.append(self._largest(batch, step))
        normal, factor = normalised(np.concatenate(seen, 1))
        kept = self._mask(normal.shape, plan.lost[1])
        kept_inside = self._mask((len(batch), len(net.hidden_bias)), plan.lost[2])
        given = (normal * net.gain + net.shift) * kept
        inside = np.maximum(given @ net.hidden + net.hidden_bias, 0) * kept_inside
        slope, loss = self._loss(inside @ net.out + net.out_bias, batch)
        back_inside = (slope @ net.out.T) * kept_inside * (inside > 0)
        back = (back_inside @ net.hidden.T) * kept
        slopes = {"out": inside.T @ slope, "out_bias": slope.sum(0), "hidden": given.T @ back_inside,
                  "hidden_bias": back_inside.sum(0), "gain": (back * normal).sum(0), "shift": back.sum(0)}  # fmt: skip
        back *= net.gain
        back = factor * (back - back.mean(1, keepdims=True) - normal * (back * normal).mean(1, keepdims=True))
        self._move_dense(slopes, rate, step)
        self._move_tables(back, batch, rate, step)
        return loss

    def _means(self, which: int, batch: Any, step: int) -> Any:
        table, bag = self.tables[which], self.lessons.texts[which]
        means = np.zeros((len(batch), table.values.shape[1]), np.float32)
        table.counts = np.zeros(len(batch), np.float32)
        average(table.values, bag.keys, bag.starts, batch, step, self.dropped, means, table.counts)
        return means

    def _largest(self, batch: Any, step: int) -> Any:
        table, bag = self.tables[0], self.lessons.texts[0]
        found = np.zeros((len(batch), table.values.shape[1]), np.float32)
        table.where = np.full(found.shape, -1, np.int64)
        largest(table.values, bag.keys, bag.starts, batch, step, self.dropped, found, table.where)
        return found * STANDING_OUT

    def _mask(self, shape: tuple[int, ...], lost: float) -> Any:
        return (self.random.random(shape, np.float32) >= lost) * np.float32(1 / (1 - lost))

    def _loss(self, scores: Any, batch: Any) -> tuple[Any, float]:
        """The slope of the loss by the scores, and the surprise at the right labels."""
        labels, chances = self.lessons.labels[batch], shares(scores)
        known = np.flatnonzero(labels >= 0)
        surprise = -np.log(np.maximum(chances[known, labels[known]], 1e-9)).mean() if len(known) else 0.0
        if self.taught is None:
            slope = chances
            slope[known, labels[known]] -= 1
        else:
            slope = self.plan.softness * (shares(scores / self.plan.softness) - self.taught[batch])
        return (slope / len(batch)).astype(np.float32), float(surprise)

    def _move_dense(self, slopes: dict[str, Any], rate: float, step: int) -> None:
        for name, slope in slopes.items():
            decay = self.plan.decay if slope.ndim == 2 or self.plan.remember else 0.0
            weights, slope = getattr(self.network, name), np.ascontiguousarray(slope)
            home, first, second = (each.ravel() for each in (self.home[name], *self.memory[name]))
            step_all(weights.ravel(), home, first, second, slope.ravel(), rate, step, decay)

    def _move_tables(self, back: Any, batch: Any, rate: float, step: int) -> None:
        begin = 0
        for table, bag in zip(self.tables, self.lessons.texts, strict=True):
            end = begin + table.values.shape[1]
            place = (bag.keys, bag.starts, batch, step, self.dropped)
            touched = scatter(table.slopes, table.seen, *place, back[:, begin:end], table.counts)
            if table.where is not None:
                hand_back(table.slopes, table.where, back[:, -table.where.shape[1] :] * STANDING_OUT)
            step_rows(table.values, table.first, table.second, table.slopes, touched, rate, step)
            begin = end


def shares(scores: Any) -> Any:
    """Softmax."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def log_shares(scores: Any) -> Any:
    """The logarithm of softmax, none of it below that of a billionth."""
    return np.log(np.maximum(shares(np.asarray(scores, np.float32)), 1e-9))
