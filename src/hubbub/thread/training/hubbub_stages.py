"""The stages of training thread/hubbub, from annotated chats to weights.

What a later stage sees of an earlier one always comes from a model that was not trained on that chat (stacking, Wolpert
1992): chats are divided into folds, each fold has its own cues, vectors and trees, and the features of a chat are
computed with the models of its fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from ...layers import ReplyGraph
from ...ml.calibration import best_temperature
from ...ml.compilation import Array
from ...ml.trees.runtime import BoostedTrees, empty_trees, tree_scores
from ...ml.trees.training import BoostingParameters, train_trees
from ..features.feature_columns import ALL_COLUMNS, CUE_COLUMNS, PAIR_COLUMNS, SHORTLIST_COLUMNS
from ..inference.state import HASH_BUCKETS, SHORTLIST_SIZE, VECTOR_SIZE, WINDOW, ThreaderWeights, initial_state
from ..inference.training_features import collect_features
from ..models.hubbub import HubbubThreader
from .checkpoints import Checkpoints
from .dataset import TrainingChat, fit_frequency
from .reply_vectors import fit_reply_vectors
from .start_cues import fit_cues
from .word_svd import word_vectors_from_text

# Gradient-based one-side sampling (Ke et al. 2017, section 3) and 40 % of the columns a tree keep training short.
LIGHTGBM = {
    "num_leaves": 72,
    "feature_fraction": 0.4,
    "lambda_l2": 10.0,
    "data_sample_strategy": "goss",
    "top_rate": 0.2,
    "other_rate": 0.1,
}
BOOSTING = BoostingParameters(7, 0.07, 2.0, 1e-6, min_leaf_rows=100, min_leaf_divisor=10, parameters=LIGHTGBM)
SHORTLIST_TREES = 30  # few and shallow: they score every message of the window
SHORTLIST_MESSAGES = 16_000  # a sample of the annotated messages is enough for so few trees
SHORTLIST_BOOSTING = replace(
    BOOSTING, depth=5, rate=0.25, parameters={**LIGHTGBM, "num_leaves": 24, "feature_fraction": 0.8}
)
FIRST_RATE = 0.12  # learning rate of the first trees, which are fewer than the second
TRAINED_CANDIDATES = 12  # of a message, in the order of the shortlist; the last ones are easy and only take time
SAME_CONVERSATION_SHARE = 0.15  # of the target of the second trees, for other candidates of the gold conversation
START_BIAS, THREAD_SHARE = -0.25, 0.95  # score of a start, support within a thread: by cross-validation on irc:train
INVERSE_TEMPERATURES = np.arange(0.6, 1.8, 0.05)  # grid of the calibration


class TrainingFeatures(NamedTuple):
    """The annotated messages of all chats: their candidates, and what each candidate is.

    `gold` and `same_conversation` are the shares of the gold parents and of the other messages of their conversation.
    """

    chat: Array
    candidates: Array
    gold: Array
    same_conversation: Array
    features: Array

    @property
    def used(self) -> Array:
        return self.candidates >= 0


def settings(stage: int = 1, inverse_temperature: float = 1.0) -> Array:
    """The numbers beside the trees; in stage 1, with the first trees alone, the scores are used as they are."""
    return np.array([0.0, START_BIAS if stage > 1 else 0.0, inverse_temperature, stage, THREAD_SHARE])


def initial_weights() -> ThreaderWeights:
    """The weights before training: everything is 0."""
    return ThreaderWeights(
        np.zeros(HASH_BUCKETS, np.float32),
        np.zeros((HASH_BUCKETS + 1, CUE_COLUMNS), np.float32),
        np.zeros((HASH_BUCKETS, VECTOR_SIZE), np.int8),
        np.zeros((HASH_BUCKETS, VECTOR_SIZE), np.int8),
        empty_trees(), empty_trees(), empty_trees(),
        settings(),
    )  # fmt: skip


def fit_words(chats: Sequence[TrainingChat], unlabelled: Sequence[TrainingChat], folds: int, seed: int) -> list[Array]:
    """Word frequencies; then cues and vectors from all chats, and for each fold from the chats outside it.

    Unlabelled chats contribute frequencies and the word vectors that training starts from.
    """
    every, start = [*chats, *unlabelled], initial_weights()
    for _ in range(2):  # which words are names depends on the frequencies
        start = start._replace(frequency=fit_frequency(every, start))
    fit_frequency(every, start)
    vectors = word_vectors_from_text(every, seed)
    arrays = [start.frequency]
    for group in (chats, *([chat for chat in chats if chat.fold != fold] for fold in range(folds))):
        arrays += [fit_cues(group, seed), *fit_reply_vectors(group, vectors, seed)]
    return arrays


def collect_training_features(
    chats: Sequence[TrainingChat], weights: Sequence[ThreaderWeights], columns: int
) -> TrainingFeatures:
    """The features of the annotated messages, each chat run with the weights of its fold.

    `columns` is PAIR_COLUMNS or ALL_COLUMNS.
    """
    annotated = [chat.annotated for chat in chats]
    counts = [len(each) for each in annotated]
    ends = np.cumsum([0, *counts])
    candidates = np.full((ends[-1], SHORTLIST_SIZE), -1, np.int64)
    gold, same_conversation = (np.zeros(candidates.shape, np.float32) for _ in range(2))
    features = np.zeros((*candidates.shape, columns), np.float32)
    for number, chat in enumerate(chats):
        part = slice(ends[number], ends[number + 1])
        tables = {"pair" if columns == PAIR_COLUMNS else "whole": features[part]}
        _run(chat, weights[chat.fold], annotated[number], candidates[part], **tables)
        gold[part], same_conversation[part] = _targets(chat, annotated[number], candidates[part])
    return TrainingFeatures(np.repeat(np.arange(len(chats)), counts), candidates, gold, same_conversation, features)


def _run(
    chat: TrainingChat, weights: ThreaderWeights, annotated: Array, candidates: Array, *,
    pair: Array | None = None, whole: Array | None = None, short: Array | None = None,
) -> None:  # fmt: skip
    """Runs the model over a chat; fills the candidates of the annotated messages and the tables that are given."""
    count = len(chat.batch.kind)
    rows = np.full(count, -1, np.int64)
    rows[annotated] = np.arange(len(annotated))
    tables = (
        np.zeros((0, SHORTLIST_SIZE, PAIR_COLUMNS), np.float32) if pair is None else pair,
        np.zeros((0, SHORTLIST_SIZE, ALL_COLUMNS), np.float32) if whole is None else whole,
        np.zeros((0, WINDOW, len(SHORTLIST_COLUMNS)), np.float32) if short is None else short,
    )
    parents, probabilities = np.zeros((count, 2), np.int64), np.zeros((count, 2), np.float32)
    state = initial_state(weights.frequency)
    collect_features(state, weights, chat.batch, rows, parents, probabilities, candidates, *tables)


def _targets(chat: TrainingChat, annotated: Array, candidates: Array) -> tuple[Array, Array]:
    """The share of each candidate in the gold, and in the rest of its conversation; rows sum to 1 or to 0."""
    first = np.zeros(len(chat.gold), np.int64)
    for group in ReplyGraph(chat.gold).components():
        first[list(group)] = group[0]
    gold = np.zeros(candidates.shape, np.float32)
    for row, position in enumerate(annotated):
        gold[row] = np.isin(candidates[row], chat.gold[position])
    same_conversation = (first[candidates] == first[annotated][:, None]) & (candidates >= 0) & (gold == 0)
    same_conversation[:, 0] = False
    return _shares(gold), _shares(same_conversation)


def _shares(marked: Array) -> Array:
    shares: Array = marked / np.maximum(marked.sum(1, keepdims=True), 1)
    return shares


def fit_shortlist(chats: Sequence[TrainingChat], weights: Sequence[ThreaderWeights], seed: int) -> BoostedTrees:
    """The small trees that choose candidates, from a sample of the annotated messages."""
    share = min(1.0, SHORTLIST_MESSAGES / max(1, sum(len(chat.annotated) for chat in chats)))
    random = np.random.default_rng(seed)
    tables, targets = [], []
    for chat in chats:
        annotated = chat.annotated
        annotated = annotated[random.random(len(annotated)) <= share]
        short = np.full((len(annotated), WINDOW, len(SHORTLIST_COLUMNS)), np.nan, np.float32)
        candidates = np.full((len(annotated), SHORTLIST_SIZE), -1, np.int64)
        _run(chat, weights[chat.fold], annotated, candidates, short=short)
        tables.append(short)
        targets.append(_window_targets(chat, annotated))
    table, target = np.concatenate(tables), np.concatenate(targets)
    replies = target.sum(1) > 0
    table, target = table[replies], target[replies]
    used = ~np.isnan(table[:, :, 0])
    return train_trees(table[used], target[used], used.sum(1), SHORTLIST_TREES, SHORTLIST_BOOSTING, seed)


def _window_targets(chat: TrainingChat, annotated: Array) -> Array:
    """The share of each message of the window in the gold parents."""
    index = np.full(len(chat.batch.kind), -1, np.int64)
    index[chat.spoken] = np.arange(len(chat.spoken))
    target = np.zeros((len(annotated), WINDOW), np.float32)
    for row, position in enumerate(annotated):
        back = [index[position] - index[p] - 1 for p in chat.gold[position] if p != position and index[p] >= 0]
        target[row, [each for each in back if each < WINDOW]] = 1
    return _shares(target)


def fit_trees(
    data: TrainingFeatures, chats: Sequence[TrainingChat], fold: int, rounds: int, boosting: BoostingParameters,
    seed: int, after: BoostedTrees | None = None, same_conversation: float = 0.0,
) -> BoostedTrees:  # fmt: skip
    """Trees from the chats outside a fold, or from all chats for fold -1; they correct those of `after`.

    The share `same_conversation` of the target goes to other candidates of the gold conversation.
    """
    folds = np.array([chat.fold for chat in chats])[data.chat]
    rows = (data.gold.sum(1) > 0) & (folds != fold)
    gold = data.gold[rows]
    used = data.used[rows] & ((np.arange(SHORTLIST_SIZE) < TRAINED_CANDIDATES) | (gold > 0))
    others = _shares((data.same_conversation[rows] > 0) & used)
    mixed = (1 - same_conversation) * gold + same_conversation * others
    target = np.where(others.sum(1, keepdims=True) > 0, mixed, gold)
    return train_trees(data.features[rows][used], target[used], used.sum(1), rounds, boosting, seed, after)


def second_boosting(parameters: HubbubThreader, depth: int | None = None) -> BoostingParameters:
    return replace(BOOSTING, depth=depth or parameters.depth, rate=parameters.rate)


@dataclass(frozen=True, slots=True)
class Stages:
    """Trains one stage after the other; the result of each is kept in a checkpoint."""

    chats: Sequence[TrainingChat]
    unlabelled: Sequence[TrainingChat]
    parameters: HubbubThreader
    folds: int
    seed: int
    checkpoints: Checkpoints

    def train(self) -> ThreaderWeights:
        """The weights from all chats; on the way there are weights of every fold, after those of all chats."""
        frequency, *vectors_and_cues = self.checkpoints.stage(
            "words", lambda: fit_words(self.chats, self.unlabelled, self.folds, self.seed)
        )
        cues, parents, replies = vectors_and_cues[::3], vectors_and_cues[1::3], vectors_and_cues[2::3]
        weights = [
            initial_weights()._replace(frequency=frequency, cues=cue, parent_vectors=parent, reply_vectors=reply)
            for cue, parent, reply in zip(cues, parents, replies, strict=True)
        ]
        fitted = self.checkpoints.stage("shortlist", lambda: fit_shortlist(self.chats, weights[1:], self.seed))
        shortlist = BoostedTrees(*fitted)
        return self._second(self._first([each._replace(shortlist=shortlist) for each in weights]))

    def _first(self, weights: Sequence[ThreaderWeights]) -> list[ThreaderWeights]:
        """The weights, each with its first trees."""
        data = cache(lambda: collect_training_features(self.chats, weights[1:], PAIR_COLUMNS))
        rounds, boosting = self.parameters.first_trees, replace(second_boosting(self.parameters), rate=FIRST_RATE)

        def fitted(fold: int) -> BoostedTrees:
            return fit_trees(data(), self.chats, fold, rounds, boosting, self.seed + fold + 1)

        names = [f"first trees, {number} of {len(weights)}" for number in range(1, len(weights) + 1)]
        trees = [
            BoostedTrees(*self.checkpoints.stage(name, partial(fitted, fold))) for fold, name in enumerate(names, -1)
        ]
        return [each._replace(first=first) for each, first in zip(weights, trees, strict=True)]

    def _second(self, weights: Sequence[ThreaderWeights]) -> ThreaderWeights:
        """The weights from all chats with their second trees, calibrated on fold 0 with trees that have not seen it."""
        data = cache(lambda: collect_training_features(self.chats, weights[1:], ALL_COLUMNS))
        rounds, boosting = self.parameters.second_trees, second_boosting(self.parameters)

        def fitted(fold: int) -> BoostedTrees:
            return fit_trees(
                data(), self.chats, fold, rounds, boosting, self.seed, same_conversation=SAME_CONVERSATION_SHARE
            )

        held_out = BoostedTrees(*self.checkpoints.stage("second trees, without a fold", partial(fitted, 0)))
        (inverse,) = self.checkpoints.stage(
            "temperature", lambda: [np.array(inverse_temperature(data(), self.chats, held_out))]
        )
        second = BoostedTrees(*self.checkpoints.stage("second trees", partial(fitted, -1)))
        return weights[0]._replace(second=second, settings=settings(2, float(inverse)))


def inverse_temperature(data: TrainingFeatures, chats: Sequence[TrainingChat], trees: BoostedTrees) -> float:
    """The factor on scores that calibrates them on fold 0, which the trees were not trained on."""
    folds = np.array([chat.fold for chat in chats])[data.chat]
    known = (data.gold.sum(1) > 0) & (folds == 0)
    used = data.used[known]
    scores = np.full(used.shape, -np.inf)
    scores[used] = tree_scores(trees, data.features[known][used])
    return round(1 / best_temperature(scores, data.gold[known], 1 / INVERSE_TEMPERATURES), 2)
