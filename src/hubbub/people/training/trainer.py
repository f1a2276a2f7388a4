"""Training of linkers: candidate rows, boosted trees, perceptrons, and temperature scaling on out-of-fold
probabilities.

The second pass is trained on the out-of-fold probabilities of the first, as in stacked generalization (Wolpert, 1992).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...errors import NeedsExtra, TooFew
from ...ml.calibration import masked_softmax
from ...ml.trees.runtime import BoostedTrees, tree_scores
from ...ml.trees.training import BoostingParameters, train_trees
from ..data.mentions import KINDS
from ..features.pair_features import FeatureGroup, pair_features
from ..features.second_pass_features import second_pass_features
from ..features.window import FIRST_PERSON
from ..features.window_arrays import Array, CandidateMatrix
from ..inference.mlp import MlpEnsemble, prepared
from ..inference.scoring import (
    KIND_COLUMN,
    MIN_FIRST_PASS_PROBABILITY,
    LinkerWeights,
    calibrated,
    ensemble_probabilities,
)
from .mlp import train_ensemble

FIRST_PERSON_SHARE = 0.3  # of first-person mentions that is used: they are frequent and nearly all alike
MIN_MENTIONS_PER_KIND = 50  # mentions from which on a kind has a temperature of its own
INVERSE_TEMPERATURES = np.arange(0.5, 1.55, 0.05)  # grid of the calibration
# Fewer leaves than the trees of threads have, since there is less data.
BOOSTING = BoostingParameters(
    depth=7,
    rate=0.08,
    hessian_scale=1.0,
    min_hessian=1e-3,
    min_leaf_rows=30,
    min_leaf_divisor=20,
    parameters={"num_leaves": 31, "feature_fraction": 0.5, "lambda_l2": 5.0, "min_sum_hessian_in_leaf": 0.5},
)


Fitted = TypeVar("Fitted")


class WindowExample(NamedTuple):
    """A window, the number of the gold candidate of each of its mentions, and the scene it is from.

    A mention with the number -1 is context only.
    """

    table: CandidateMatrix
    gold: Array
    scene: int


class BoostingSettings(NamedTuple):
    """Settings of training."""

    groups: tuple[FeatureGroup, ...]
    first_trees: int
    second_trees: int
    depth: int
    rate: float
    folds: int
    nets: int

    @classmethod
    def of(cls, model: Any) -> BoostingSettings:
        """The plan that a model's parameters are."""
        return cls(*(getattr(model, name) for name in cls._fields))


class Rows(NamedTuple):
    """Candidates of all mentions below each other; `sizes` are how many each mention has."""

    table: Array
    gold: Array
    sizes: Array


def require_parts(name: str) -> None:
    if not (find_spec("lightgbm") and find_spec("torch")):
        raise NeedsExtra(f"Training {name}", "train")


def train_linker(examples: Sequence[WindowExample], settings: BoostingSettings, seed: int) -> LinkerWeights:
    """Trains both passes and fits the inverse temperatures."""
    if not examples:
        raise TooFew("mentions whose people are known", 0, 1)
    # The fold of each example; examples of one scene share one.
    scenes = sorted({example.scene for example in examples})
    drawn = np.random.default_rng(seed).permutation(len(scenes)) % max(1, min(settings.folds, len(scenes)))
    of = dict(zip(scenes, drawn, strict=True))
    fold = np.array([of[example.scene] for example in examples])
    first_features = [pair_features(example.table, settings.groups)[1] for example in examples]
    everybody = [example.table.allowed for example in examples]
    first, probability = _cross_fit(
        examples,
        (first_features, everybody),
        fold,
        seed,
        _tree_fitter(settings, settings.first_trees, seed),
        _tree_probabilities,
    )
    considered = [each > MIN_FIRST_PASS_PROBABILITY for each in probability]
    for example, each in zip(examples, considered, strict=True):
        each[np.arange(len(each)), example.gold] = True
    second_features = [
        np.concatenate([one, second_pass_features(example.table, each)[1]])
        for example, one, each in zip(examples, first_features, probability, strict=True)
    ]
    trees = _tree_fitter(settings, settings.second_trees, seed + 1)
    second, again = _cross_fit(examples, (second_features, considered), fold, seed + 1, trees, _tree_probabilities)
    column = len(first_features[0])  # of the first-pass probability
    ensemble_seeds = [seed * 100 + number for number in range(settings.nets)]

    def fit_ensemble(rows: Rows, final: bool) -> MlpEnsemble:
        """Models without a fold are one network each, which saves time."""
        inputs = prepared(rows.table, KIND_COLUMN, column)
        return train_ensemble(inputs, rows.gold, rows.sizes, ensemble_seeds if final else [seed])

    def ensemble(model: MlpEnsemble, used: Array, table: Array) -> Array:
        return ensemble_probabilities(model, used, table, column)

    nets, by_net = _cross_fit(examples, (second_features, considered), fold, seed, fit_ensemble, ensemble)
    mixed = [(one + other) / 2 for one, other in zip(again, by_net, strict=True)]
    return LinkerWeights(first, second, nets, _fit_inverse_temperatures(examples, mixed))


