"""Two forests judge every candidate of every mention; the second knows what the first thought of all the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..trees import Forest, scores_of
from .features import Group, features
from .mentions import KINDS
from .second import second_features
from .table import Array, Table

SLIGHT = 0.002  # a candidate with less of a chance is not looked at a second time


class Weights(NamedTuple):
    """What was learnt: both forests, and how far to trust them for each kind of mention."""

    first: Forest
    second: Forest
    sharpness: Array


class Look(NamedTuple):
    """What a forest saw: the names of its columns, [mention, candidate] which were looked at, and a row for each."""

    columns: list[str]
    used: Array
    rows: Array


class Judged(NamedTuple):
    """[mention, candidate] chances, and both looks."""

    chance: Array
    looks: tuple[Look, Look]


def judge(weights: Weights, table: Table, groups: tuple[Group, ...]) -> Judged:
    """The chances of all candidates, first and second look together."""
    names, seen = features(table, groups)
    rows = np.ascontiguousarray(seen[:, table.allowed].T)
    first = softmax(table.allowed, scores_of(weights.first, rows))
    looked = first > SLIGHT
    more_names, more = second_features(table, first)
    again = np.ascontiguousarray(np.concatenate([seen[:, looked], more[:, looked]]).T)
    second = softmax(looked, scores_of(weights.second, again))
    mixed = sharpened((first + second) / 2, weights.sharpness[table.kind])
    return Judged(mixed, (Look(names, table.allowed, rows), Look([*names, *more_names], looked, again)))


def softmax(used: Array, scores: Array) -> Array:
    """Scores of the used candidates as chances, the others having none."""
    table = np.full(used.shape, -np.inf)
    table[used] = scores
    table = np.exp(table - table.max(1, keepdims=True))
    chances: Array = table / table.sum(1, keepdims=True)
    return chances


def sharpened(chance: Array, sharpness: Array) -> Array:
    """Chances raised to a power, one a mention, so that they are as often right as they say."""
    powered = np.maximum(chance, 1e-12) ** sharpness[:, None] * (chance > 0)
    result: Array = powered / powered.sum(1, keepdims=True)
    return result


def flattened(weights: Weights) -> dict[str, Array]:
    forests = {"first": weights.first, "second": weights.second}
    arrays = {f"{name}_{part}": each for name, forest in forests.items() for part, each in forest._asdict().items()}
    return {**arrays, "sharpness": weights.sharpness}


def unflattened(state: Mapping[str, Any]) -> Weights:
    first, second = (Forest(*(state[f"{name}_{part}"] for part in Forest._fields)) for name in ("first", "second"))
    if state["sharpness"].shape != (len(KINDS),):
        raise ValueError("another version of hubbub trained it")
    return Weights(first, second, state["sharpness"])
