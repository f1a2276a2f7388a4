"""A forest judges every candidate; then another and small networks, which know what it thought of all mentions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..chat import Chat, Message
from ..layers import Mention
from ..trees import Forest, scores_of
from .company import company
from .features import Group, features
from .memory import Memory
from .nets import Nets, nets_scores, prepared
from .scene import Scene
from .second import second_features
from .stage import stages
from .table import Array, Table

SLIGHT = 0.002  # a candidate with less of a chance is not looked at a second time
KIND = 0  # the first column is the kind of the mention


class Weights(NamedTuple):
    """What was learnt: both forests, the networks, and how far to trust them for each kind of mention."""

    first: Forest
    second: Forest
    nets: Nets
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
    """The chances of all candidates at the second look."""
    names, seen = features(table, groups)
    rows = np.ascontiguousarray(seen[:, table.allowed].T)
    first = softmax(table.allowed, scores_of(weights.first, rows))
    looked = first > SLIGHT
    more_names, more = second_features(table, first)
    again = np.ascontiguousarray(np.concatenate([seen[:, looked], more[:, looked]]).T)
    second = softmax(looked, scores_of(weights.second, again))
    mixed = sharpened((second + by_nets(weights.nets, looked, again, len(names))) / 2, weights.sharpness[table.kind])
    return Judged(mixed, (Look(names, table.allowed, rows), Look([*names, *more_names], looked, again)))


def by_nets(nets: Nets, used: Array, rows: Array, chance: int) -> Array:
    """The mean of the chances that the networks give; `chance` is the column that has those of the first look."""
    total = np.zeros(used.shape)
    for scores in nets_scores(nets, prepared(rows, KIND, chance)):
        total += softmax(used, scores)
    return total / len(nets.first)


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


def columns(groups: tuple[Group, ...]) -> list[str]:
    """The names of all columns, as a scene of one word has them."""
    scene = Scene(Chat("", (Message("", None, "", "I"),)))
    ((stage, _),) = stages(scene, [Mention(0, 0, 1)])
    table = Table(stage, company(stage, Memory()), Memory())
    return [*features(table, groups)[0], *second_features(table, np.ones(table.shape))[0]]


def flattened(weights: Weights) -> dict[str, Array]:
    parts: dict[str, Forest | Nets] = {"first": weights.first, "second": weights.second, "nets": weights.nets}
    arrays = {f"{name}_{part}": each for name, whole in parts.items() for part, each in whole._asdict().items()}
    return {**arrays, "sharpness": weights.sharpness}


def unflattened(state: Mapping[str, Any], groups: tuple[Group, ...]) -> Weights:
    if state["columns"] != columns(groups):
        raise ValueError("another version of hubbub trained it")
    first, second = (Forest(*(state[f"{name}_{part}"] for part in Forest._fields)) for name in ("first", "second"))
    nets = Nets(*(state[f"nets_{part}"] for part in Nets._fields))
    return Weights(first, second, nets, state["sharpness"])
