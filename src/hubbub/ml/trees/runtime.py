"""Runs gradient-boosted trees in compiled code, for every task that has them.

Each tree is stored as a complete binary tree of one depth, so that finding a leaf takes a fixed number of comparisons
and no branch of the processor is mispredicted: scoring is O(rows * trees * depth). Running needs numba only; training
converts the trees of LightGBM with `from_lightgbm`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..compilation import Array, compiled, entry
from ..model_schema import MAX_TREE_DEPTH, Field, Numbers, Rule, Size

ONE = np.uintp(1)  # numba adds a signed 1 to an unsigned index as a float
LARGEST_FLOAT = float(np.finfo(np.float32).max)  # a threshold is only compared, so that any size is safe


class BoostedTrees(NamedTuple):
    """Trees of one depth: node n has the children 2n+1 (feature at most the threshold) and 2n+2."""

    feature: Array
    threshold: Array
    leaf: Array


def tree_fields(name: str, features: Size) -> dict[str, Field]:
    """The schema of saved trees. Children are found by number, not by links, so that every path ends."""
    trees, inner = f"{name}_trees", f"{name}_inner"
    return {
        f"{name}_feature": Numbers("uint8", (trees, inner), least=0, below=features),
        f"{name}_threshold": Numbers("float32", (trees, inner), -LARGEST_FLOAT, LARGEST_FLOAT, infinite=True),
        f"{name}_leaf": Numbers("float32", (trees, f"{inner}+1")),
    }


def tree_rule(name: str) -> Rule:
    """The trees are complete: compiled code computes the number of a child and checks no bounds."""
    inner = f"{name}_inner"
    complete = [(1 << depth) - 1 for depth in range(1, MAX_TREE_DEPTH + 1)]
    text = f'array "{name}_feature" has trees of {{{inner}}} nodes where 1, 3, 7 ... or {complete[-1]} are expected'
    return Rule(text, lambda sizes, state: sizes[inner] in complete)


@compiled
def add_leaves(trees: BoostedTrees, table: Array, count: int, scores: Array) -> None:
    """scores[r] = the sum of the leaves that row r reaches, for the first `count` rows."""
    inner, depth = np.uintp(trees.feature.shape[1]), 0
    while (1 << depth) <= trees.feature.shape[1]:
        depth += 1
    scores[:count] = 0.0
    for tree in range(trees.feature.shape[0]):
        feature, threshold, leaf = trees.feature[tree], trees.threshold[tree], trees.leaf[tree]
        for index in range(count):
            row, node = table[index], np.uintp(0)
            for _ in range(depth):
                node = node + node + ONE + np.uintp(row[feature[node]] > threshold[node])
            scores[index] += leaf[node - inner]


@entry
def _score_rows(trees: BoostedTrees, table: Array, scores: Array) -> None:
    add_leaves(trees, table, len(table), scores)


def tree_scores(trees: BoostedTrees, rows: Array) -> Array:
    """The score of every row of a table."""
    scores = np.zeros(len(rows), np.float32)
    _score_rows(trees, rows, scores)
    return scores


def column_costs(trees: BoostedTrees, own: Array, other: Array) -> Array:
    """By column, what the score of a row loses if that column alone is as in the other row: for explanations."""
    changed = np.repeat(own[None], len(own) + 1, 0)
    changed[np.arange(len(own)), np.arange(len(own))] = other
    scores = tree_scores(trees, changed)
    costs: Array = scores[-1] - scores[:-1]
    return costs


def empty_trees(depth: int = 1) -> BoostedTrees:
    """One tree whose score is always 0."""
    inner = (1 << depth) - 1
    feature, threshold = np.zeros((1, inner), np.uint8), np.zeros((1, inner), np.float32)
    return BoostedTrees(feature, threshold, np.zeros((1, inner + 1), np.float32))


def from_lightgbm(trees: Sequence[Mapping[str, Any]], depth: int) -> BoostedTrees:
    """The `tree_info` of a LightGBM model as complete trees of one depth."""
    inner = (1 << depth) - 1
    count = max(len(trees), 1)
    feature, leaf = np.zeros((count, inner), np.uint8), np.zeros((count, inner + 1), np.float32)
    threshold = np.full((count, inner), np.inf, np.float32)

    def store(node: Mapping[str, Any], at: int, tree: int) -> None:
        """A leaf above the lowest level fills all leaves below it."""
        if at >= inner:
            leaf[tree, at - inner] = node["leaf_value"]
            return
        if "leaf_value" not in node:
            feature[tree, at], threshold[tree, at] = node["split_feature"], node["threshold"]
        store(node.get("left_child", node), 2 * at + 1, tree)
        store(node.get("right_child", node), 2 * at + 2, tree)

    for number, tree in enumerate(trees):
        store(tree["tree_structure"], 0, number)
    return BoostedTrees(feature, threshold, leaf)
