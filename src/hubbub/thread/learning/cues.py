"""What words tell of a message's place: does it start, go on, answer, get answered, get continued."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...compiling import Array, compiled, entry
from ..compiled.columns import CUES
from ..compiled.memory import BUCKETS
from .material import Story


def cue_labels(story: Story) -> Array:
    """One row for every spoken message, a column for every cue; -1 where the message is not judged."""
    index = {int(position): row for row, position in enumerate(story.spoken)}
    labels = np.full((len(story.spoken), CUES), -1, np.int8)
    for position in story.judged:
        row, parents = index[int(position)], story.gold[position]
        earlier = [index[parent] for parent in parents if parent != position and parent in index]
        same = [story.authors[parent] == story.authors[row] for parent in earlier]
        labels[row, :3] = (position in parents, any(same), bool(same) and not all(same))
        labels[row, 3:] = np.maximum(labels[row, 3:], 0)
        for parent, own in zip(earlier, same, strict=True):
            labels[parent, 4 if own else 3] = 1
    return labels


@entry
def descend(
    cues: Array, labels: Array, order: Array, weights: Array, squares: Array, rate: float, decay: float
) -> None:
    """One pass of adaptive gradient descent on the logistic loss of every cue."""
    for row in order:
        for column in range(labels.shape[1]):
            if labels[row, column] < 0:
                continue
            total = weights[BUCKETS, column]
            for slot in cues[row]:
                if slot >= 0:
                    total += weights[slot, column]
            slope = 1.0 / (1.0 + np.exp(-total)) - labels[row, column]
            move(weights, squares, BUCKETS, column, slope, rate, 0.0)
            for slot in cues[row]:
                if slot >= 0:
                    move(weights, squares, slot, column, slope, rate, decay)


@compiled
def move(weights: Array, squares: Array, slot: int, column: int, slope: float, rate: float, decay: float) -> None:
    change = slope + decay * weights[slot, column]
    squares[slot, column] += change * change
    weights[slot, column] -= rate * change / np.sqrt(squares[slot, column] + 1.0)


def learn_cues(told: Sequence[Story], seed: int, rounds: int = 3) -> Array:
    """A weight for every bucket and cue; the last row is the bias."""
    weights, squares = np.zeros((BUCKETS + 1, CUES), np.float32), np.zeros((BUCKETS + 1, CUES), np.float32)
    if told:
        cues, labels = np.concatenate([s.cues for s in told]), np.concatenate([cue_labels(s) for s in told])
        generator = np.random.default_rng(seed)
        judged = np.flatnonzero(labels.max(1) >= 0)
        for turn in range(rounds):
            descend(cues, labels, generator.permutation(judged), weights, squares, 0.15 / (1 + turn), 0.02)
    return weights
