"""Gradient-boosted trees under a softmax over each message's candidates, and their way into plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..compiled.forest import forest_scores
from ..compiled.jit import Array
from ..compiled.memory import Forest

FEWEST = 20  # rows from which on trees are grown
GROWING: Mapping[str, Any] = {
    "num_leaves": 72,
    "learning_rate": 0.1,
    "feature_pre_filter": False,
    "max_bin": 63,
    "feature_fraction": 0.4,
    "lambda_l2": 10.0,
    "data_sample_strategy": "goss",
    "top_rate": 0.2,
    "other_rate": 0.1,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}


def empty_forest(depth: int = 1) -> Forest:
    """One tree that says 0."""
    inner = (1 << depth) - 1
    return Forest(
        np.zeros((1, inner), np.uint8), np.zeros((1, inner), np.float32), np.zeros((1, inner + 1), np.float32)
    )


def grow(
    features: Array, right: Array, used: Array, trees: int, depth: int, seed: int, after: Forest | None = None,
    **changed: Any,
) -> Forest:  # fmt: skip
    """features[message, slot, column], right[message, slot] sums to 1, used[message, slot] marks real candidates.

    `after` is a forest that the new one corrects.
    """
    import lightgbm

    rows = features[used]
    if len(rows) < FEWEST or not np.ptp(rows, axis=0).any():
        return empty_forest(depth)
    data = lightgbm.Dataset(rows, right[used], init_score=None if after is None else scores_of(after, rows))
    settings = {**GROWING, **changed, "max_depth": depth, "seed": seed, "num_threads": 1, "objective": _softmax(used)}
    few = len(rows) // 10
    settings |= {"min_data_in_leaf": min(100, few), "min_data_in_bin": min(3, few)}
    grown = lightgbm.train(settings, data, trees)
    return plain(grown.dump_model()["tree_info"], depth)


def scores_of(forest: Forest, rows: Array) -> Array:
    scores = np.zeros(len(rows), np.float32)
    forest_scores(forest, rows, scores)
    return scores


def _softmax(used: Array) -> Any:
    """The objective: scores of a message's candidates compete."""

    def slopes(scores: Array, data: Any) -> tuple[Array, Array]:
        table = np.full(used.shape, -np.inf)
        table[used] = scores
        table = np.exp(table - table.max(1, keepdims=True))
        chance = (table / table.sum(1, keepdims=True))[used]
        return chance - data.get_label(), np.maximum(2 * chance * (1 - chance), 1e-6)

    return slopes


def plain(trees: list[dict[str, Any]], depth: int) -> Forest:
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
