"""Word vectors for which a reply is near its parent: two vectors a word, one for parents and one for replies.

Trained by AdaGrad on a softmax over the MAX_PRECEDING messages before a reply, with the prior of what is known without
words as an offset. One epoch is O(replies * MAX_PRECEDING * tokens * VECTOR_SIZE).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...ml.compilation import Array, compiled, entry
from ..inference.state import HASH_BUCKETS, MAX_TOKENS, VECTOR_SIZE
from ..inference.tokens import VECTOR_STEP
from .dataset import TrainingChat

MAX_PRECEDING = 24  # messages that compete; most parents are among them
PRIOR_KINDS = 17 * MAX_PRECEDING  # no message, and 16 combinations of author and addressee at each distance
RATE, DECAY = 0.1, 1e-4  # of AdaGrad, and of the weights at every step
MAX_LOGIT = 30.0  # keeps the exponential finite
MIN_ERROR = 0.002  # smaller errors are not worth an update


class ReplyPairs(NamedTuple):
    """Messages, the messages before them, the share of each in the gold, and the log prior without words."""

    message: Array
    before: Array
    gold: Array
    prior: Array


def pair_kinds(chat: TrainingChat, message: int) -> Array:
    """A number for what is known of each preceding message without words: distance, same author, who addresses whom."""
    before = np.arange(message - 1, message - 1 - MAX_PRECEDING, -1)
    safe = np.maximum(before, 0)
    authors, me = chat.authors[safe], chat.authors[message]
    ways = (authors == me) + 2 * (chat.addressees[message] == authors) + 4 * (chat.addressees[safe] == me)
    ways = np.where(chat.addressees[message] >= 0, ways + 8, ways)
    return np.where(before < 0, -1, ways * MAX_PRECEDING + np.arange(MAX_PRECEDING))


def reply_pairs(chat: TrainingChat, base: int) -> tuple[list[int], list[Array], list[Array], list[Array]]:
    """The replies to one of the preceding messages: message, preceding messages, gold, kinds of pairs."""
    index = {int(position): row for row, position in enumerate(chat.spoken)}
    messages, befores, golds, kinds = [], [], [], []
    for position in chat.annotated:
        row = index[int(position)]
        back = [row - index[parent] for parent in chat.gold[position] if parent != position and parent in index]
        gold = np.zeros(MAX_PRECEDING, np.float32)
        gold[[each - 1 for each in back if each <= MAX_PRECEDING]] = 1
        if gold.any():
            kind = pair_kinds(chat, row)
            messages.append(base + row)
            befores.append(np.where(kind < 0, -1, base + row - 1 - np.arange(MAX_PRECEDING)))
            golds.append(gold / gold.sum())
            kinds.append(kind)
    return messages, befores, golds, kinds


def collect_reply_pairs(chats: Sequence[TrainingChat]) -> tuple[ReplyPairs, Array]:
    """The pairs of all chats, and the tokens of all messages, to which they refer."""
    base = 0
    columns: list[list[Any]] = [[], [], [], []]
    for chat in chats:
        parts: tuple[list[Any], ...] = reply_pairs(chat, base)
        for column, found in zip(columns, parts, strict=True):
            column.extend(found)
        base += len(chat.tokens)
    messages, befores, golds, kinds = (np.array(column) for column in columns)
    tokens = np.concatenate([np.zeros((0, MAX_TOKENS), np.int32), *(chat.tokens for chat in chats)])
    return ReplyPairs(messages, befores, golds, log_prior(golds, kinds)), tokens


def log_prior(golds: Array, kinds: Array) -> Array:
    """The logarithm of how often a pair of each kind is a reply and its parent, smoothed."""
    if not len(kinds):
        return np.zeros((0, MAX_PRECEDING), np.float32)
    flat = kinds.ravel() + 1
    counts = np.bincount(flat, minlength=PRIOR_KINDS)
    hits = np.bincount(flat, golds.ravel(), minlength=PRIOR_KINDS)
    found: Array = np.log((hits + 0.2) / (counts + 20))[flat].reshape(kinds.shape).astype(np.float32)
    return found


@compiled
def scaled_sum(tokens: Array, message: int, table: Array, out: Array) -> float:
    """The sum of the vectors of a message's tokens, divided by the root of their number; returns that factor."""
    out[:] = 0.0
    count = 0
    for token in tokens[message]:
        if token < 0:
            break
        count += 1
        for d in range(VECTOR_SIZE):
            out[d] += table[token, d]
    scale = np.float32(1.0 / np.sqrt(max(count, 1)))
    for d in range(VECTOR_SIZE):
        out[d] *= scale
    return float(scale)


