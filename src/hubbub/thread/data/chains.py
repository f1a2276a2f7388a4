"""Conversations as reply graphs, for models that find conversations and not replies."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ...layers import ReplyGraph


def chain_conversations(labels: Sequence[Hashable]) -> ReplyGraph:
    """Each message replies to the one before it in its conversation; a label None stands alone."""
    last: dict[Hashable, int] = {}
    parents: list[tuple[int, ...]] = []
    for position, label in enumerate(labels):
        parents.append((last.get(label, position) if label is not None else position,))
        last[label] = position
    return ReplyGraph(tuple(parents))
