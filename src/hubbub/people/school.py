"""How the judges of people are trained: rows of candidates, boosted trees, and chances that are held against the truth.

The second forest learns from what first forests say of scenes that they were not grown on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from ..errors import NeedsExtra, TooFew
from ..trees import Forest, empty_forest, plain, scores_of
from .features import Group, features
from .judging import KIND, SLIGHT, Weights, by_nets, sharpened, softmax
from .mentions import KINDS
from .net_training import trained_nets
from .nets import Nets, prepared
from .second import second_features
from .stage import FIRST_PERSON
from .table import Array, Table

FEWEST = 20  # rows from which on trees are grown
EASY = 0.3  # the share of first persons that is learnt from: they are many and nearly all the same
FEWEST_OF_A_KIND = 50  # mentions from which on a kind has a sharpness of its own
SHARPNESS = np.arange(0.5, 1.55, 0.05)
GROWING = {
    "num_leaves": 31,
    "feature_fraction": 0.5,
    "lambda_l2": 5.0,
    "max_bin": 63,
    "min_sum_hessian_in_leaf": 0.5,
    "feature_pre_filter": False,
    "force_row_wise": True,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}


class Lesson(NamedTuple):
    """A stage, the number of the right candidate of each of its mentions, and the scene that it is from.

    A mention whose number is -1 is there, but nothing is learnt from it.
    """

    table: Table
    right: Array
    scene: int


class Plan(NamedTuple):
    """How forests are grown."""

    groups: tuple[Group, ...]
    first_trees: int
    second_trees: int
    depth: int
    rate: float
    folds: int
    nets: int

    @classmethod
    def of(cls, model: Any) -> Plan:
        """The plan that a model's parameters are."""
        return cls(*(getattr(model, name) for name in cls._fields))


class Rows(NamedTuple):
    """Candidates of all mentions below each other; `sizes` are how many each mention has."""

    table: Array
    right: Array
    sizes: Array


def require_parts(name: str) -> None:
    if not (find_spec("lightgbm") and find_spec("torch")):
        raise NeedsExtra(f"Training {name}", "train")


def taught(lessons: Sequence[Lesson], plan: Plan, seed: int) -> Weights:
    """Both forests and the sharpness of their chances."""
    if not lessons:
        raise TooFew("mentions whose people are known", 0, 1)
    fold = _folds(lessons, plan.folds, seed)
    seen = [features(lesson.table, plan.groups)[1] for lesson in lessons]
    everybody = [lesson.table.allowed for lesson in lessons]
    first, chance = _forests(lessons, seen, everybody, fold, plan.first_trees, plan, seed)
    looked = [each > SLIGHT for each in chance]
    for lesson, each in zip(lessons, looked, strict=True):
        each[np.arange(len(each)), lesson.right] = True
    wide = [
        np.concatenate([one, second_features(lesson.table, each)[1]])
        for lesson, one, each in zip(lessons, seen, chance, strict=True)
    ]
    second, again = _forests(lessons, wide, looked, fold, plan.second_trees, plan, seed + 1)
    nets, by_net = _nets(lessons, wide, looked, fold, len(seen[0]), plan, seed)
    mixed = [(one + other) / 2 for one, other in zip(again, by_net, strict=True)]
    return Weights(first, second, nets, _sharpness(lessons, mixed))


def _folds(lessons: Sequence[Lesson], folds: int, seed: int) -> Array:
    """The fold of each lesson; lessons of one scene share one."""
    scenes = sorted({lesson.scene for lesson in lessons})
    drawn = np.random.default_rng(seed).permutation(len(scenes)) % max(1, min(folds, len(scenes)))
    of = dict(zip(scenes, drawn, strict=True))
    return np.array([of[lesson.scene] for lesson in lessons])


def _forests(
    lessons: Sequence[Lesson], seen: Sequence[Array], used: Sequence[Array], fold: Array, trees: int, plan: Plan,
    seed: int,
) -> tuple[Forest, list[Array]]:  # fmt: skip
    """A forest grown on all lessons, and the chances that forests grown without its fold give each lesson."""
    rows = [_rows(lesson, each, chosen) for lesson, each, chosen in zip(lessons, seen, used, strict=True)]
    kept = _kept(lessons, seed)
    grown: Callable[[Sequence[int]], Forest] = lambda chosen: grow(  # noqa: E731
        _joined([rows[n] for n in chosen], [kept[n] for n in chosen]), trees, plan, seed
    )
    whole = grown(range(len(lessons)))
    chance: list[Array] = [np.empty(0)] * len(lessons)
    for number in sorted(set(fold.tolist())):
        learnt = [n for n in range(len(lessons)) if fold[n] != number]
        forest = grown(learnt) if learnt else whole
        for n in np.flatnonzero(fold == number).tolist():
            chance[n] = softmax(used[n], scores_of(forest, rows[n].table))
    return whole, chance


