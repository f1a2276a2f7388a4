"""How predicted conversations are wrong: too short, too long, or from the wrong beginning. Percent of those of two
messages or more, annotated messages only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...layers import ReplyGraph
from ..metrics import Labels, conversation_labels, percent

KINDS = ("exact", "subset", "superset", "prefix", "chunk", "wrong_start")


def error_types(golds: Sequence[ReplyGraph], predictions: Sequence[ReplyGraph]) -> dict[str, float]:
    """The share of predicted conversations that are exact, only miss messages, only have too many, and so on.

    A prefix lacks only the end of a true conversation; a chunk lacks the beginning, but nothing in its middle; the
    start is wrong if the first message does not begin its true conversation.
    """
    count: Counter[str] = Counter()
    total = 0
    for gold, predicted in zip(golds, predictions, strict=True):
        for found, true in _compared(conversation_labels(gold, predicted)):
            total += 1
            count.update(_kinds(found, true))
    return {kind: percent(count[kind], total) for kind in KINDS}


def _compared(chat: Labels) -> Iterator[tuple[list[int], list[int]]]:
    """Each predicted conversation, and the true one with which it shares most."""
    true: dict[int, list[int]] = {}
    found: dict[int, list[int]] = {}
    of = {}
    for position, gold, predicted in chat:
        true.setdefault(gold, []).append(position)
        found.setdefault(predicted, []).append(position)
        of[position] = gold
    for each in found.values():
        if len(each) > 1:
            yield each, true[Counter(of[position] for position in each).most_common(1)[0][0]]


def _kinds(found: list[int], true: list[int]) -> Iterator[str]:
    inside, around = set(found) <= set(true), set(true) <= set(found)
    if inside and around:
        yield "exact"
    elif inside:
        yield "subset"
        begin = true.index(found[0])
        if true[begin : begin + len(found)] == found:
            yield "chunk" if begin else "prefix"
    elif around:
        yield "superset"
    if found[0] != true[0]:
        yield "wrong_start"
