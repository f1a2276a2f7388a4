"""The model for one known cast: it learns from many dialogues who is meant by what, by whom, and in which story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..layers import Link
from ..parameters import ranged
from ..schema import DEEPEST_TREE
from .features import KNOWN_CAST, Group
from .linker import Linker, remembered
from .memory import Memory
from .scene import Scene
from .table import Array, Table

PARTS = 6  # of the scenes; what is learnt from one is remembered from the others only
HALVES, NEITHER = 2, 2  # every scene is learnt from again with one half of the others forgotten as well


@dataclass
class Cast(Linker):
    """Boosted trees over candidates and a memory of the dialogues that it was trained on.

    It decides first whether one of the main people is meant, those with at least one mention in twenty, and then who.
    Below `threshold` it says that it does not know. The others are for training: how many trees the two forests have,
    how deep they are and how fast they learn, how many networks there are, and into how many parts scenes are cut.
    """

    groups: ClassVar[tuple[Group, ...]] = KNOWN_CAST

    threshold: float = ranged(0.0, 0, 1)
    first_trees: int = ranged(180, 1, 5000)
    second_trees: int = ranged(60, 1, 5000)
    depth: int = ranged(7, 1, DEEPEST_TREE)
    rate: float = ranged(0.08, 0.0001, 1)
    folds: int = ranged(4, 1, 100)
    nets: int = ranged(5, 1, 100)
    weights_: Any = None
    memory_: Any = None

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        from .lessons import lessons_of
        from .school import Plan, require_parts, taught

        require_parts("people/cast")
        facts = [list(remembered(scene, gold, Memory())) for scene, gold in zip(inputs, golds, strict=True)]
        self.memory_ = Memory()
        self.memory_.add(fact for each in facts for fact in each)
        random = np.random.default_rng(seed)
        part, half = random.permutation(len(inputs)) % PARTS, random.permutation(len(inputs)) % HALVES
        forgotten = random.integers(HALVES, size=len(inputs))
        partly = {
            (own, other): self._without(facts, (part == own) | (half == other))
            for own in range(PARTS)
            for other in (*range(HALVES), NEITHER)
        }
        lessons = [
            lesson
            for number, (scene, gold) in enumerate(zip(inputs, golds, strict=True))
            for other in (NEITHER, int(forgotten[number]))
            for lesson in lessons_of(scene, gold, partly[int(part[number]), other], number)
        ]
        self.weights_ = taught(lessons, Plan.of(self), seed)
        return self

    def _without(self, facts: Sequence[Sequence[tuple[int, str]]], hidden: Array) -> Memory:
        """The memory without what some scenes taught."""
        found: Memory = self.memory_.without(
            fact for each, gone in zip(facts, hidden, strict=True) if gone for fact in each
        )
        return found

    def choice(self, table: Table, chance: Array) -> int:
        main = table.main
        wanted = main if chance[main].max(initial=0.0) >= chance[~main].sum() else ~main
        return int(np.where(wanted, chance, -1.0).argmax())
