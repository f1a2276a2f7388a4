"""Examples as numbers: every turn once, and each example as the turns before a reply, the reply, and its dialogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...ml.encoder import encoder
from ...ml.encoder.sentence_encoder import END_PIECE, START_PIECE
from ...ml.types import Array
from ..data.examples import Choice, turn_texts
from ..metrics import Ranked

MAX_TURNS = 6  # of a context that are encoded
TOKEN_TURNS = 3  # whose tokens are compared with those of a reply
MAX_TURN_TOKENS = 40  # bounds the cost of the encoder
MIN_REPLY_TOKENS = 4  # replies such as ok fit anything
NO_TURN = -1  # before the start of a dialogue
MIN_LINKING_WORDS, MAX_LINKING_CONTEXTS = 6, 3  # short and common texts do not connect examples


def pieces(text: str) -> list[int]:
    """The word pieces of a turn between the marks of its start and its end."""
    return [START_PIECE, *encoder().tokenizer.ids(text, MAX_TURN_TOKENS - 2), END_PIECE]


class EncodedExamples(NamedTuple):
    """`turns` are texts; the others have a row an example: up to BACK turns, the newest first, the reply, a group."""

    turns: list[str]
    before: Array
    reply: Array
    group: Array


def encode_examples(inputs: Sequence[Choice], golds: Sequence[Ranked]) -> EncodedExamples:
    """Of the true replies. Examples that share a turn of some length belong to the same group."""
    number: dict[str, int] = {}
    before = np.full((len(inputs), MAX_TURNS), NO_TURN, np.int32)
    reply = np.zeros(len(inputs), np.int32)
    for row, (choice, gold) in enumerate(zip(inputs, golds, strict=True)):
        for back, text in enumerate(turn_texts(choice.context)[: -MAX_TURNS - 1 : -1]):
            before[row, back] = number.setdefault(text, len(number))
        reply[row] = number.setdefault(gold[0].text, len(number))
    return EncodedExamples(list(number), before, reply, _groups(list(number), before, reply))


def _groups(turns: list[str], before: Array, reply: Array) -> Array:
    """Union-find over examples that share a distinctive turn: one of some length that answers few others."""
    answers: dict[int, set[int]] = {}
    for newest, replied in zip(before[:, 0].tolist(), reply.tolist(), strict=True):
        answers.setdefault(replied, set()).add(newest)
    telling = [
        len(text.split()) >= MIN_LINKING_WORDS and len(answers.get(i, ())) <= MAX_LINKING_CONTEXTS
        for i, text in enumerate(turns)
    ]
    root = [*range(len(turns) + len(reply))]
    rows = np.column_stack([before, reply]).tolist()
    for example, row in enumerate(rows, len(turns)):
        linked = [_root(root, turn) for turn in row if turn >= 0 and telling[turn]]
        for each in (example, *linked):
            root[each] = min(linked, default=example)
    return np.array([_root(root, example) for example in range(len(turns), len(root))], np.int32)


def _root(root: list[int], place: int) -> int:
    while root[place] != place:
        root[place] = root[root[place]]
        place = root[place]
    return place


def dialogue_order(found: EncodedExamples) -> Iterator[int]:
    """The examples such that one follows another if it answers the other's reply."""
    follows: dict[int, list[int]] = {}
    for row, newest in enumerate(found.before[:, 0].tolist()):
        follows.setdefault(newest, []).append(row)
    replies, placed = set(found.reply.tolist()), set[int]()
    begins = [row for row, newest in enumerate(found.before[:, 0].tolist()) if newest not in replies]
    for start in (*begins, *range(len(found.reply))):
        waiting = [start]
        while waiting:
            row = waiting.pop()
            if row not in placed:
                placed.add(row)
                yield row
                waiting += follows.get(int(found.reply[row]), ())
