"""The paper's two stages: a classifier of two classes that says what is in scope, before another says which intent.

What the first one learns from is a file of its own, or the training examples, in which those in scope are too many for
those that are not: so many times as many are drawn, evenly over the intents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import TooFew

TIMES = 4  # the paper: 1,000 queries in scope for 250 out of scope
INSIDE, OUTSIDE = 0, 1


def gate_examples(given: str, texts: Sequence[str], labels: Any, intents: int, seed: int) -> tuple[list[str], Any]:
    """Texts and whether each is INSIDE or OUTSIDE: those of the named file's training part, or some of the given."""
    if given:
        from ..datasets import find
        from .files import read_parts

        parts = read_parts(find(given).files)
        learnt = parts["train"] if "train" in parts else [each for part in parts.values() for each in part]
        texts, labels = [each.text for each in learnt], np.array([-1 if each.name else intents for each in learnt])
        used = np.arange(len(texts))
    else:
        used = _undersampled(labels, intents, np.random.default_rng(seed))
    sides = np.where(labels[used] == intents, OUTSIDE, INSIDE)
    for side, where in ((OUTSIDE, "out of scope"), (INSIDE, "in scope")):
        if not (sides == side).any():
            raise TooFew(f"training examples {where}", 0, 1)
    return [texts[int(place)] for place in used], sides


def _undersampled(labels: Any, intents: int, random: np.random.Generator) -> Any:
    """Places of all that is out of scope and, evenly over the intents, of some that is in scope."""
    mixed = random.permutation(len(labels))
    turn = np.zeros(len(labels), np.int64)
    for label in range(intents):
        mine = mixed[labels[mixed] == label]
        turn[mine] = np.arange(len(mine))
    inside = mixed[labels[mixed] < intents]
    kept = inside[np.argsort(turn[inside], kind="stable")][: TIMES * int((labels == intents).sum())]
    return np.sort(np.concatenate([kept, np.flatnonzero(labels == intents)]))
