"""Trains gradient-boosted trees with LightGBM: candidates of one group compete under a softmax.

A group has one correct candidate, or several that share the target: the messages that may be a parent, the people who
may be meant. The loss is the cross-entropy over each group, as in listwise ranking (Cao et al., ICML 2007).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..calibration import grouped_softmax
from ..compilation import Array
from .runtime import BoostedTrees, empty_trees, from_lightgbm, tree_scores

MIN_ROWS = 20  # fewer rows give no trees: LightGBM would find no split in them
# One thread and row-wise histograms make training deterministic; 63 bins are faster than the default of 255.
FIXED_PARAMETERS: Mapping[str, Any] = {
    "max_bin": 63,
    "feature_pre_filter": False,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
}


@dataclass(frozen=True, slots=True)
class BoostingParameters:
    """How trees are trained. `parameters` are LightGBM's own.

    The second derivative of the loss is `hessian_scale` * p * (1 - p), at least `min_hessian`; a leaf has at least
    `min_leaf_rows` rows, but no more than 1 / `min_leaf_divisor` of all rows, for small data.
    """

    depth: int
    rate: float
    hessian_scale: float
    min_hessian: float
    min_leaf_rows: int
    min_leaf_divisor: int
    parameters: Mapping[str, Any] = field(default_factory=dict)


def train_trees(
    rows: Array,
    targets: Array,
    sizes: Array,
    rounds: int,
    parameters: BoostingParameters,
    seed: int,
    after: BoostedTrees | None = None,
) -> BoostedTrees:
    """Trees for rows of candidates; `sizes` are the numbers of consecutive rows that form a group.

    `targets` sum to 1 in every group. The scores of `after` are the starting point that the new trees correct.
    """
    import lightgbm

    if len(rows) < MIN_ROWS or not np.ptp(rows, axis=0).any():
        return empty_trees(parameters.depth)
    share = max(1, len(rows) // parameters.min_leaf_divisor)
    settings = {
        **FIXED_PARAMETERS,
        **parameters.parameters,
        "learning_rate": parameters.rate,
        "max_depth": parameters.depth,
        "seed": seed,
        "min_data_in_leaf": min(parameters.min_leaf_rows, share),
        "min_data_in_bin": min(3, share),
        "objective": _objective(targets.astype(np.float64), sizes, parameters),
    }
    start = None if after is None else tree_scores(after, rows)
    trained = lightgbm.train(settings, lightgbm.Dataset(rows, targets, init_score=start), rounds)
    return from_lightgbm(trained.dump_model()["tree_info"], parameters.depth)


def _objective(targets: Array, sizes: Array, parameters: BoostingParameters) -> Any:
    """The gradient and second derivative of the cross-entropy under a softmax over each group."""

    def derivatives(scores: Array, data: Any) -> tuple[Array, Array]:
        probability = grouped_softmax(scores, sizes)
        hessian = parameters.hessian_scale * probability * (1 - probability)
        return probability - targets, np.maximum(hessian, parameters.min_hessian)

    return derivatives
