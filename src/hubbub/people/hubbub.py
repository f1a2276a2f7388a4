"""The bundled model for any chat: it knows nobody, and links by who speaks when, who is named and who may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..layers import Link
from .features import ANYBODY, Group
from .linker import Linker
from .memory import Memory
from .scene import Scene


@dataclass
class Hubbub(Linker):
    """Boosted trees over candidates, with no feature that knows a person; what hubbub uses if nothing else is said.

    Below `threshold` it says that it does not know. The others are for training: how many trees the two forests have,
    how deep they are and how fast they learn, how many networks there are, into how many parts scenes are cut, and
    whether scenes are also learnt from as chats of nicks and with more or less known of the cast.
    """

    groups: ClassVar[tuple[Group, ...]] = ANYBODY

    threshold: float = 0.3
    first_trees: int = 150
    second_trees: int = 60
    depth: int = 7
    rate: float = 0.08
    folds: int = 3
    nets: int = 3
    retold: bool = True
    weights_: Any = None
    memory_: Any = None

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        from .lessons import lessons_for_anybody
        from .school import Plan, require_parts, taught

        require_parts("people/hubbub")
        self.weights_ = taught(list(lessons_for_anybody(inputs, golds, seed, self.retold)), Plan.of(self), seed)
        self.memory_ = Memory()
        return self
