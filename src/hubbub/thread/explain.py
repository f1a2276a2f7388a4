"""Why a message got its parent: the best candidates, and the features without which they would not have won."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..chat import Message
from ..ml.compilation import Array
from ..ml.trees.runtime import column_costs
from .features.feature_columns import PAIR_COLUMNS, names
from .inference.runner import Runner
from .inference.state import RING_SIZE, ThreaderWeights

MAX_REASONS = 5  # as many as are read at a glance
MIN_SCORE_CHANGE = 0.05  # a smaller change of the score does not decide between candidates


class Reason(NamedTuple):
    """A feature, its value, the value it is compared with, and how much of the score that difference makes."""

    feature: str
    value: float
    instead: float
    weight: float


class CandidateParent(NamedTuple):
    """A message that may be the parent; the message itself if it would start a conversation."""

    position: int
    probability: float
    reasons: tuple[Reason, ...]


def options(weights: ThreaderWeights, messages: Iterable[Message], most: int = 5) -> list[CandidateParent]:
    """The best candidates of the last message, best first, each with the features that favour it over the next."""
    runner = Runner(weights)
    (decided,) = deque(runner.stream(messages), maxlen=1)
    state = runner.state[0]
    scratch = state["scratch"]
    count = int(scratch["candidate_count"][0])
    probability = scratch["probability"][:count]
    positions = state["ring"]["position"][scratch["candidate"][:count] % RING_SIZE]
    order = np.lexsort((-probability, ~np.isin(positions, decided.parents)))[:most]
    best, next_best = order[0], order[1] if len(order) > 1 else order[0]
    return [
        CandidateParent(
            int(positions[slot]), float(probability[slot]), _reasons(weights, scratch["all_features"], slot, rival)
        )
        for slot, rival in ((slot, next_best if slot == best else best) for slot in order)
    ]


def _reasons(weights: ThreaderWeights, table: Array, slot: int, rival: int) -> tuple[Reason, ...]:
    """The features whose exchange for those of the rival would lower the score most, in both models together."""
    pair = slice(0, PAIR_COLUMNS)
    weight = column_costs(weights.second, table[slot], table[rival])
    weight[[column for column, name in enumerate(names()) if name.startswith("probability")]] = 0
    weight[pair] += column_costs(weights.first, table[slot][pair], table[rival][pair])
    strongest = [int(i) for i in np.argsort(-weight, kind="stable")[:MAX_REASONS] if weight[i] >= MIN_SCORE_CHANGE]
    values = ((names()[i], float(table[slot][i]), float(table[rival][i]), float(weight[i])) for i in strongest)
    return tuple(Reason(*each) for each in values)
