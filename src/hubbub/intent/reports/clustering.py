"""Groups of near vectors. NumPy only, the same every time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ml.types import Array
from ..inference.neighbours import unit

BLOCK_ROWS = 1024  # bounds memory of the similarity matrix


def cluster(vectors: Array, weights: Sequence[int], similarity: float, least: int) -> list[list[int]]:
    """Greedy clusters of unit vectors around those with the most neighbours, the largest first.

    `weights` are multiplicities; vectors with few neighbours are in no cluster. A cluster takes what is near its seed,
    moves its centre to the mean, and takes what is near that. O(n ** 2) cosines, in blocks.
    """
    multiplicity = np.asarray(weights, np.float32)
    # For each vector the weight of its neighbours, itself included.
    blocks = range(0, len(vectors), BLOCK_ROWS)
    rows = [(vectors[start : start + BLOCK_ROWS] @ vectors.T >= similarity) @ multiplicity for start in blocks]
    neighbour_weight = np.concatenate(rows) if rows else np.zeros(0)
    free = np.ones(len(vectors), bool)
    found: list[list[int]] = []
    for seed in np.lexsort((np.arange(len(neighbour_weight)), -neighbour_weight)):
        if neighbour_weight[seed] < least:
            break
        if not free[seed]:
            continue
        near = _near(vectors, vectors[seed], similarity, free)
        near = _near(vectors, unit((vectors[near] * multiplicity[near, None]).sum(0)), similarity, free)
        if multiplicity[near].sum() >= least and len(near) > 1:
            free[near] = False
            found.append(near.tolist())
    return sorted(found, key=lambda group: (-sum(weights[place] for place in group), group[0]))


def _near(vectors: Array, centre: Array, similarity: float, free: Array) -> Array:
    return np.flatnonzero((vectors @ centre >= similarity) & free)
