"""The inner loops of training `intent/fast`, compiled by numba: mean and max pooling of table rows, and Adam.

Feature dropout is a hash of position and step, so that the backward pass drops the same features as the forward pass
without storing a mask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from ...ml.types import Array

Function = TypeVar("Function", bound=Callable[..., Any])

BETA_1, BETA_2, EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-8)  # defaults of Adam (Kingma and Ba 2015)


def _compiled(function: Function) -> Function:
    """The function compiled to machine code, cached on disk."""
    return cast(Function, numba.njit(cache=True, fastmath=True)(function))


@numba.njit(inline="always")
def _cache_path(place: int, step: int, dropped: np.uint32) -> np.bool_:
    """Whether the feature at a place is used in a step: a hash of both against a limit below 2 ** 32."""
    mixed = np.uint32(place) + np.uint32(step) * np.uint32(2654435761)
    mixed ^= mixed >> np.uint32(16)
    mixed = np.uint32(mixed * np.uint32(0x85EBCA6B))
    mixed ^= mixed >> np.uint32(13)
    mixed = np.uint32(mixed * np.uint32(0xC2B2AE35))
    return (mixed ^ (mixed >> np.uint32(16))) >= dropped


@_compiled
def mean_rows(
    table: Array, rows: Array, starts: Array, batch: Array, step: int, dropped: np.uint32, means: Array, counts: Array
) -> None:
    """The mean of the table rows of each text of a batch, and how many they were."""
    for place, text in enumerate(batch):
        count = 0
        for each in range(starts[text], starts[text + 1]):
            if _cache_path(each, step, dropped):
                count += 1
                for column in range(table.shape[1]):
                    means[place, column] += table[rows[each], column]
        counts[place] = max(count, 1)
        for column in range(table.shape[1]):
            means[place, column] /= counts[place]


@_compiled
def scatter_mean_gradients(
    gradients: Array,
    last_step: Array,
    rows: Array,
    starts: Array,
    batch: Array,
    step: int,
    dropped: np.uint32,
    upstream: Array,
    counts: Array,
) -> Array:
    """Adds the gradients of the means to the rows that they were computed from; returns these rows."""
    touched, found = np.empty(len(last_step), np.int64), 0
    for place, text in enumerate(batch):
        share = np.float32(1 / counts[place])
        for each in range(starts[text], starts[text + 1]):
            if _cache_path(each, step, dropped):
                row = rows[each]
                if last_step[row] != step:
                    last_step[row], touched[found], gradients[row] = step, row, 0
                    found += 1
                for column in range(gradients.shape[1]):
                    gradients[row, column] += upstream[place, column] * share
    return touched[:found]


@_compiled
def max_rows(
    table: Array, rows: Array, starts: Array, batch: Array, step: int, dropped: np.uint32, found: Array, where: Array
) -> None:
    """The largest number of each column among the table rows of each text of a batch, and the row that has it."""
    for place, text in enumerate(batch):
        for each in range(starts[text], starts[text + 1]):
            if _cache_path(each, step, dropped):
                row = rows[each]
                for column in range(table.shape[1]):
                    if where[place, column] < 0 or table[row, column] > found[place, column]:
                        found[place, column], where[place, column] = table[row, column], row


@_compiled
def scatter_max_gradients(gradients: Array, where: Array, upstream: Array) -> None:
    """Adds the gradients of the maxima to the rows that have them."""
    for place in range(len(where)):
        for column in range(where.shape[1]):
            if where[place, column] >= 0:
                gradients[where[place, column], column] += upstream[place, column]


@_compiled
def adam_rows(
    table: Array, first: Array, second: Array, gradients: Array, touched: Array, rate: float, step: int
) -> None:
    """A step of Adam for some rows of a table."""
    step_size = np.float32(rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    for row in touched:
        for column in range(table.shape[1]):
            gradient = gradients[row, column]
            first[row, column] = BETA_1 * first[row, column] + (1 - BETA_1) * gradient
            second[row, column] = BETA_2 * second[row, column] + (1 - BETA_2) * gradient * gradient
            table[row, column] -= step_size * first[row, column] / (np.sqrt(second[row, column]) + EPSILON)


@_compiled
def adam_all(
    weights: Array, anchor: Array, first: Array, second: Array, gradients: Array, rate: float, step: int, decay: float
) -> None:
    """A step of Adam (Kingma and Ba, 2015) for flat weights, with decoupled decay towards `home`."""
    step_size = np.float32(rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    pull = np.float32(rate * decay)
    for place in range(len(weights)):
        gradient = gradients[place]
        first[place] = BETA_1 * first[place] + (1 - BETA_1) * gradient
        second[place] = BETA_2 * second[place] + (1 - BETA_2) * gradient * gradient
        weights[place] -= pull * (weights[place] - anchor[place])
        weights[place] -= step_size * first[place] / (np.sqrt(second[place]) + EPSILON)
