"""Trains the weights of thread/hubbub: from scratch, or by adding trees to existing weights."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from ...chat import Chat
from ...layers import ReplyGraph
from ...ml.parameters import parameters_of
from ...ml.trees.runtime import BoostedTrees
from ..features.feature_columns import ALL_COLUMNS
from ..inference.runner import from_arrays, to_arrays
from ..inference.state import ThreaderWeights
from ..models.hubbub import HubbubThreader
from .checkpoints import Checkpoints
from .dataset import degraded_copies, training_chats
from .hubbub_stages import SAME_CONVERSATION_SHARE, Stages, collect_training_features, fit_trees, second_boosting


def _progress() -> Callable[[str], None]:
    """Writes a line for every stage to stderr if that is a terminal."""
    start = time.monotonic()

    def report(stage: str) -> None:
        if sys.stderr.isatty():
            print(f"{time.monotonic() - start:6.0f} s  {stage}", file=sys.stderr, flush=True)

    return report


def train_weights(
    inputs: Sequence[Chat], golds: Sequence[ReplyGraph], others: Sequence[Chat], parameters: HubbubThreader, seed: int
) -> ThreaderWeights:
    """Weights from scratch, rounded as they will be saved. `others` are chats without gold."""
    unlabelled = training_chats(others, [ReplyGraph(((),) * len(chat)) for chat in others], 1, seed)
    folds = min(parameters.folds, max(len(inputs), 1))
    chats = training_chats(inputs, golds, folds, seed)
    chats += degraded_copies(inputs, golds, chats)
    checkpoints = Checkpoints([*chats, *unlabelled], f"{parameters_of(parameters)} {seed}", _progress())
    weights = Stages(chats, unlabelled, parameters, folds, seed, checkpoints).train()
    checkpoints.remove()
    return from_arrays(to_arrays(weights))


def continue_training(
    weights: ThreaderWeights, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], parameters: HubbubThreader, seed: int
) -> ThreaderWeights:
    """The weights with more second trees, which correct the present ones on these chats."""
    chats = training_chats(inputs, golds, 1, seed)
    data = collect_training_features(chats, [weights], ALL_COLUMNS)
    boosting = second_boosting(parameters, depth=int(weights.second.leaf.shape[1]).bit_length() - 1)
    rounds, share = max(parameters.second_trees // 4, 1), SAME_CONVERSATION_SHARE
    added = fit_trees(data, chats, -1, rounds, boosting, seed, after=weights.second, same_conversation=share)
    return weights._replace(second=BoostedTrees(*map(np.concatenate, zip(weights.second, added, strict=True))))
