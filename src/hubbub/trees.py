"""Trees that rooms share: each of one fixed depth, so that no branch is ever guessed wrong.

Running them needs numba only; those who train give what LightGBM has grown to `plain`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .compiling import Array, compiled, entry
from .schema import DEEPEST_TREE, Field, Numbers, Rule, Size

ONE = np.uintp(1)
ANY = float(np.finfo(np.float32).max)  # a threshold is compared with and nothing else


class Forest(NamedTuple):
    """Trees of one depth, each a heap: node n has the children 2n+1 (at most the threshold) and 2n+2."""

    feature: Array
    threshold: Array
    leaf: Array


def forest_fields(name: str, features: Size) -> dict[str, Field]:
    """What a saved forest may be. Its heaps need no links, so that a way through a tree always ends."""
    trees, inner = f"{name}_trees", f"{name}_inner"
    return {
        f"{name}_feature": Numbers("uint8", (trees, inner), least=0, below=features),
        f"{name}_threshold": Numbers("float32", (trees, inner), -ANY, ANY, infinite=True),
        f"{name}_leaf": Numbers("float32", (trees, f"{inner}+1")),
    }


def forest_rule(name: str) -> Rule:
    """The trees are whole heaps: compiled code finds a child of a node by its number alone, and checks no bounds."""
    inner = f"{name}_inner"
    right = [(1 << depth) - 1 for depth in range(1, DEEPEST_TREE + 1)]
    text = f'array "{name}_feature" has trees of {{{inner}}} nodes where 1, 3, 7 ... or {right[-1]} are expected'
    return Rule(text, lambda sizes, state: sizes[inner] in right)


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


@entry
def forest_scores(forest: Forest, table: Array, scores: Array) -> None:
    """The same for all rows of a table."""
    grow_scores(forest, table, len(table), scores)


def scores_of(forest: Forest, rows: Array) -> Array:
    scores = np.zeros(len(rows), np.float32)
    forest_scores(forest, rows, scores)
    return scores


def empty_forest(depth: int = 1) -> Forest:
    """One tree that says 0."""
    inner = (1 << depth) - 1
    return Forest(
        np.zeros((1, inner), np.uint8), np.zeros((1, inner), np.float32), np.zeros((1, inner + 1), np.float32)
    )


def plain(trees: Sequence[Mapping[str, Any]], depth: int) -> Forest:
    """Trees of LightGBM as heaps of one depth."""
    inner = (1 << depth) - 1
    count = max(len(trees), 1)
    feature, leaf = np.zeros((count, inner), np.uint8), np.zeros((count, inner + 1), np.float32)
    threshold = np.full((count, inner), np.inf, np.float32)
    for number, tree in enumerate(trees):
        _plant(tree["tree_structure"], 0, feature[number], threshold[number], leaf[number])
    return Forest(feature, threshold, leaf)


def _plant(node: Mapping[str, Any], at: int, feature: Array, threshold: Array, leaf: Array) -> None:
    """One node at its place in the heap; a leaf above the bottom fills all places below it."""
    inner = len(feature)
    if at >= inner:
        leaf[at - inner] = node["leaf_value"]
        return
    if "leaf_value" in node:
        _plant(node, 2 * at + 1, feature, threshold, leaf)
        _plant(node, 2 * at + 2, feature, threshold, leaf)
        return
    feature[at], threshold[at] = node["split_feature"], node["threshold"]
    _plant(node["left_child"], 2 * at + 1, feature, threshold, leaf)
    _plant(node["right_child"], 2 * at + 2, feature, threshold, leaf)
