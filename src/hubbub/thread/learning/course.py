"""The whole course, from annotated chats to weights.

Everything a later stage sees of an earlier one was made by a model that had not seen that chat: chats are dealt into
folds, each fold has its own cues, vectors and forests, and features of a chat come from the models of its fold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..compiled.collect import collect_features
from ..compiled.columns import CUES, PAIR, SHORT, WHOLE
from ..compiled.jit import Array
from ..compiled.memory import BUCKETS, DIMENSIONS, SLOTS, WARMTH, WINDOW, Forest, Weights, fresh
from .cues import learn_cues
from .forests import empty_forest, grow, scores_of
from .material import Story, learn_frequency
from .space import word_space
from .vectors import learn_vectors

Say = Callable[[str], None]
FIRST_RATE = 0.12  # how fast the first forest learns; the second has the rate of the plan
NEAR = 12  # of the candidates of a message, in the order of the shortlist, those that trees are grown on


@dataclass(frozen=True)
class Plan:
    """How much of everything."""

    folds: int = 3
    short_trees: int = 30
    short_depth: int = 5
    short_messages: int = 16_000
    first_trees: int = 150
    second_trees: int = 400
    depth: int = 7
    rate: float = 0.07
    rounds: int = 1
    bias: float = -0.7


class Seen(NamedTuple):
    """Features of the judged messages of all chats, one after the other."""

    story: Array
    position: Array
    candidates: Array
    right: Array
    features: Array
    parents: list[Array]

    @property
    def used(self) -> Array:
        return self.candidates >= 0


def untaught(stage: int = 1) -> Weights:
    """Weights that know nothing yet."""
    return Weights(
        np.zeros(BUCKETS, np.float32),
        np.zeros((BUCKETS + 1, CUES), np.float32),
        np.zeros((BUCKETS, DIMENSIONS), np.int8),
        np.zeros((BUCKETS, DIMENSIONS), np.int8),
        empty_forest(), empty_forest(), empty_forest(),
        np.array([0.0, 0.0, 1.0, stage]),
    )  # fmt: skip


def learn_words(
    told: Sequence[Story], others: Sequence[Story], plan: Plan, seed: int, say: Say
) -> tuple[Weights, list[Weights]]:
    """The weights with frequencies, cues and vectors: those of all chats, and for each fold those of the others.

    Of `others`, chats without gold, only the words are learnt.
    """
    start = untaught()
    for _ in range(2):
        start = start._replace(frequency=learn_frequency([*told, *others], start))
    learn_frequency([*told, *others], start)
    say("a space of words")
    space = word_space([*told, *others], seed)
    groups = [told, *([s for s in told if s.fold != fold] for fold in range(plan.folds))]
    taught = []
    for number, group in enumerate(groups):
        say(f"words and vectors, {number + 1} of {len(groups)}")
        ask, answer = learn_vectors(group, space, seed)
        taught.append(start._replace(cues=learn_cues(group, seed), ask=ask, say=answer))
    return taught[0], taught[1:]


def look(told: Sequence[Story], weights: Sequence[Weights], columns: int) -> Seen:
    """Runs over every chat with the weights of its fold and keeps the features of the judged messages."""
    judged = [story.judged for story in told]
    counts = [len(each) for each in judged]
    ends = np.cumsum([0, *counts])
    candidates = np.full((ends[-1], SLOTS), -1, np.int64)
    features = np.zeros((ends[-1], SLOTS, columns), np.float32)
    parents = []
    for number, story in enumerate(told):
        part = slice(ends[number], ends[number + 1])
        parents.append(
            _run(story, weights[story.fold], judged[number], candidates[part], _none(features, columns, part))
        )
    right = np.concatenate(
        [_right(s, j, candidates[a:b]) for s, j, a, b in zip(told, judged, ends, ends[1:], strict=False)]
    )
    return Seen(np.repeat(np.arange(len(told)), counts), np.concatenate(judged), candidates, right, features, parents)


def _none(features: Array, columns: int, part: slice) -> tuple[Array, Array, Array]:
    pair, whole = np.zeros((0, SLOTS, PAIR), np.float32), np.zeros((0, SLOTS, WHOLE), np.float32)
    short = np.zeros((0, WINDOW, len(SHORT)), np.float32)
    return (features[part] if columns == PAIR else pair, features[part] if columns == WHOLE else whole, short)


def _run(story: Story, weights: Weights, judged: Array, candidates: Array, tables: tuple[Array, Array, Array]) -> Array:
    """The parents it chose; candidates and tables are filled."""
    count = len(story.batch.kind)
    wanted = np.full(count, -1, np.int64)
    wanted[judged] = np.arange(len(judged))
    parents, sure = np.zeros((count, 2), np.int64), np.zeros((count, 2), np.float32)
    collect_features(fresh(weights.frequency), weights, story.batch, wanted, parents, sure, candidates, *tables)
    return parents[:, 0]


def _right(story: Story, judged: Array, candidates: Array) -> Array:
    """What the gold says of every candidate, summing to 1, or to 0 where the answered message is none of them."""
    right = np.zeros(candidates.shape, np.float32)
    for row, position in enumerate(judged):
        right[row] = np.isin(candidates[row], story.gold[position])
    return right / np.maximum(right.sum(1, keepdims=True), 1)


def learn_shortlist(told: Sequence[Story], weights: Sequence[Weights], plan: Plan, seed: int) -> Forest:
    """The small forest that picks candidates, from a sample of the judged messages."""
    chance = min(1.0, plan.short_messages / max(1, sum(len(s.judged) for s in told)))
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
    return grow(short, right, ~np.isnan(short[:, :, 0]), plan.short_trees, plan.short_depth, seed,
                num_leaves=24, learning_rate=0.25, feature_fraction=0.8)  # fmt: skip


def _right_of_window(story: Story, judged: Array) -> Array:
    index = np.full(len(story.batch.kind), -1, np.int64)
    index[story.spoken] = np.arange(len(story.spoken))
    right = np.zeros((len(judged), WINDOW), np.float32)
    for row, position in enumerate(judged):
        back = [index[position] - index[p] - 1 for p in story.gold[position] if p != position and index[p] >= 0]
        right[row, [each for each in back if each < WINDOW]] = 1
    return right / np.maximum(right.sum(1, keepdims=True), 1)


def fit_forest(
    seen: Seen, told: Sequence[Story], fold: int, trees: int, plan: Plan, seed: int, after: Forest | None = None,
    rate: float | None = None,
) -> Forest:  # fmt: skip
    """A forest from the chats outside a fold, or from all of them for fold -1; it corrects the one it comes after."""
    folds = np.array([story.fold for story in told])[seen.story]
    rows = (seen.right.sum(1) > 0) & (folds != fold)
    used = seen.used[rows] & ((np.arange(SLOTS) < NEAR) | (seen.right[rows] > 0))
    tables = seen.features[rows], seen.right[rows], used
    return grow(*tables, trees, plan.depth, seed, after, learning_rate=rate or plan.rate)


def teach(
    told: Sequence[Story], others: Sequence[Story], plan: Plan, seed: int, say: Say
) -> tuple[Weights, list[Weights]]:
    """The whole course: weights from all chats, and those of every fold."""
    everything, parts = learn_words(told, others, plan, seed, say)
    say("shortlist")
    short = learn_shortlist(told, parts, plan, seed)
    everything, parts = everything._replace(shortlist=short), [part._replace(shortlist=short) for part in parts]
    seen = look(told, parts, PAIR)
    say(f"first forest; {100 * (seen.right.sum(1) > 0).mean():.1f} % of the answered messages are on the shortlist")
    forests = [
        fit_forest(seen, told, fold, plan.first_trees, plan, seed + fold + 1, rate=FIRST_RATE)
        for fold in range(-1, plan.folds)
    ]
    everything = everything._replace(first=forests[0])
    parts = [part._replace(first=forest) for part, forest in zip(parts, forests[1:], strict=True)]
    settings = np.array([0.0, plan.bias, 1.0, 2.0])
    for turn in range(plan.rounds):
        say(f"second forest, round {turn + 1} of {plan.rounds}")
        seen = look(told, parts, WHOLE)
        trees = plan.second_trees if turn == plan.rounds - 1 else plan.second_trees // 2
        parts = [
            part._replace(second=fit_forest(seen, told, fold, trees, plan, seed + fold), settings=settings)
            for fold, part in enumerate(parts)
        ]
    settings[WARMTH] = warmth(seen, told, parts)
    second = fit_forest(seen, told, -1, plan.second_trees, plan, seed)
    return everything._replace(second=second, settings=settings), parts


def warmth(seen: Seen, told: Sequence[Story], parts: Sequence[Weights]) -> float:
    """The factor on scores that makes probabilities true, judged on chats that the forests have not seen."""
    folds = np.array([story.fold for story in told])[seen.story]
    scores = np.full(seen.used.shape, -np.inf)
    for fold, part in enumerate(parts):
        rows = seen.used & (folds == fold)[:, None]
        scores[rows] = scores_of(part.second, seen.features[rows])
    known = seen.right.sum(1) > 0
    scores, right = scores[known] - scores[known].max(1, keepdims=True), seen.right[known]
    losses = {}
    for factor in np.arange(0.6, 1.6, 0.05):
        chance = np.exp(scores * factor)
        chance /= chance.sum(1, keepdims=True)
        losses[-np.log((chance * right).sum(1) + 1e-9).mean()] = float(factor)
    return round(losses[min(losses)], 2) if len(right) else 1.0
