"""Scores into probabilities: softmax, the logistic function, and temperature scaling (Guo et al., ICML 2017)."""

from __future__ import annotations

from typing import Any

import numpy as np

MASKED_LOGIT = -1e4  # a softmax weight of zero in float32


def softmax(scores: Any) -> Any:
    """The softmax over the last axis."""
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def masked_softmax(mask: Any, scores: Any) -> Any:
    """The softmax over each row of a table; `scores` are those of the cells in the mask, other cells get 0."""
    table = np.full(mask.shape, -np.inf)
    table[mask] = scores
    return softmax(table)


def grouped_softmax(scores: Any, sizes: Any) -> Any:
    """The softmax over each group of consecutive scores; `sizes` are the numbers of scores in the groups."""
    starts = np.cumsum(sizes) - sizes
    powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    return powers / np.repeat(np.add.reduceat(powers, starts), sizes)


def log_sum_exp(scores: Any) -> Any:
    """The logarithm of the sum of the exponentials over the last axis."""
    highest = scores.max(-1)
    return highest + np.log(np.exp(scores - highest[..., None]).sum(-1))


def sigmoid(values: Any) -> Any:
    """The logistic function, in a form that does not overflow."""
    return 0.5 * np.tanh(0.5 * values) + 0.5


def best_temperature(scores: Any, labels: Any, grid: Any) -> float:
    """The temperature of the grid with the lowest negative log-likelihood; 1 if there are no rows.

    `labels` has the correct column of each row, or a table of the same shape as `scores` with the share that each
    column has in being correct.
    """
    if not len(labels):
        return 1.0
    scores, labels = np.asarray(scores, np.float64), np.asarray(labels)
    shares = labels if labels.ndim == 2 else np.arange(scores.shape[1]) == labels[:, None]
    with np.errstate(divide="ignore"):
        log_shares = np.log(shares)
    losses = [float((log_sum_exp(scores / each) - log_sum_exp(scores / each + log_shares)).mean()) for each in grid]
    return float(grid[int(np.argmin(losses))])
