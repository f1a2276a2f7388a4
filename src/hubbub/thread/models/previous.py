"""The baseline that links every message to the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ...chat import Chat
from ...layers import ReplyGraph
from ...ml.registry import BaseModel


@dataclass(repr=False)
class Previous(BaseModel):
    """Every message answers the nearest one before it; system lines stand alone."""

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        return self

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [self._graph(chat) for chat in inputs]

    def _graph(self, chat: Chat) -> ReplyGraph:
        parents: list[tuple[int, ...]] = []
        last: int | None = None
        for position, message in enumerate(chat):
            alone = message.kind == "system"
            parents.append((position,) if alone or last is None else (last,))
            last = last if alone else position
        return ReplyGraph(tuple(parents))
