"""Why a message got its parent: the best candidates, and the features without which they would not have won."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..chat import Message
from ..compiling import Array
from ..trees import Forest, forest_scores
from .compiled.columns import PAIR, names
from .compiled.memory import RING, Weights
from .running import Runner

MOST_REASONS = 5
LEAST = 0.05  # a smaller change of the score is no reason


class Reason(NamedTuple):
    """A feature, its value, the value it is compared with, and how much of the score that difference makes."""

    feature: str
    value: float
    instead: float
    weight: float


class Option(NamedTuple):
    """A message that may be the parent; the message itself for a start."""

    position: int
    chance: float
    reasons: tuple[Reason, ...]


def options(weights: Weights, messages: Iterable[Message], most: int = 5) -> list[Option]:
    """The best candidates of the last message, the chosen one first, each with what speaks for it against the next."""
    runner = Runner(weights)
    (decided,) = deque(runner.stream(messages), maxlen=1)
    memory = runner.memory[0]
    scratch = memory["scratch"]
    count = int(scratch["used"][0])
    chance = scratch["chance"][:count]
    positions = memory["ring"]["position"][scratch["candidate"][:count] % RING]
    order = np.lexsort((-chance, ~np.isin(positions, decided.parents)))[:most]
    best, next_best = order[0], order[1] if len(order) > 1 else order[0]
    return [
        Option(int(positions[slot]), float(chance[slot]), _reasons(weights, scratch["whole"], slot, rival))
        for slot, rival in ((slot, next_best if slot == best else best) for slot in order)
    ]


def _reasons(weights: Weights, table: Array, slot: int, rival: int) -> tuple[Reason, ...]:
    """The features that cost the candidate most, in both forests, if they were as the rival has them."""
    pair = slice(0, PAIR)
    weight = _cost(weights.second, table[slot], table[rival])
    weight[[column for column, name in enumerate(names()) if name.startswith("chance")]] = 0
    weight[pair] += _cost(weights.first, table[slot][pair], table[rival][pair])
    strongest = [int(i) for i in np.argsort(-weight, kind="stable")[:MOST_REASONS] if weight[i] >= LEAST]
    values = ((names()[i], float(table[slot][i]), float(table[rival][i]), float(weight[i])) for i in strongest)
    return tuple(Reason(*each) for each in values)


def _cost(forest: Forest, own: Array, other: Array) -> Array:
    """By column, what the score loses if that column alone is as in the other row."""
    changed = np.repeat(own[None], len(own) + 1, 0)
    changed[np.arange(len(own)), np.arange(len(own))] = other
    scores = np.zeros(len(changed), np.float32)
    forest_scores(forest, changed, scores)
    cost: Array = scores[-1] - scores[:-1]
    return cost
