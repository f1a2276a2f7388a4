"""The inner loops of training `intent/fast`, compiled by numba: means and largest numbers of table rows, and steps of
Adam.

Which features a text loses in a step is a matter of their places and the step alone, so that the way back leaves out
what the way there left out, with nothing remembered between them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

MOMENTUM, SPREAD, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)


def _compiled(function: Function) -> Function:
    """The function as machine code, kept on disk for the next run."""
    return cast(Function, numba.njit(cache=True, fastmath=True)(function))


@numba.njit(inline="always")
def _kept(place: int, step: int, dropped: Any) -> Any:
    """Whether the feature at a place is used in a step: a hash of both against a limit below 2 ** 32."""
    mixed = np.uint32(place) + np.uint32(step) * np.uint32(2654435761)
    mixed ^= mixed >> np.uint32(16)
    mixed = np.uint32(mixed * np.uint32(0x85EBCA6B))
    mixed ^= mixed >> np.uint32(13)
    mixed = np.uint32(mixed * np.uint32(0xC2B2AE35))
    return (mixed ^ (mixed >> np.uint32(16))) >= dropped


@_compiled
def average(table: Any, rows: Any, starts: Any, batch: Any, step: int, dropped: Any, means: Any, counts: Any) -> None:
    """The mean of the table rows of each text of a batch, and how many they were."""
    for place, text in enumerate(batch):
        count = 0
        for each in range(starts[text], starts[text + 1]):
            if _kept(each, step, dropped):
                count += 1
                for column in range(table.shape[1]):
                    means[place, column] += table[rows[each], column]
        counts[place] = max(count, 1)
        for column in range(table.shape[1]):
            means[place, column] /= counts[place]


@_compiled
def scatter(
    slopes: Any, seen: Any, rows: Any, starts: Any, batch: Any, step: int, dropped: Any, given: Any, counts: Any
) -> Any:
    """The slopes of the means handed down to the rows that made them; returns which rows those are."""
    touched, found = np.empty(len(seen), np.int64), 0
    for place, text in enumerate(batch):
        share = np.float32(1 / counts[place])
        for each in range(starts[text], starts[text + 1]):
            if _kept(each, step, dropped):
                row = rows[each]
                if seen[row] != step:
                    seen[row], touched[found], slopes[row] = step, row, 0
                    found += 1
                for column in range(slopes.shape[1]):
                    slopes[row, column] += given[place, column] * share
    return touched[:found]


@_compiled
def largest(table: Any, rows: Any, starts: Any, batch: Any, step: int, dropped: Any, found: Any, where: Any) -> None:
    """The largest number of each column among the table rows of each text of a batch, and the row that has it."""
    for place, text in enumerate(batch):
        for each in range(starts[text], starts[text + 1]):
            if _kept(each, step, dropped):
                row = rows[each]
                for column in range(table.shape[1]):
                    if where[place, column] < 0 or table[row, column] > found[place, column]:
                        found[place, column], where[place, column] = table[row, column], row


@_compiled
def hand_back(slopes: Any, where: Any, given: Any) -> None:
    """The slopes of the largest numbers handed down to the rows that have them."""
    for place in range(len(where)):
        for column in range(where.shape[1]):
            if where[place, column] >= 0:
                slopes[where[place, column], column] += given[place, column]


@_compiled
def step_rows(table: Any, first: Any, second: Any, slopes: Any, touched: Any, rate: float, step: int) -> None:
    """A step of Adam for some rows of a table."""
    reach = np.float32(rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    for row in touched:
        for column in range(table.shape[1]):
            slope = slopes[row, column]
            first[row, column] = MOMENTUM * first[row, column] + (1 - MOMENTUM) * slope
            second[row, column] = SPREAD * second[row, column] + (1 - SPREAD) * slope * slope
            table[row, column] -= reach * first[row, column] / (np.sqrt(second[row, column]) + TINY)


@_compiled
def step_all(
    weights: Any, home: Any, first: Any, second: Any, slopes: Any, rate: float, step: int, decay: float
) -> None:
    """A step of Adam for flat weights, which decay to where they are at home."""
    reach = np.float32(rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    pull = np.float32(rate * decay)
    for place in range(len(weights)):
        slope = slopes[place]
        first[place] = MOMENTUM * first[place] + (1 - MOMENTUM) * slope
        second[place] = SPREAD * second[place] + (1 - SPREAD) * slope * slope
        weights[place] -= pull * (weights[place] - home[place])
        weights[place] -= reach * first[place] / (np.sqrt(second[place]) + TINY)
