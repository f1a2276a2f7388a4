"""The paper's oos-binary scheme: a binary classifier decides what is in scope, before another one classifies the
intent.

Its training data is a file of its own, or the training examples with the in-scope ones undersampled, evenly over the
intents.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import TooFew
from ...ml.types import Array

IN_SCOPE_RATIO = 4  # the paper: 1,000 queries in scope for 250 out of scope
INSIDE, OUTSIDE = 0, 1  # the two classes


def scope_examples(
    source: str, texts: Sequence[str], labels: Array, intents: int, seed: int
) -> tuple[list[str], Array]:
    """Texts and whether each is INSIDE or OUTSIDE: those of the named file's training part, or some of the given."""
    if source:
        from ...ml.datasets import find
        from ..data.files import read_parts

        parts = read_parts(find(source).files)
        training = parts["train"] if "train" in parts else [each for part in parts.values() for each in part]
        texts, labels = [each.text for each in training], np.array([-1 if each.name else intents for each in training])
        used = np.arange(len(texts))
    else:
        # Places of all that is out of scope and, evenly over the intents, of some that is in scope.
        mixed = np.random.default_rng(seed).permutation(len(labels))
        turn = np.zeros(len(labels), np.int64)
        for label in range(intents):
            of_label = mixed[labels[mixed] == label]
            turn[of_label] = np.arange(len(of_label))
        inside = mixed[labels[mixed] < intents]
        undersampled = inside[np.argsort(turn[inside], kind="stable")][
            : IN_SCOPE_RATIO * int((labels == intents).sum())
        ]
        used = np.sort(np.concatenate([undersampled, np.flatnonzero(labels == intents)]))
    sides = np.where(labels[used] == intents, OUTSIDE, INSIDE)
    for side, where in ((OUTSIDE, "out of scope"), (INSIDE, "in scope")):
        if not (sides == side).any():
            raise TooFew(f"training examples {where}", 0, 1)
    return [texts[int(place)] for place in used], sides