def _tree_fitter(settings: BoostingSettings, trees: int, seed: int) -> Callable[[Rows, bool], BoostedTrees]:
    boosting = replace(BOOSTING, depth=settings.depth, rate=settings.rate)
    return lambda rows, final: train_trees(rows.table, rows.gold, rows.sizes, trees, boosting, seed)


def _tree_probabilities(forest: BoostedTrees, used: Array, table: Array) -> Array:
    probability: Array = masked_softmax(used, tree_scores(forest, table))
    return probability


def _cross_fit(
    examples: Sequence[WindowExample],
    inputs: tuple[Sequence[Array], Sequence[Array]],
    fold: Array,
    seed: int,
    fit: Callable[[Rows, bool], Fitted],
    predict: Callable[[Fitted, Array, Array], Array],
) -> tuple[Fitted, list[Array]]:
    """A model fitted on all examples, and the out-of-fold probabilities of each example.

    `inputs` are the features of each example and which pairs are used; `fit` gets whether its model is the final one.
    """
    rows = [_rows(example, *each) for example, *each in zip(examples, *inputs, strict=True)]
    sampled = _kept(examples, seed)

    def fitted(chosen: Sequence[int], final: bool) -> Fitted:
        return fit(_joined([rows[n] for n in chosen], [sampled[n] for n in chosen]), final)

    final = fitted(range(len(examples)), True)
    probability: list[Array] = [np.empty(0)] * len(examples)
    # Later stages see out-of-fold probabilities, as unsure as those of scenes that no training has seen (Wolpert 1992).
    for number in sorted(set(fold.tolist())):
        others = [n for n in range(len(examples)) if fold[n] != number]
        model = fitted(others, False) if others else final
        for n in np.flatnonzero(fold == number).tolist():
            probability[n] = predict(model, inputs[1][n], rows[n].table)
    return final, probability


def _kept(examples: Sequence[WindowExample], seed: int) -> list[Array]:
    """Which mentions of each example are used: all with a gold label, and a share of the first persons."""
    random = np.random.default_rng(seed)
    return [
        (example.gold >= 0)
        & ((example.table.kind != FIRST_PERSON) | (random.random(len(example.gold)) < FIRST_PERSON_SHARE))
        for example in examples
    ]


def _rows(example: WindowExample, features: Array, used: Array) -> Rows:
    gold = np.zeros(used.shape, bool)
    gold[np.arange(len(used)), example.gold] = True
    return Rows(np.ascontiguousarray(features[:, used].T), gold[used], used.sum(1))


def _joined(rows: Sequence[Rows], sampled: Sequence[Array]) -> Rows:
    """All rows of the mentions that are kept."""
    chosen = [np.repeat(keep, each.sizes) for each, keep in zip(rows, sampled, strict=True)]
    return Rows(
        np.concatenate([each.table[keep] for each, keep in zip(rows, chosen, strict=True)]),
        np.concatenate([each.gold[keep] for each, keep in zip(rows, chosen, strict=True)]),
        np.concatenate([each.sizes[keep] for each, keep in zip(rows, sampled, strict=True)]),
    )


def _fit_inverse_temperatures(examples: Sequence[WindowExample], probability: Sequence[Array]) -> Array:
    """For each kind of mention the inverse temperature with the lowest log loss on out-of-fold probabilities."""
    whole = _best_inverse_temperature(examples, probability, None)
    counts = np.bincount(np.concatenate([example.table.kind for example in examples]), minlength=len(KINDS))
    return np.array(
        [
            _best_inverse_temperature(examples, probability, kind) if counts[kind] >= MIN_MENTIONS_PER_KIND else whole
            for kind in range(len(KINDS))
        ]
    )


def _best_inverse_temperature(
    examples: Sequence[WindowExample], probability: Sequence[Array], kind: int | None
) -> float:
    def loss(power: float) -> float:
        total = 0.0
        for example, each in zip(examples, probability, strict=True):
            chosen = (example.gold >= 0) & ((kind is None) | (example.table.kind == kind))
            part, gold = each[chosen], example.gold[chosen]
            if len(part):
                scaled_probability = calibrated(part, np.full(len(part), power))
                total -= np.log(np.maximum(scaled_probability[np.arange(len(part)), gold], 1e-6)).sum()
        return total

    return float(min(INVERSE_TEMPERATURES, key=loss))