def _kept(lessons: Sequence[Lesson], seed: int) -> list[Array]:
    """Which mentions of each lesson are learnt from: all that may be, and of first persons some."""
    random = np.random.default_rng(seed)
    return [
        (lesson.right >= 0) & ((lesson.table.kind != FIRST_PERSON) | (random.random(len(lesson.right)) < EASY))
        for lesson in lessons
    ]


def _nets(
    lessons: Sequence[Lesson], seen: Sequence[Array], used: Sequence[Array], fold: Array, chance: int, plan: Plan,
    seed: int,
) -> tuple[Nets, list[Array]]:  # fmt: skip
    """The same with networks; those that go without a fold are one each."""
    rows = [_rows(lesson, each, chosen) for lesson, each, chosen in zip(lessons, seen, used, strict=True)]
    kept = _kept(lessons, seed)

    def learnt(chosen: Sequence[int], seeds: list[int]) -> Nets:
        whole = _joined([rows[n] for n in chosen], [kept[n] for n in chosen])
        return trained_nets(prepared(whole.table, KIND, chance), whole.right, whole.sizes, seeds)

    found: list[Array] = [np.empty(0)] * len(lessons)
    nets = learnt(range(len(lessons)), [seed * 100 + n for n in range(plan.nets)])
    for number in sorted(set(fold.tolist())):
        others = [n for n in range(len(lessons)) if fold[n] != number]
        judge = learnt(others, [seed]) if others else nets
        for n in np.flatnonzero(fold == number).tolist():
            found[n] = by_nets(judge, used[n], rows[n].table, chance)
    return nets, found


def _rows(lesson: Lesson, seen: Array, used: Array) -> Rows:
    right = np.zeros(used.shape, bool)
    right[np.arange(len(used)), lesson.right] = True
    return Rows(np.ascontiguousarray(seen[:, used].T), right[used], used.sum(1))


def _joined(rows: Sequence[Rows], kept: Sequence[Array]) -> Rows:
    """All rows of the mentions that are kept."""
    chosen = [np.repeat(keep, each.sizes) for each, keep in zip(rows, kept, strict=True)]
    return Rows(
        np.concatenate([each.table[keep] for each, keep in zip(rows, chosen, strict=True)]),
        np.concatenate([each.right[keep] for each, keep in zip(rows, chosen, strict=True)]),
        np.concatenate([each.sizes[keep] for each, keep in zip(rows, kept, strict=True)]),
    )


def grow(rows: Rows, trees: int, plan: Plan, seed: int) -> Forest:
    """Boosted trees under a softmax over the candidates of each mention."""
    import lightgbm

    if len(rows.table) < FEWEST or not np.ptp(rows.table, axis=0).any():
        return empty_forest(plan.depth)
    few = max(1, len(rows.table) // 20)
    settings = {**GROWING, "learning_rate": plan.rate, "max_depth": plan.depth, "seed": seed}
    settings |= {"min_data_in_leaf": min(30, few), "min_data_in_bin": min(3, few), "objective": _slopes(rows)}
    grown = lightgbm.train(settings, lightgbm.Dataset(rows.table, rows.right.astype(np.float64)), trees)
    return plain(grown.dump_model()["tree_info"], plan.depth)


def _slopes(rows: Rows) -> Any:
    """The objective: candidates of a mention compete."""
    starts, right = np.cumsum(rows.sizes) - rows.sizes, rows.right.astype(np.float64)

    def slopes(scores: Array, data: Any) -> tuple[Array, Array]:
        chance = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), rows.sizes))
        chance /= np.repeat(np.add.reduceat(chance, starts), rows.sizes)
        return chance - right, np.maximum(chance * (1 - chance), 1e-3)

    return slopes


def _sharpness(lessons: Sequence[Lesson], chance: Sequence[Array]) -> Array:
    """For each kind the power that makes the truth most probable, in scenes that were not learnt from."""
    whole = _best_power(lessons, chance, None)
    counts = np.bincount(np.concatenate([lesson.table.kind for lesson in lessons]), minlength=len(KINDS))
    return np.array(
        [
            _best_power(lessons, chance, kind) if counts[kind] >= FEWEST_OF_A_KIND else whole
            for kind in range(len(KINDS))
        ]
    )


def _best_power(lessons: Sequence[Lesson], chance: Sequence[Array], kind: int | None) -> float:
    def loss(power: float) -> float:
        total = 0.0
        for lesson, each in zip(lessons, chance, strict=True):
            chosen = (lesson.right >= 0) & ((kind is None) | (lesson.table.kind == kind))
            part, right = each[chosen], lesson.right[chosen]
            if len(part):
                powered = sharpened(part, np.full(len(part), power))
                total -= np.log(np.maximum(powered[np.arange(len(part)), right], 1e-6)).sum()
        return total

    return float(min(SHARPNESS, key=loss))
