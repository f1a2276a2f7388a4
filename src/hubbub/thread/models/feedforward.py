"""The feedforward ranker of Kummerfeld et al. 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ml.model_schema import Size
from ...ml.parameters import ranged
from ..features.kummerfeld_features import FEATURE_COUNT, WINDOW
from ._ranker import Ranker, candidates


@dataclass(repr=False)
class Feedforward(Ranker):
    """A ranker with two hidden layers (softsign) over the paper's 77 features and word vectors.

    Only the `shortlist` candidates that a linear model of the features ranks first are scored.
    """

    hidden: int = ranged(512, 1, 4096)
    shortlist: int = ranged(24, 1, WINDOW + 1)
    shortlist_: Any = None
    in_features_: Any = None
    in_message_: Any = None
    in_candidate_: Any = None
    in_bias_: Any = None
    middle_: Any = None
    middle_bias_: Any = None
    out_: Any = None

    hidden_layers = 2

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        width, hidden = 2 * self.dimensions, self.hidden
        return {
            "shortlist_": (FEATURE_COUNT,),
            "in_features_": (FEATURE_COUNT, hidden),
            "in_message_": (width, hidden),
            "in_candidate_": (width, hidden),
            "in_bias_": (hidden,),
            "middle_": (hidden, hidden),
            "middle_bias_": (hidden,),
            "out_": (hidden,),
        }

    def prepared(self, vectors: Any) -> Any:
        return vectors @ self.in_message_ + self.in_bias_, vectors @ self.in_candidate_

    def scores(self, rows: Any, prepared: Any, position: Any) -> Any:
        message, vectors = prepared
        candidate = candidates(position)
        linear_scores = np.where(candidate < 0, -np.inf, rows @ self.shortlist_)
        shortlisted = np.argsort(-linear_scores, axis=1)[:, : self.shortlist]
        listed = np.take_along_axis(candidate, shortlisted, axis=1)
        first = np.take_along_axis(rows, shortlisted[:, :, None], axis=1) @ self.in_features_
        first = _softsign(first + message[position][:, None] + vectors[listed.clip(0)])
        found = _softsign(first @ self.middle_ + self.middle_bias_) @ self.out_
        scores = np.full(linear_scores.shape, -np.inf, dtype=np.float32)
        np.put_along_axis(scores, shortlisted, np.where(listed < 0, -np.inf, found), axis=1)
        return scores


def _softsign(values: Any) -> Any:
    return values / (1 + abs(values))
