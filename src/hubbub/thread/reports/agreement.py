"""Agreement of two annotations of the same chats."""

from __future__ import annotations

from collections.abc import Sequence

from ...layers import ReplyGraph
from ..metrics import conversations, link_counts, links


def agreement(ones: Sequence[ReplyGraph], others: Sequence[ReplyGraph]) -> dict[str, float]:
    """Cohen's kappa, and every metric with the first annotation as the gold.

    Conversations are compared over all messages from the first to the last that either annotates; messages without
    an annotation stand alone.
    """
    ranges = [_annotated_range(one, other) for one, other in zip(ones, others, strict=True)]
    first, second = (
        [_start_if_unannotated(graph, *each) for graph, each in zip(graphs, ranges, strict=True)]
        for graphs in (ones, others)
    )
    return {"kappa": kappa(ones, others), **links(ones, others), **conversations(first, second)}


def kappa(ones: Sequence[ReplyGraph], others: Sequence[ReplyGraph]) -> float:
    """Cohen's kappa on whether a message answers another, over every pair of an annotated message and one up to it."""
    pairs = sum(sum(range(begin + 1, end + 1)) for begin, end in map(_annotated_range, ones, others))
    one, other = (sum(len(graph.links()) for graph in graphs) for graphs in (ones, others))
    both = sum(len(set(a.links()) & set(b.links())) for a, b in zip(ones, others, strict=True))
    if not pairs:
        return 0.0
    agreed = (pairs - one - other + 2 * both) / pairs
    expected = (one * other + (pairs - one) * (pairs - other)) / pairs**2
    return (agreed - expected) / (1 - expected) if expected < 1 else 1.0


def _annotated_range(one: ReplyGraph, other: ReplyGraph) -> tuple[int, int]:
    """The range from the first message that either annotates to the last."""
    found = [i for i, (a, b) in enumerate(zip(one.parents, other.parents, strict=True)) if a or b]
    return (found[0], found[-1] + 1) if found else (0, 0)


def _start_if_unannotated(graph: ReplyGraph, begin: int, end: int) -> ReplyGraph:
    return ReplyGraph(tuple(p or ((i,) if begin <= i < end else ()) for i, p in enumerate(graph.parents)))


def counts_by_message(gold: Sequence[ReplyGraph], predicted: Sequence[ReplyGraph]) -> list[tuple[int, int, int]]:
    """(links of the gold, of the prediction, of both) of every annotated message of every chat."""
    return [
        link_counts([ReplyGraph((true,))], [ReplyGraph((guess,))])
        for gold_graph, predicted_graph in zip(gold, predicted, strict=True)
        for true, guess in zip(gold_graph.parents, predicted_graph.parents, strict=True)
        if true
    ]
