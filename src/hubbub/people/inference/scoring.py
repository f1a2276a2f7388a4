"""Two-pass scoring: boosted trees score candidates, then trees and perceptrons that also use all first-pass
probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...chat import Chat, Message
from ...layers import Mention
from ...ml.calibration import masked_softmax
from ...ml.model_schema import Field, Items, Numbers, Rule, Schema, Text
from ...ml.trees.runtime import BoostedTrees, tree_fields, tree_rule, tree_scores
from ..data.mentions import KINDS
from ..data.scene import Scene
from ..features.candidates import candidate_set
from ..features.link_counts import LinkCounts
from ..features.pair_features import FeatureGroup, pair_features
from ..features.second_pass_features import second_pass_features
from ..features.window import windows
from ..features.window_arrays import Array, CandidateMatrix
from .mlp import MlpEnsemble, ensemble_scores, net_fields, prepared

MIN_FIRST_PASS_PROBABILITY = 0.002  # less probable candidates are left out of the second pass, which saves time
KIND_COLUMN = 0  # the first column is the kind of the mention
INVERSE_TEMPERATURE_RANGE = 0.01, 100.0  # what a power of probabilities may be


class LinkerWeights(NamedTuple):
    """The trained parameters: the trees of both passes, the perceptrons, and an inverse temperature for each kind of
    mention.
    """

    first: BoostedTrees
    second: BoostedTrees
    nets: MlpEnsemble
    inverse_temperature: Array


class PassRows(NamedTuple):
    """The input of a pass: names of columns, [mention, candidate] which pairs are scored, and a row for each."""

    columns: list[str]
    used: Array
    rows: Array


class ScoredMentions(NamedTuple):
    """[mention, candidate] probabilities, and the rows of both passes."""

    probability: Array
    passes: tuple[PassRows, PassRows]


def score_mentions(weights: LinkerWeights, table: CandidateMatrix, groups: tuple[FeatureGroup, ...]) -> ScoredMentions:
    """The calibrated probabilities of all candidates after the second pass."""
    names, features = pair_features(table, groups)
    rows = np.ascontiguousarray(features[:, table.allowed].T)
    first = masked_softmax(table.allowed, tree_scores(weights.first, rows))
    considered = first > MIN_FIRST_PASS_PROBABILITY
    more_names, more = second_pass_features(table, first)
    again = np.ascontiguousarray(np.concatenate([features[:, considered], more[:, considered]]).T)
    second = masked_softmax(considered, tree_scores(weights.second, again))
    mixed = calibrated(
        (second + ensemble_probabilities(weights.nets, considered, again, len(names))) / 2,
        weights.inverse_temperature[table.kind],
    )
    return ScoredMentions(
        mixed, (PassRows(names, table.allowed, rows), PassRows([*names, *more_names], considered, again))
    )


def ensemble_probabilities(nets: MlpEnsemble, used: Array, rows: Array, probability: int) -> Array:
    """The mean probabilities of the ensemble; `probability` is the column of the first-pass probability."""
    total = np.zeros(used.shape)
    for scores in ensemble_scores(nets, prepared(rows, KIND_COLUMN, probability)):
        total += masked_softmax(used, scores)
    return total / len(nets.first)


def calibrated(probability: Array, inverse_temperature: Array) -> Array:
    """Temperature scaling: probabilities raised to an inverse temperature, one a mention, and normalized."""
    scaled_probability = np.maximum(probability, 1e-12) ** inverse_temperature[:, None] * (probability > 0)
    result: Array = scaled_probability / scaled_probability.sum(1, keepdims=True)
    return result


@cache
def named_columns(groups: tuple[FeatureGroup, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns of the first pass, and those that the second adds, from a scene of one word."""
    scene = Scene(Chat("", (Message("", None, "", "I"),)))
    ((window, _),) = windows(scene, [Mention(0, 0, 1)])
    table = CandidateMatrix(window, candidate_set(window, LinkCounts()), LinkCounts())
    return tuple(pair_features(table, groups)[0]), tuple(second_pass_features(table, np.ones(table.shape))[0])


def columns(groups: tuple[FeatureGroup, ...]) -> list[str]:
    """The names of all columns."""
    first, more = named_columns(groups)
    return [*first, *more]


def schema(groups: tuple[FeatureGroup, ...]) -> Schema:
    """The schema of saved weights and link counts."""
    first, every = len(named_columns(groups)[0]), columns(groups)
    fields: dict[str, Field] = {
        "columns": Items(Text(), len(every)),
        **tree_fields("first", first),
        **tree_fields("second", len(every)),
        **{f"nets_{name}": each for name, each in net_fields(len(every) + 1 + len(KINDS)).items()},
        "inverse_temperature": Numbers("float64", (len(KINDS),), *INVERSE_TEMPERATURE_RANGE),
        "ids": Items(Text(), "ids", distinct=True),
        "keys": Numbers("uint32", ("facts",), 0, 2**32 - 1),
        "people": Numbers("uint16", ("facts",), 0, below="ids"),
        "times": Numbers("uint16", ("facts",), 1),
    }
    same = Rule('"columns" are those of another version of hubbub', lambda sizes, state: state["columns"] == every)
    return Schema(fields, empty=frozenset({"ids", "facts"}), rules=[same, tree_rule("first"), tree_rule("second")])


def flattened(weights: LinkerWeights) -> dict[str, Array]:
    parts: dict[str, BoostedTrees | MlpEnsemble] = {
        "first": weights.first,
        "second": weights.second,
        "nets": weights.nets,
    }
    arrays = {f"{name}_{part}": each for name, whole in parts.items() for part, each in whole._asdict().items()}
    return {**arrays, "inverse_temperature": weights.inverse_temperature}


def unflattened(state: Mapping[str, Any]) -> LinkerWeights:
    def forest(name: str) -> BoostedTrees:
        return BoostedTrees(*(np.ascontiguousarray(state[f"{name}_{part}"]) for part in BoostedTrees._fields))

    first, second = forest("first"), forest("second")
    nets = MlpEnsemble(*(state[f"nets_{part}"] for part in MlpEnsemble._fields))
    return LinkerWeights(first, second, nets, state["inverse_temperature"])
