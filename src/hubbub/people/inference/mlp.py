"""An ensemble of small multilayer perceptrons over the rows of the second pass, run by NumPy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...ml.model_schema import Field, Numbers
from ..data.mentions import KINDS
from ..features.window_arrays import Array

MAX_DEVIATIONS = 4.0  # deviations from the mean beyond which a feature counts no more


class MlpEnsemble(NamedTuple):
    """Several networks of two hidden layers, below each other, and how the columns are scaled for them."""

    mean: Array
    scale: Array
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    last: Array
    last_bias: Array


def net_fields(features: int) -> dict[str, Field]:
    """What saved networks over so many features may be."""
    return {
        "mean": Numbers("float32", (features,)),
        "scale": Numbers("float32", (features,), 0, 1e6),
        "first": Numbers("float32", ("nets", features, "wide")),
        "first_bias": Numbers("float32", ("nets", "wide")),
        "second": Numbers("float32", ("nets", "wide", "narrow")),
        "second_bias": Numbers("float32", ("nets", "narrow")),
        "last": Numbers("float32", ("nets", "narrow")),
        "last_bias": Numbers("float32", ("nets",)),
    }


def prepared(rows: Array, kind: int, probability: int) -> Array:
    """Rows with a signed log transform, the kind one-hot encoded, and the logarithm of the first-pass probability."""
    kinds = np.eye(len(KINDS), dtype=np.float32)[rows[:, kind].astype(np.int64)]
    log = np.log(np.maximum(rows[:, probability : probability + 1], 1e-4))
    return np.concatenate([np.sign(rows) * np.log1p(np.abs(rows)), log, kinds], 1)


def scaled(prepared: Array, mean: Array, scale: Array) -> Array:
    clipped: Array = np.clip((prepared - mean) * scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
    return clipped


def ensemble_scores(nets: MlpEnsemble, prepared: Array) -> Array:
    """[net, row]: the score that each network gives each row."""
    inputs, scores = scaled(prepared, nets.mean, nets.scale), np.empty((len(nets.first), len(prepared)), np.float32)
    for number in range(len(nets.first)):
        hidden = np.maximum(inputs @ nets.first[number] + nets.first_bias[number], 0)
        hidden = np.maximum(hidden @ nets.second[number] + nets.second_bias[number], 0)
        scores[number] = hidden @ nets.last[number] + nets.last_bias[number]
    return scores
