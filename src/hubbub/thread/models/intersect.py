"""The conversations on which the members agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...layers import ReplyGraph
from ...ml.parameters import ranged
from ._ensemble import Ensemble, Parents


@dataclass(repr=False)
class Intersect(Ensemble):
    """The conversations on which at least `min_votes` models agree, by default all; other messages stand alone."""

    renamed_parameters: ClassVar = {"least": "min_votes"}
    min_votes: int | None = ranged(None, 1, 10_000)

    def combined(self, several: Sequence[Parents]) -> Parents:
        found = [ReplyGraph(parents).components() for parents in several]
        enough = len(several) if self.min_votes is None else self.min_votes
        count = Counter(each for conversations in found for each in conversations)
        parents: list[tuple[int, ...]] = [(position,) for position in range(len(several[0]))]
        for predicted, conversations in zip(several, found, strict=True):
            for conversation in conversations:
                if count[conversation] >= enough:
                    for position in conversation:
                        parents[position] = predicted[position]
        return tuple(parents)
