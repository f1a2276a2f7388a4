"""The model for one known cast: it counts in dialogues who is meant by which words, by whom, in which episode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ...layers import Link
from ...ml.model_schema import MAX_TREE_DEPTH
from ...ml.parameters import ranged
from ..data.scene import Scene
from ..features.link_counts import LinkCounts
from ..features.pair_features import KNOWN_CAST_FEATURES, FeatureGroup
from ..features.window_arrays import Array, CandidateMatrix
from ..inference.linker import Linker, link_records

LINK_COUNT_FOLDS = 6  # folds of scenes; features of a fold use the link counts of the other folds only
HALVES, NEITHER = 2, 2  # every scene is used again without the counts of one half of the others


@dataclass(repr=False)
class Cast(Linker):
    """Boosted trees over candidates with link counts of the training data.

    It first decides whether one of the main people is meant, those with at least one mention in twenty, and then who.
    Below `threshold` it links to nobody. The other parameters are for training: the number of trees of both passes,
    their depth and learning rate, the number of perceptrons, and of folds.
    """

    groups: ClassVar[tuple[FeatureGroup, ...]] = KNOWN_CAST_FEATURES

    threshold: float = ranged(0.0, 0, 1)
    first_trees: int = ranged(180, 1, 5000)
    second_trees: int = ranged(60, 1, 5000)
    depth: int = ranged(7, 1, MAX_TREE_DEPTH)
    rate: float = ranged(0.08, 0.0001, 1)
    folds: int = ranged(4, 1, 100)
    nets: int = ranged(5, 1, 100)
    weights_: Any = None
    link_counts_: Any = None

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        from ..training.augmentation import window_examples
        from ..training.trainer import BoostingSettings, require_parts, train_linker

        require_parts("people/cast")
        facts = [list(link_records(scene, gold, LinkCounts())) for scene, gold in zip(inputs, golds, strict=True)]
        self.link_counts_ = LinkCounts()
        self.link_counts_.add(fact for each in facts for fact in each)
        random = np.random.default_rng(seed)
        part, half = random.permutation(len(inputs)) % LINK_COUNT_FOLDS, random.permutation(len(inputs)) % HALVES
        forgotten = random.integers(HALVES, size=len(inputs))
        # Features of a scene come from counts without its own fold, else they would contain the gold. Each scene is
        # used twice, the second time without half of the other scenes, so that the model meets sparse counts too.
        partly = {
            (own, other): self._without(facts, (part == own) | (half == other))
            for own in range(LINK_COUNT_FOLDS)
            for other in (*range(HALVES), NEITHER)
        }
        examples = [
            example
            for number, (scene, gold) in enumerate(zip(inputs, golds, strict=True))
            for other in (NEITHER, int(forgotten[number]))
            for example in window_examples(scene, gold, partly[int(part[number]), other], number)
        ]
        self.weights_ = train_linker(examples, BoostingSettings.of(self), seed)
        return self

    def _without(self, facts: Sequence[Sequence[tuple[int, str]]], hidden: Array) -> LinkCounts:
        """The link counts without those of some scenes."""
        found: LinkCounts = self.link_counts_.without(
            fact for each, is_hidden in zip(facts, hidden, strict=True) if is_hidden for fact in each
        )
        return found

    def choice(self, table: CandidateMatrix, probability: Array) -> int:
        main = table.main
        eligible = main if probability[main].max(initial=0.0) >= probability[~main].sum() else ~main
        return int(np.where(eligible, probability, -1.0).argmax())
