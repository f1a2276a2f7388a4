"""Groups of near vectors. NumPy only, the same every time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .nearest import unit

BLOCK = 1024


def groups(vectors: Any, weights: Sequence[int], similarity: float, least: int) -> list[list[int]]:
    """Groups of unit vectors, each around the one that has most others near it, the heaviest first.

    `weights` says how often each was said; what is near nothing much is in no group. A group gathers what is near its
    seed, moves its centre to their middle, and gathers once more.
    """
    heavy = np.asarray(weights, np.float32)
    crowd = _crowd(vectors, heavy, similarity)
    free = np.ones(len(vectors), bool)
    found: list[list[int]] = []
    for seed in np.lexsort((np.arange(len(crowd)), -crowd)):
        if crowd[seed] < least:
            break
        if not free[seed]:
            continue
        near = _near(vectors, vectors[seed], similarity, free)
        near = _near(vectors, unit((vectors[near] * heavy[near, None]).sum(0)), similarity, free)
        if heavy[near].sum() >= least and len(near) > 1:
            free[near] = False
            found.append(near.tolist())
    return sorted(found, key=lambda group: (-sum(weights[place] for place in group), group[0]))


def _crowd(vectors: Any, heavy: Any, similarity: float) -> Any:
    """For each vector the weight of all that is near it, itself included."""
    blocks = range(0, len(vectors), BLOCK)
    rows = [(vectors[start : start + BLOCK] @ vectors.T >= similarity) @ heavy for start in blocks]
    return np.concatenate(rows) if rows else np.zeros(0)


def _near(vectors: Any, centre: Any, similarity: float, free: Any) -> Any:
    return np.flatnonzero((vectors @ centre >= similarity) & free)
