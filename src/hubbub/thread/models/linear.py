"""The linear ranker of Kummerfeld et al. 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ml.model_schema import Size
from ...ml.parameters import ranged
from ..features.kummerfeld_features import FEATURE_COUNT, WINDOW
from ._ranker import Ranker, candidates


@dataclass(repr=False)
class Linear(Ranker):
    """A linear ranker over the paper's 77 features and word vectors."""

    epochs: int = ranged(4, 1, 10_000)
    rate: float = ranged(0.02, 0, 10)
    batch: int = ranged(512, 1, 100_000)
    hard_negatives: int = ranged(30, 1, WINDOW)
    sampled_negatives: int = ranged(10, 0, WINDOW)
    out_features_: Any = None
    out_candidate_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        return {"out_features_": (FEATURE_COUNT,), "out_candidate_": (2 * self.dimensions,)}

    def prepared(self, vectors: Any) -> Any:
        return vectors @ self.out_candidate_

    def scores(self, rows: Any, prepared: Any, position: Any) -> Any:
        candidate = candidates(position)
        return np.where(candidate < 0, -np.inf, rows @ self.out_features_ + prepared[candidate.clip(0)])
