"""A layer over the encoder's vectors, learnt with NumPy in seconds."""

from __future__ import annotations

from typing import Any

import numpy as np

from .descent import shares
from .kernels import step_all

SHARPNESS = np.float32(20)


def regression(vectors: Any, labels: Any, classes: int, seed: int, rate: float = 3e-3) -> tuple[Any, Any]:
    """Softmax regression of vectors of length 1 by Adam: what a class says of a vector, and a number of its own."""
    random = np.random.default_rng(seed)
    weights, bias = np.zeros((vectors.shape[1], classes), np.float32), np.zeros(classes, np.float32)
    (home, first, second), of_bias = ([np.zeros_like(each).ravel() for _ in range(3)] for each in (weights, bias))
    size = min(256, len(labels))
    steps = int(np.clip(40 * len(labels) / size, 200, 3000))
    for step in range(1, steps + 1):
        batch = random.integers(len(labels), size=size)
        seen = SHARPNESS * vectors[batch]
        slope = shares(seen @ weights + bias)
        slope[np.arange(size), labels[batch]] -= 1
        slope /= size
        now = rate * (1 - step / (steps + 1))
        by_weights = (seen.T @ slope).ravel()
        step_all(weights.ravel(), home, first, second, by_weights, now, step, 1e-3)
        step_all(bias, of_bias[0], of_bias[1], of_bias[2], slope.sum(0), now, step, 0.0)
    return SHARPNESS * weights, bias