@compiled
def update_vectors(
    tokens: Array, message: int, table: Array, squares: Array, gradient: Array, rate: float, decay: float
) -> None:
    """An AdaGrad step on the vectors of a message's tokens, with one squared gradient a token."""
    for token in tokens[message]:
        if token < 0:
            break
        total = np.float32(0.0)
        for d in range(VECTOR_SIZE):
            total += gradient[d] * gradient[d]
        squares[token] += total / VECTOR_SIZE
        step = rate / np.sqrt(squares[token] + np.float32(1e-4))
        for d in range(VECTOR_SIZE):
            table[token, d] -= step * gradient[d] + decay * table[token, d]


@entry
def train_vectors_epoch(
    pairs: ReplyPairs, tokens: Array, order: Array, parent_vectors: Array, reply_vectors: Array,
    parent_squares: Array, reply_squares: Array,
    rate: float, decay: float,
) -> float:  # fmt: skip
    """One pass over the examples; returns the mean loss."""
    count_before = pairs.before.shape[1]
    reply, gradient, score = (
        np.zeros(VECTOR_SIZE, np.float32),
        np.zeros(VECTOR_SIZE, np.float32),
        np.zeros(count_before),
    )
    parents, parent_gradient = np.zeros((count_before, VECTOR_SIZE), np.float32), np.zeros(VECTOR_SIZE, np.float32)
    scales, loss = np.zeros(count_before, np.float32), 0.0
    for example in order:
        message = pairs.message[example]
        own = scaled_sum(tokens, message, reply_vectors, reply)
        total = 0.0
        for k in range(count_before):
            other = pairs.before[example, k]
            score[k] = 0.0
            if other >= 0:
                scales[k] = scaled_sum(tokens, other, parent_vectors, parents[k])
                value = pairs.prior[example, k]
                for d in range(VECTOR_SIZE):
                    value += reply[d] * parents[k, d]
                score[k] = np.exp(min(value, MAX_LOGIT))
                total += score[k]
        # The gradient of the cross-entropy: (probability - gold) times the vector of the other side.
        gradient[:] = 0.0
        for k in range(count_before):
            other = pairs.before[example, k]
            if other < 0:
                continue
            probability = score[k] / total
            if pairs.gold[example, k] > 0:
                loss -= pairs.gold[example, k] * np.log(probability + 1e-9)
            error = np.float32(probability - pairs.gold[example, k])
            if abs(error) < MIN_ERROR:
                continue
            for d in range(VECTOR_SIZE):
                gradient[d] += error * parents[k, d] * own
                parent_gradient[d] = error * reply[d] * scales[k]
            update_vectors(tokens, other, parent_vectors, parent_squares, parent_gradient, rate, decay)
        update_vectors(tokens, message, reply_vectors, reply_squares, gradient, rate, decay)
    return loss / max(len(order), 1)


def fit_reply_vectors(chats: Sequence[TrainingChat], vectors: Array, seed: int) -> tuple[Array, Array]:
    """(parent vectors, reply vectors) as bytes, in units of VECTOR_STEP; training starts from `vectors`."""
    parents, replies = vectors.copy(), vectors.copy()
    squares = np.zeros(HASH_BUCKETS, np.float32), np.zeros(HASH_BUCKETS, np.float32)
    pairs, tokens = collect_reply_pairs(chats)
    if len(pairs.message):
        order = np.random.default_rng(seed).permutation(len(pairs.message))
        train_vectors_epoch(pairs, tokens, order, parents, replies, *squares, RATE, DECAY)
    return _bytes(parents), _bytes(replies)


def _bytes(table: Array) -> Array:
    return np.clip(np.round(table / VECTOR_STEP), -127, 127).astype(np.int8)
