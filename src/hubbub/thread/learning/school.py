"""Where annotated chats become weights: from scratch, or by adding to what was learnt before."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...chat import Chat
from ...layers import ReplyGraph
from ..compiled.columns import WHOLE
from ..compiled.memory import Forest, Weights
from ..running import flattened, unflattened
from .course import Plan, fit_forest, look, teach
from .material import Story, stories, weakened


def _progress() -> Callable[[str], None]:
    """A line on stderr for every stage, if somebody is looking."""
    start = time.monotonic()

    def say(what: str) -> None:
        if sys.stderr.isatty():
            print(f"{time.monotonic() - start:6.0f} s  {what}", file=sys.stderr, flush=True)

    return say


def trained(
    inputs: Sequence[Chat], golds: Sequence[ReplyGraph], others: Sequence[Chat], plan: Mapping[str, Any], seed: int
) -> Weights:
    """The whole course; the weights are rounded as they will be saved."""
    unlabelled = stories(others, [ReplyGraph(((),) * len(chat)) for chat in others], 1, seed)
    told = stories(inputs, golds, min(plan["folds"], max(len(inputs), 1)), seed)
    told += weakened(inputs, golds, told)
    weights, _ = teach(told, unlabelled, Plan(**plan), seed, _progress())
    return unflattened(flattened(weights))


def continued(
    weights: Weights, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], plan: Mapping[str, Any], seed: int
) -> Weights:
    """Keeps all that was learnt, and adds trees to the last forest that correct it on these chats."""
    told: list[Story] = stories(inputs, golds, 1, seed)
    seen = look(told, [weights], WHOLE)
    depth = int(weights.second.leaf.shape[1]).bit_length() - 1
    trees = max(plan["second_trees"] // 4, 1)
    added = fit_forest(seen, told, -1, trees, Plan(**{**plan, "depth": depth}), seed, after=weights.second)
    return weights._replace(second=Forest(*map(np.concatenate, zip(weights.second, added, strict=True))))
