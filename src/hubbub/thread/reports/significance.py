"""A paired permutation test of whether two systems differ in precision, recall and F of links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layers import ReplyGraph
from .agreement import counts_by_message

TRIALS = 10_000  # p-values down to 0.0001
_AT_ONCE = 500  # trials of the permutation test in one matrix product; bounds memory


def link_significance(
    golds: Sequence[ReplyGraph],
    one: Sequence[ReplyGraph],
    other: Sequence[ReplyGraph],
    *,
    trials: int = TRIALS,
    seed: int = 0,
) -> dict[str, float]:
    """The p-values of the differences in precision, recall and F of links.

    In each trial the two systems swap their answers to about half of the messages; p is how often they then lie at
    least as far apart as they really do.
    """
    mine, theirs = (np.array(counts_by_message(golds, each)).reshape(-1, 3) for each in (one, other))
    real = np.abs(_rates(mine.sum(0)) - _rates(theirs.sum(0)))
    change = (theirs - mine)[(theirs != mine).any(axis=1)]
    random = np.random.default_rng(seed)
    at_least_as_large = np.zeros(3)
    for start in range(0, trials, _AT_ONCE):
        swapped = random.integers(0, 2, (min(_AT_ONCE, trials - start), len(change))) @ change
        apart = np.abs(_rates(mine.sum(0) + swapped) - _rates(theirs.sum(0) - swapped))
        at_least_as_large += (apart >= real - 1e-12).sum(axis=0)
    p = (at_least_as_large + 1) / (trials + 1)
    return dict(zip(("link_precision", "link_recall", "link_f"), map(float, p), strict=True))


def _rates(counts: Any) -> Any:
    """Precision, recall and F from (gold, said, match), in the last axis."""
    gold, predicted, match = (np.asarray(counts)[..., column] for column in range(3))
    parts = ((match, predicted), (match, gold), (2 * match, predicted + gold))
    return np.stack([part / np.maximum(whole, 1) for part, whole in parts], axis=-1)
