"""The whole course, from annotated chats to weights.

Everything a later stage sees of an earlier one was made by a model that had not seen that chat: chats are dealt into
folds, each fold has its own cues, vectors and forests, and features of a chat come from the models of its fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from ...compiling import Array
from ...layers import ReplyGraph
from ...trees import Forest, empty_forest, scores_of
from ..compiled.collect import collect_features
from ..compiled.columns import CUES, PAIR, SHORT, WHOLE
from ..compiled.memory import BUCKETS, DIMENSIONS, SLOTS, WINDOW, Weights, fresh
from ..hubbub import Hubbub
from .cues import learn_cues
from .forests import grow
from .kept import Kept
from .material import Story, learn_frequency
from .space import word_space
from .vectors import learn_vectors

SHORT_TREES, SHORT_DEPTH, SHORT_MESSAGES = 30, 5, 16_000  # of the shortlist, and what it is learnt from
FIRST_RATE = 0.12  # how fast the first forest learns; the second has the rate of the plan
NEAR = 12  # of the candidates of a message, in the order of the shortlist, those that trees are grown on
KIN = 0.15  # what the second forest is told to give to other candidates of the right conversation
START, TOGETHER = -0.25, 0.95  # the bias of starts and the weight of a candidate's thread, by cross-validation


class Seen(NamedTuple):
    """Features of the judged messages of all chats, one after the other."""

    story: Array
    candidates: Array
    right: Array
    kin: Array
    features: Array

    @property
    def used(self) -> Array:
        return self.candidates >= 0


def settings(stage: int = 1, warm: float = 1.0) -> Array:
    """The numbers beside the forests; while only the first one is there, its scores are taken as they are."""
    return np.array([0.0, START if stage > 1 else 0.0, warm, stage, TOGETHER])


def untaught(stage: int = 1) -> Weights:
    """Weights that know nothing yet."""
    return Weights(
        np.zeros(BUCKETS, np.float32),
        np.zeros((BUCKETS + 1, CUES), np.float32),
        np.zeros((BUCKETS, DIMENSIONS), np.int8),
        np.zeros((BUCKETS, DIMENSIONS), np.int8),
        empty_forest(), empty_forest(), empty_forest(),
        settings(stage),
    )  # fmt: skip


def learn_words(told: Sequence[Story], others: Sequence[Story], folds: int, seed: int) -> list[Array]:
    """Frequencies; then cues and vectors, those of all chats, and for each fold those of the others.

    Of `others`, chats without gold, only the words are learnt.
    """
    start = untaught()
    for _ in range(2):
        start = start._replace(frequency=learn_frequency([*told, *others], start))
    learn_frequency([*told, *others], start)
    space = word_space([*told, *others], seed)
    learnt = [start.frequency]
    for group in (told, *([s for s in told if s.fold != fold] for fold in range(folds))):
        learnt += [learn_cues(group, seed), *learn_vectors(group, space, seed)]
    return learnt


def look(told: Sequence[Story], weights: Sequence[Weights], columns: int) -> Seen:
    """Runs over every chat with the weights of its fold and keeps the features of the judged messages."""
    judged = [story.judged for story in told]
    counts = [len(each) for each in judged]
    ends = np.cumsum([0, *counts])
    candidates = np.full((ends[-1], SLOTS), -1, np.int64)
    right, kin = np.zeros((ends[-1], SLOTS), np.float32), np.zeros((ends[-1], SLOTS), np.float32)
    features = np.zeros((ends[-1], SLOTS, columns), np.float32)
    for number, story in enumerate(told):
        part = slice(ends[number], ends[number + 1])
        _run(story, weights[story.fold], judged[number], candidates[part], _none(features, columns, part))
        right[part], kin[part] = _right(story, judged[number], candidates[part])
    return Seen(np.repeat(np.arange(len(told)), counts), candidates, right, kin, features)


def _none(features: Array, columns: int, part: slice) -> tuple[Array, Array, Array]:
    pair, whole = np.zeros((0, SLOTS, PAIR), np.float32), np.zeros((0, SLOTS, WHOLE), np.float32)
    short = np.zeros((0, WINDOW, len(SHORT)), np.float32)
    return (features[part] if columns == PAIR else pair, features[part] if columns == WHOLE else whole, short)


def _run(story: Story, weights: Weights, judged: Array, candidates: Array, tables: tuple[Array, Array, Array]) -> None:
    """Fills candidates and tables."""
    count = len(story.batch.kind)
    wanted = np.full(count, -1, np.int64)
    wanted[judged] = np.arange(len(judged))
    parents, sure = np.zeros((count, 2), np.int64), np.zeros((count, 2), np.float32)
    collect_features(fresh(weights.frequency), weights, story.batch, wanted, parents, sure, candidates, *tables)


def _right(story: Story, judged: Array, candidates: Array) -> tuple[Array, Array]:
    """What the gold says of every candidate, and which others are of the same conversation; both sum to 1 or to 0."""
    first = np.zeros(len(story.gold), np.int64)
    for group in ReplyGraph(story.gold).conversations():
        first[list(group)] = group[0]
    right = np.zeros(candidates.shape, np.float32)
    for row, position in enumerate(judged):
        right[row] = np.isin(candidates[row], story.gold[position])
    kin = (first[candidates] == first[judged][:, None]) & (candidates >= 0) & (right == 0)
    kin[:, 0] = False
    return _shares(right), _shares(kin)


def _shares(marked: Array) -> Array:
    shares: Array = marked / np.maximum(marked.sum(1, keepdims=True), 1)
    return shares


def learn_shortlist(told: Sequence[Story], weights: Sequence[Weights], seed: int) -> Forest:
    """The small forest that picks candidates, from a sample of the judged messages."""
    chance = min(1.0, SHORT_MESSAGES / max(1, sum(len(s.judged) for s in told)))
    generator = np.random.default_rng(seed)
    tables, rights = [], []
    for story in told:
        judged = story.judged
        judged = judged[generator.random(len(judged)) <= chance]
        short = np.full((len(judged), WINDOW, len(SHORT)), np.nan, np.float32)
        empty = np.zeros((0, SLOTS, PAIR), np.float32), np.zeros((0, SLOTS, WHOLE), np.float32)
        _run(story, weights[story.fold], judged, np.full((len(judged), SLOTS), -1, np.int64), (*empty, short))
        tables.append(short)
        rights.append(_right_of_window(story, judged))
    short, right = np.concatenate(tables), np.concatenate(rights)
    answers = right.sum(1) > 0
    short, right = short[answers], right[answers]
    return grow(short, right, ~np.isnan(short[:, :, 0]), SHORT_TREES, SHORT_DEPTH, seed,
                num_leaves=24, learning_rate=0.25, feature_fraction=0.8)  # fmt: skip


def _right_of_window(story: Story, judged: Array) -> Array:
    index = np.full(len(story.batch.kind), -1, np.int64)
    index[story.spoken] = np.arange(len(story.spoken))
    right = np.zeros((len(judged), WINDOW), np.float32)
    for row, position in enumerate(judged):
        back = [index[position] - index[p] - 1 for p in story.gold[position] if p != position and index[p] >= 0]
        right[row, [each for each in back if each < WINDOW]] = 1
    return _shares(right)


def fit_forest(
    seen: Seen, told: Sequence[Story], fold: int, trees: int, plan: Hubbub, seed: int, after: Forest | None = None,
    rate: float | None = None, kin: float = 0.0,
) -> Forest:  # fmt: skip
    """A forest from the chats outside a fold, or from all of them for fold -1; it corrects the one it comes after."""
    folds = np.array([story.fold for story in told])[seen.story]
    rows = (seen.right.sum(1) > 0) & (folds != fold)
    right, others = seen.right[rows], seen.kin[rows]
    used = seen.used[rows] & ((np.arange(SLOTS) < NEAR) | (right > 0))
    others = _shares((others > 0) & used)
    wanted = np.where(others.sum(1, keepdims=True) > 0, (1 - kin) * right + kin * others, right)
    return grow(seen.features[rows], wanted, used, trees, plan.depth, seed, after, learning_rate=rate or plan.rate)


def teach(told: Sequence[Story], others: Sequence[Story], plan: Hubbub, folds: int, seed: int, kept: Kept) -> Weights:
    """The whole course: weights from all chats, and on the way those of every fold."""
    frequency, *learnt = kept.stage("words", lambda: learn_words(told, others, folds, seed))
    groups = [
        untaught()._replace(frequency=frequency, cues=cues, ask=ask, say=say)
        for cues, ask, say in zip(learnt[::3], learnt[1::3], learnt[2::3], strict=True)
    ]
    short = Forest(*kept.stage("shortlist", lambda: learn_shortlist(told, groups[1:], seed)))
    groups = [group._replace(shortlist=short) for group in groups]
    return _second(told, _first(told, groups, plan, seed, kept), plan, seed, kept)


def _first(told: Sequence[Story], groups: Sequence[Weights], plan: Hubbub, seed: int, kept: Kept) -> list[Weights]:
    """The weights with a first forest each, the first from all chats, the others from those outside their fold."""
    seen = cache(lambda: look(told, groups[1:], PAIR))

    def grown(fold: int) -> Forest:
        return fit_forest(seen(), told, fold, plan.first_trees, plan, seed + fold + 1, rate=FIRST_RATE)

    names = [f"first forest, {number} of {len(groups)}" for number in range(1, len(groups) + 1)]
    forests = [Forest(*kept.stage(name, partial(grown, fold))) for fold, name in enumerate(names, -1)]
    return [group._replace(first=forest) for group, forest in zip(groups, forests, strict=True)]


def _second(told: Sequence[Story], groups: Sequence[Weights], plan: Hubbub, seed: int, kept: Kept) -> Weights:
    """The weights from all chats with their second forest; one without a fold tells how warm it is to be."""
    seen = cache(lambda: look(told, groups[1:], WHOLE))

    def grown(fold: int) -> Forest:
        return fit_forest(seen(), told, fold, plan.second_trees, plan, seed, kin=KIN)

    judge = Forest(*kept.stage("second forest, without a fold", partial(grown, 0)))
    (warm,) = kept.stage("warmth", lambda: [np.array(warmth(seen(), told, judge))])
    second = Forest(*kept.stage("second forest", partial(grown, -1)))
    return groups[0]._replace(second=second, settings=settings(2, float(warm)))


def warmth(seen: Seen, told: Sequence[Story], forest: Forest) -> float:
    """The factor on scores that makes probabilities true, judged on the fold that the forest has not seen."""
    folds = np.array([story.fold for story in told])[seen.story]
    known = (seen.right.sum(1) > 0) & (folds == 0)
    used, right = seen.used[known], seen.right[known]
    scores = np.full(used.shape, -np.inf)
    scores[used] = scores_of(forest, seen.features[known][used])
    scores -= scores.max(1, keepdims=True)
    losses = {}
    for factor in np.arange(0.6, 1.8, 0.05):
        chance = np.exp(scores * factor)
        chance /= chance.sum(1, keepdims=True)
        losses[-np.log((chance * right).sum(1) + 1e-9).mean()] = float(factor)
    return round(losses[min(losses)], 2) if len(right) else 1.0
