"""Where annotated chats become weights: from scratch, or by adding to what was learnt before."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...chat import Chat
from ...layers import ReplyGraph
from ...parameters import parameters_of
from ...trees import Forest
from ..compiled.columns import WHOLE
from ..compiled.memory import Weights
from ..hubbub import Hubbub
from ..running import flattened, unflattened
from .course import KIN, fit_forest, look, teach
from .kept import Kept
from .material import Story, stories, weakened


def _progress() -> Callable[[str], None]:
    """A line on stderr for every stage, if somebody is looking."""
    start = time.monotonic()

    def say(what: str) -> None:
        if sys.stderr.isatty():
            print(f"{time.monotonic() - start:6.0f} s  {what}", file=sys.stderr, flush=True)

    return say


def trained(
    inputs: Sequence[Chat], golds: Sequence[ReplyGraph], others: Sequence[Chat], plan: Hubbub, seed: int
) -> Weights:
    """The whole course; the weights are rounded as they will be saved."""
    unlabelled = stories(others, [ReplyGraph(((),) * len(chat)) for chat in others], 1, seed)
    folds = min(plan.folds, max(len(inputs), 1))
    told = stories(inputs, golds, folds, seed)
    told += weakened(inputs, golds, told)
    kept = Kept([*told, *unlabelled], f"{parameters_of(plan)} {seed}", _progress())
    weights = unflattened(flattened(teach(told, unlabelled, plan, folds, seed, kept)))
    kept.remove()
    return weights


def continued(
    weights: Weights, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], plan: Hubbub, seed: int
) -> Weights:
    """Keeps all that was learnt, and adds trees to the last forest that correct it on these chats."""
    told: list[Story] = stories(inputs, golds, 1, seed)
    seen = look(told, [weights], WHOLE)
    depth = int(weights.second.leaf.shape[1]).bit_length() - 1
    trees = max(plan.second_trees // 4, 1)
    added = fit_forest(seen, told, -1, trees, replace(plan, depth=depth), seed, after=weights.second, kin=KIN)
    return weights._replace(second=Forest(*map(np.concatenate, zip(weights.second, added, strict=True))))
