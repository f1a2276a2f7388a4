"""A forest judges every candidate; then another and small networks, which know what it thought of all mentions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..chat import Chat, Message
from ..layers import Mention
from ..schema import Field, Items, Numbers, Rule, Schema, Text
from ..trees import Forest, forest_fields, forest_rule, scores_of
from .company import company
from .features import Group, features
from .memory import Memory
from .mentions import KINDS
from .nets import Nets, net_fields, nets_scores, prepared
from .scene import Scene
from .second import second_features
from .stage import stages
from .table import Array, Table

SLIGHT = 0.002  # a candidate with less of a chance is not looked at a second time
KIND = 0  # the first column is the kind of the mention
SHARPNESS = 0.01, 100.0  # what a power of probabilities may be


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


@cache
def named_columns(groups: tuple[Group, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns of the first look, and those that the second adds, as a scene of one word has them."""
    scene = Scene(Chat("", (Message("", None, "", "I"),)))
    ((stage, _),) = stages(scene, [Mention(0, 0, 1)])
    table = Table(stage, company(stage, Memory()), Memory())
    return tuple(features(table, groups)[0]), tuple(second_features(table, np.ones(table.shape))[0])


def columns(groups: tuple[Group, ...]) -> list[str]:
    """The names of all columns."""
    first, more = named_columns(groups)
    return [*first, *more]


def schema(groups: tuple[Group, ...]) -> Schema:
    """What saved weights and a saved memory may be."""
    first, every = len(named_columns(groups)[0]), columns(groups)
    fields: dict[str, Field] = {
        "columns": Items(Text(), len(every)),
        **forest_fields("first", first),
        **forest_fields("second", len(every)),
        **{f"nets_{name}": each for name, each in net_fields(len(every) + 1 + len(KINDS)).items()},
        "sharpness": Numbers("float64", (len(KINDS),), *SHARPNESS),
        "ids": Items(Text(), "ids", distinct=True),
        "keys": Numbers("uint32", ("facts",), 0, 2**32 - 1),
        "people": Numbers("uint16", ("facts",), 0, below="ids"),
        "times": Numbers("uint16", ("facts",), 1),
    }
    same = Rule('"columns" are those of another version of hubbub', lambda sizes, state: state["columns"] == every)
    return Schema(fields, empty=frozenset({"ids", "facts"}), rules=[same, forest_rule("first"), forest_rule("second")])


def flattened(weights: Weights) -> dict[str, Array]:
    parts: dict[str, Forest | Nets] = {"first": weights.first, "second": weights.second, "nets": weights.nets}
    arrays = {f"{name}_{part}": each for name, whole in parts.items() for part, each in whole._asdict().items()}
    return {**arrays, "sharpness": weights.sharpness}


def unflattened(state: Mapping[str, Any]) -> Weights:
    def forest(name: str) -> Forest:
        return Forest(*(np.ascontiguousarray(state[f"{name}_{part}"]) for part in Forest._fields))

    first, second = forest("first"), forest("second")
    nets = Nets(*(state[f"nets_{part}"] for part in Nets._fields))
    return Weights(first, second, nets, state["sharpness"])
