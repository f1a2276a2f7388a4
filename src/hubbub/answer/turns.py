"""Examples as numbers: every turn once, and each example as the turns before a reply, the reply, and its dialogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..encode import encoder
from ..encode.encoder import END, START
from .examples import Choice, texts
from .metrics import Ranked

BACK, NEAR = 6, 3
LONGEST = 40
SHORTEST = 4
NOBODY = -1
TELLING, RARE = 6, 3


def pieces(text: str) -> list[int]:
    """The word pieces of a turn between the marks of its start and its end."""
    return [START, *encoder().tokenizer.ids(text, LONGEST - 2), END]


class Pairs(NamedTuple):
    """`turns` are texts; the others have a row an example: up to BACK turns, the newest first, the reply, a group."""

    turns: list[str]
    before: Any
    reply: Any
    group: Any


def pairs(inputs: Sequence[Choice], golds: Sequence[Ranked]) -> Pairs:
    """Of the true replies. Examples that share a turn of some length belong to the same group."""
    number: dict[str, int] = {}
    before = np.full((len(inputs), BACK), NOBODY, np.int32)
    reply = np.zeros(len(inputs), np.int32)
    for row, (choice, gold) in enumerate(zip(inputs, golds, strict=True)):
        for back, text in enumerate(texts(choice.context)[: -BACK - 1 : -1]):
            before[row, back] = number.setdefault(text, len(number))
        reply[row] = number.setdefault(gold[0].text, len(number))
    return Pairs(list(number), before, reply, _groups(list(number), before, reply))


def _groups(turns: list[str], before: Any, reply: Any) -> Any:
    """A turn links examples if it is no commonplace: of some length, and an answer to few others."""
    answers: dict[int, set[int]] = {}
    for newest, given in zip(before[:, 0].tolist(), reply.tolist(), strict=True):
        answers.setdefault(given, set()).add(newest)
    telling = [len(text.split()) >= TELLING and len(answers.get(i, ())) <= RARE for i, text in enumerate(turns)]
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


def in_order(found: Pairs) -> Iterator[int]:
    """The examples such that one follows another if it answers the other's reply."""
    follows: dict[int, list[int]] = {}
    for row, newest in enumerate(found.before[:, 0].tolist()):
        follows.setdefault(newest, []).append(row)
    replies, seen = set(found.reply.tolist()), set[int]()
    begins = [row for row, newest in enumerate(found.before[:, 0].tolist()) if newest not in replies]
    for start in (*begins, *range(len(found.reply))):
        waiting = [start]
        while waiting:
            row = waiting.pop()
            if row not in seen:
                seen.add(row)
                yield row
                waiting += follows.get(int(found.reply[row]), ())
