"""How good reply graphs are. Percent, pooled over all chats, only where the gold judges."""

from __future__ import annotations

from collections.abc import Sequence

from ..layers import ReplyGraph


def links(golds: Sequence[ReplyGraph], predictions: Sequence[ReplyGraph]) -> dict[str, float]:
    """Precision, recall and F of links, those of a message to itself included."""
    gold = auto = match = 0
    for right, said in zip(golds, predictions, strict=True):
        for true, guessed in zip(right.parents, said.parents, strict=True):
            if true:
                gold += len(true)
                auto += len(guessed)
                match += len(set(true) & set(guessed))
    return {
        "link_precision": _percent(match, auto),
        "link_recall": _percent(match, gold),
        "link_f": _percent(2 * match, gold + auto),
    }


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
