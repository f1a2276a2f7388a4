"""The bundled model for any chat: it knows nobody, and links by who speaks when, who is named and who may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..layers import Link
from ..parameters import ranged
from ..schema import DEEPEST_TREE
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

    threshold: float = ranged(0.3, 0, 1)
    first_trees: int = ranged(150, 1, 5000)
    second_trees: int = ranged(60, 1, 5000)
    depth: int = ranged(7, 1, DEEPEST_TREE)
    rate: float = ranged(0.08, 0.0001, 1)
    folds: int = ranged(3, 1, 100)
    nets: int = ranged(3, 1, 100)
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
