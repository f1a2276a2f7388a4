"""The bundled model for any chat: it knows nobody, and links by who speaks when, who is named and who may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ...layers import Link
from ...ml.model_schema import MAX_TREE_DEPTH
from ...ml.parameters import ranged
from ..data.scene import Scene
from ..features.link_counts import LinkCounts
from ..features.pair_features import ANY_CAST_FEATURES, FeatureGroup
from ..inference.linker import Linker


@dataclass(repr=False)
class HubbubLinker(Linker):
    """Boosted trees over candidates, with no feature that depends on a person's identity; the default model.

    Below `threshold` it links to nobody. The other parameters are for training: the number of trees of both passes,
    their depth and learning rate, the number of perceptrons, of folds, and whether scenes are augmented (`augment`).
    """

    groups: ClassVar[tuple[FeatureGroup, ...]] = ANY_CAST_FEATURES

    renamed_parameters: ClassVar = {"retold": "augment"}
    threshold: float = ranged(0.3, 0, 1)
    first_trees: int = ranged(150, 1, 5000)
    second_trees: int = ranged(60, 1, 5000)
    depth: int = ranged(7, 1, MAX_TREE_DEPTH)
    rate: float = ranged(0.08, 0.0001, 1)
    folds: int = ranged(3, 1, 100)
    nets: int = ranged(3, 1, 100)
    augment: bool = True
    weights_: Any = None
    link_counts_: Any = None

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        from ..training.augmentation import augmented_examples
        from ..training.trainer import BoostingSettings, require_parts, train_linker

        require_parts("people/hubbub")
        self.weights_ = train_linker(
            list(augmented_examples(inputs, golds, seed, self.augment)), BoostingSettings.of(self), seed
        )
        self.link_counts_ = LinkCounts()
        return self
