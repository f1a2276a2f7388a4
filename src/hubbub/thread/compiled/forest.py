"""Trees: each of one fixed depth, so that no branch is ever guessed wrong."""

from __future__ import annotations

import numpy as np

from .jit import Array, compiled, entry
from .memory import Forest

ONE = np.uintp(1)


@compiled
def grow_scores(forest: Forest, table: Array, count: int, scores: Array) -> None:
    """scores[r] = the sum of the leaves that row r falls into."""
    inner, depth = np.uintp(forest.feature.shape[1]), 0
    while (1 << depth) <= forest.feature.shape[1]:
        depth += 1
    scores[:count] = 0.0
    for tree in range(forest.feature.shape[0]):
        feature, threshold, leaf = forest.feature[tree], forest.threshold[tree], forest.leaf[tree]
        for index in range(count):
            row, node = table[index], np.uintp(0)
            for _ in range(depth):
                node = node + node + ONE + np.uintp(row[feature[node]] > threshold[node])
            scores[index] += leaf[node - inner]


@compiled
def copy_columns(source: Array, target: Array, start: int, end: int) -> None:
    """The same as by slices, which take seconds longer to compile."""
    for column in range(start, end):
        target[column] = source[column]


@entry
def forest_scores(forest: Forest, table: Array, scores: Array) -> None:
    """The same for all rows of a table, for those who train and those who ask why."""
    grow_scores(forest, table, len(table), scores)
