"""Small networks that look at the same rows as the second forest; they run on NumPy alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..schema import Field, Numbers
from .mentions import KINDS
from .table import Array

MOST = 4.0  # deviations from the mean beyond which a feature counts no more


class Nets(NamedTuple):
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


def prepared(rows: Array, kind: int, chance: int) -> Array:
    """Rows with large values made small, their kinds as columns of zeros and ones, and the logarithm of a chance."""
    kinds = np.eye(len(KINDS), dtype=np.float32)[rows[:, kind].astype(np.int64)]
    log = np.log(np.maximum(rows[:, chance : chance + 1], 1e-4))
    return np.concatenate([np.sign(rows) * np.log1p(np.abs(rows)), log, kinds], 1)


def scaled(prepared: Array, mean: Array, scale: Array) -> Array:
    clipped: Array = np.clip((prepared - mean) * scale, -MOST, MOST)
    return clipped


def nets_scores(nets: Nets, prepared: Array) -> Array:
    """[net, row]: the score that each network gives each row."""
    inputs, scores = scaled(prepared, nets.mean, nets.scale), np.empty((len(nets.first), len(prepared)), np.float32)
    for number in range(len(nets.first)):
        hidden = np.maximum(inputs @ nets.first[number] + nets.first_bias[number], 0)
        hidden = np.maximum(hidden @ nets.second[number] + nets.second_bias[number], 0)
        scores[number] = hidden @ nets.last[number] + nets.last_bias[number]
    return scores
