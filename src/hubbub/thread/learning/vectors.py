"""Vectors of words such that an answer lies near what it answers, learnt against the other messages around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compiling import Array, compiled, entry
from ..compiled.memory import BUCKETS, DIMENSIONS, WORDS
from ..compiled.words import STEP
from .material import Story

AROUND = 24
RATE, DECAY = 0.1, 1e-4


class Pairs(NamedTuple):
    """Messages, the messages before them, which of those are answered, and how likely that is before any word."""

    message: Array
    before: Array
    right: Array
    known: Array


def habits_of(story: Story, message: int) -> Array:
    """A number for what is known of each earlier message without words: distance, same author, naming either way."""
    before = np.arange(message - 1, message - 1 - AROUND, -1)
    safe = np.maximum(before, 0)
    authors, me = story.authors[safe], story.authors[message]
    ways = (authors == me) + 2 * (story.naming[message] == authors) + 4 * (story.naming[safe] == me)
    ways = np.where(story.naming[message] >= 0, ways + 8, ways)
    return np.where(before < 0, -1, ways * AROUND + np.arange(AROUND))


def pairs_of(story: Story, base: int) -> tuple[list[int], list[Array], list[Array], list[Array]]:
    """The judged messages that answer one of those right before, as the columns of Pairs; kinds for what is known."""
    index = {int(position): row for row, position in enumerate(story.spoken)}
    messages, befores, rights, kinds = [], [], [], []
    for position in story.judged:
        row = index[int(position)]
        back = [row - index[parent] for parent in story.gold[position] if parent != position and parent in index]
        right = np.zeros(AROUND, np.float32)
        right[[each - 1 for each in back if each <= AROUND]] = 1
        if right.any():
            kind = habits_of(story, row)
            messages.append(base + row)
            befores.append(np.where(kind < 0, -1, base + row - 1 - np.arange(AROUND)))
            rights.append(right / right.sum())
            kinds.append(kind)
    return messages, befores, rights, kinds


def gather(told: Sequence[Story]) -> tuple[Pairs, Array]:
    """All pairs, and the words they refer to."""
    base = 0
    columns: list[list[Any]] = [[], [], [], []]
    for story in told:
        parts: tuple[list[Any], ...] = pairs_of(story, base)
        for column, found in zip(columns, parts, strict=True):
            column.extend(found)
        base += len(story.words)
    messages, befores, rights, kinds = (np.array(column) for column in columns)
    words = np.concatenate([np.zeros((0, WORDS), np.int32), *(story.words for story in told)])
    return Pairs(messages, befores, rights, prior(rights, kinds)), words


def prior(rights: Array, kinds: Array) -> Array:
    """The logarithm of how often a message of each kind is the answered one."""
    if not len(kinds):
        return np.zeros((0, AROUND), np.float32)
    flat = kinds.ravel() + 1
    seen = np.bincount(flat, minlength=17 * AROUND)
    hits = np.bincount(flat, rights.ravel(), minlength=17 * AROUND)
    known: Array = np.log((hits + 0.2) / (seen + 20))[flat].reshape(kinds.shape).astype(np.float32)
    return known


@compiled
def add_up(words: Array, message: int, table: Array, out: Array) -> float:
    """The sum of the vectors of a message's words, by the root of their number; returns that factor."""
    out[:] = 0.0
    count = 0
    for word in words[message]:
        if word < 0:
            break
        count += 1
        for d in range(DIMENSIONS):
            out[d] += table[word, d]
    scale = np.float32(1.0 / np.sqrt(max(count, 1)))
    for d in range(DIMENSIONS):
        out[d] *= scale
    return float(scale)


@compiled
def push(words: Array, message: int, table: Array, squares: Array, slope: Array, rate: float, decay: float) -> None:
    """Moves the vectors of a message's words against the slope."""
    for word in words[message]:
        if word < 0:
            break
        total = np.float32(0.0)
        for d in range(DIMENSIONS):
            total += slope[d] * slope[d]
        squares[word] += total / DIMENSIONS
        pace = rate / np.sqrt(squares[word] + np.float32(1e-4))
        for d in range(DIMENSIONS):
            table[word, d] -= pace * slope[d] + decay * table[word, d]


@entry
def descend(
    pairs: Pairs, words: Array, order: Array, ask: Array, say: Array, ask_squares: Array, say_squares: Array,
    rate: float, decay: float,
) -> float:  # fmt: skip
    """One pass over the examples; returns the mean loss."""
    around = pairs.before.shape[1]
    voice, slope, score = np.zeros(DIMENSIONS, np.float32), np.zeros(DIMENSIONS, np.float32), np.zeros(around)
    heard, back = np.zeros((around, DIMENSIONS), np.float32), np.zeros(DIMENSIONS, np.float32)
    scales, loss = np.zeros(around, np.float32), 0.0
    for example in order:
        message = pairs.message[example]
        own = add_up(words, message, say, voice)
        total = 0.0
        for k in range(around):
            other = pairs.before[example, k]
            score[k] = 0.0
            if other >= 0:
                scales[k] = add_up(words, other, ask, heard[k])
                value = pairs.known[example, k]
                for d in range(DIMENSIONS):
                    value += voice[d] * heard[k, d]
                score[k] = np.exp(min(value, 30.0))
                total += score[k]
        slope[:] = 0.0
        for k in range(around):
            other = pairs.before[example, k]
            if other < 0:
                continue
            chance = score[k] / total
            if pairs.right[example, k] > 0:
                loss -= pairs.right[example, k] * np.log(chance + 1e-9)
            error = np.float32(chance - pairs.right[example, k])
            if abs(error) < 0.002:
                continue
            for d in range(DIMENSIONS):
                slope[d] += error * heard[k, d] * own
                back[d] = error * voice[d] * scales[k]
            push(words, other, ask, ask_squares, back, rate, decay)
        push(words, message, say, say_squares, slope, rate, decay)
    return loss / max(len(order), 1)


def learn_vectors(told: Sequence[Story], space: Array, seed: int) -> tuple[Array, Array]:
    """(ask, say) as bytes, in steps of STEP: the space of words, moved by one pass over the answers in the chats."""
    ask, say = space.copy(), space.copy()
    squares = np.zeros(BUCKETS, np.float32), np.zeros(BUCKETS, np.float32)
    pairs, words = gather(told)
    if len(pairs.message):
        order = np.random.default_rng(seed).permutation(len(pairs.message))
        descend(pairs, words, order, ask, say, *squares, RATE, DECAY)
    return _bytes(ask), _bytes(say)


def _bytes(table: Array) -> Array:
    return np.clip(np.round(table / STEP), -127, 127).astype(np.int8)
