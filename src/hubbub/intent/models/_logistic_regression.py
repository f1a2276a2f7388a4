"""Softmax regression on sentence vectors, trained with NumPy in seconds."""

from __future__ import annotations

import numpy as np

from ...ml.calibration import softmax
from ...ml.types import Array
from ..training.fast_kernels import adam_all

INPUT_SCALE = np.float32(20)  # vectors have length 1, and softmax needs larger logits


def fit_softmax_regression(
    vectors: Array, labels: Array, classes: int, seed: int, rate: float = 3e-3
) -> tuple[Array, Array]:
    """Softmax regression of vectors of length 1 by Adam: the weights and the bias of each class."""
    random = np.random.default_rng(seed)
    weights, bias = np.zeros((vectors.shape[1], classes), np.float32), np.zeros(classes, np.float32)
    (anchor, first, second), of_bias = ([np.zeros_like(each).ravel() for _ in range(3)] for each in (weights, bias))
    size = min(256, len(labels))
    # Forty epochs, within bounds for tiny and for large data.
    steps = int(np.clip(40 * len(labels) / size, 200, 3000))
    for step in range(1, steps + 1):
        batch = random.integers(len(labels), size=size)
        scaled = INPUT_SCALE * vectors[batch]
        gradient = softmax(scaled @ weights + bias)
        gradient[np.arange(size), labels[batch]] -= 1
        gradient /= size
        now = rate * (1 - step / (steps + 1))
        by_weights = (scaled.T @ gradient).ravel()
        adam_all(weights.ravel(), anchor, first, second, by_weights, now, step, 1e-3)
        adam_all(bias, of_bias[0], of_bias[1], of_bias[2], gradient.sum(0), now, step, 0.0)
    return INPUT_SCALE * weights, bias
