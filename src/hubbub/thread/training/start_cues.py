"""Cue classifiers: five logistic regressions over hashed words and word pairs, trained by AdaGrad (Duchi et al. 2011).

They predict of a message by its words alone whether it starts a conversation, continues its author's message, replies
to somebody else, gets a reply, or is continued by its author.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ml.compilation import Array, compiled, entry
from ..features.feature_columns import CUE_COLUMNS
from ..inference.state import HASH_BUCKETS
from .dataset import TrainingChat

EPOCHS = 3  # the rate falls with each; later ones would change little
RATE, DECAY = 0.15, 0.02  # the rate is divided by the number of the epoch


def cue_labels(chat: TrainingChat) -> Array:
    """A row for every message without system lines, a column for every cue; -1 where the message has no gold."""
    index = {int(position): row for row, position in enumerate(chat.spoken)}
    labels = np.full((len(chat.spoken), CUE_COLUMNS), -1, np.int8)
    for position in chat.annotated:
        row, parents = index[int(position)], chat.gold[position]
        earlier = [index[parent] for parent in parents if parent != position and parent in index]
        same = [chat.authors[parent] == chat.authors[row] for parent in earlier]
        labels[row, :3] = (position in parents, any(same), bool(same) and not all(same))
        labels[row, 3:] = np.maximum(labels[row, 3:], 0)
        for parent, own in zip(earlier, same, strict=True):
            labels[parent, 4 if own else 3] = 1
    return labels


@entry
def train_cues_epoch(
    cues: Array, labels: Array, order: Array, weights: Array, squares: Array, rate: float, decay: float
) -> None:
    """One epoch of AdaGrad on the logistic loss of every cue."""
    for row in order:
        for column in range(labels.shape[1]):
            if labels[row, column] < 0:
                continue
            logit = weights[HASH_BUCKETS, column]
            for slot in cues[row]:
                if slot >= 0:
                    logit += weights[slot, column]
            error = 1.0 / (1.0 + np.exp(-logit)) - labels[row, column]
            adagrad_update(weights, squares, HASH_BUCKETS, column, error, rate, 0.0)
            for slot in cues[row]:
                if slot >= 0:
                    adagrad_update(weights, squares, slot, column, error, rate, decay)


@compiled
def adagrad_update(
    weights: Array, squares: Array, slot: int, column: int, error: float, rate: float, decay: float
) -> None:
    gradient = error + decay * weights[slot, column]
    squares[slot, column] += gradient * gradient
    weights[slot, column] -= rate * gradient / np.sqrt(squares[slot, column] + 1.0)


def fit_cues(chats: Sequence[TrainingChat], seed: int) -> Array:
    """A weight for every bucket and cue; the last row is the bias."""
    weights, squares = (np.zeros((HASH_BUCKETS + 1, CUE_COLUMNS), np.float32) for _ in range(2))
    if chats:
        cues = np.concatenate([chat.cues for chat in chats])
        labels = np.concatenate([cue_labels(chat) for chat in chats])
        random = np.random.default_rng(seed)
        labelled = np.flatnonzero(labels.max(1) >= 0)
        for epoch in range(EPOCHS):
            order = random.permutation(labelled)
            train_cues_epoch(cues, labels, order, weights, squares, RATE / (1 + epoch), DECAY)
    return weights
