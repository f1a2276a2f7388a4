"""Gradient-boosted trees under a softmax over each message's candidates, and their way into plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...compiling import Array
from ...trees import Forest, empty_forest, plain, scores_of

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


def _softmax(used: Array) -> Any:
    """The objective: scores of a message's candidates compete."""

    def slopes(scores: Array, data: Any) -> tuple[Array, Array]:
        table = np.full(used.shape, -np.inf)
        table[used] = scores
        table = np.exp(table - table.max(1, keepdims=True))
        chance = (table / table.sum(1, keepdims=True))[used]
        return chance - data.get_label(), np.maximum(2 * chance * (1 - chance), 1e-6)

    return slopes
