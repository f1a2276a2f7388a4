"""The AMORE-UPF system of SemEval-2018 Task 4: the state of a bidirectional LSTM at a mention is
compared by cosine with an entity library, a trained vector for each person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...ml.model_schema import Size
from ...ml.parameters import ranged
from ._network import LinkingNetwork

MIN_NORM = 1e-12  # avoids division by zero


@dataclass(repr=False)
class Amore(LinkingNetwork):
    """`entity_size` is the length of a vector in the library, `inverse_temperature` what cosines are multiplied with
    before the softmax, which is flat over some hundred people otherwise.
    """

    renamed_parameters: ClassVar = {
        **LinkingNetwork.renamed_parameters,
        "entity": "entity_size",
        "sharpness": "inverse_temperature",
    }
    entity_size: int = ranged(128, 1, 4096)
    inverse_temperature: float = ranged(15.0, 0.001, 1e4)
    known_: Any = None
    map_: Any = None
    offsets_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        return {
            "known_": ("members", "people", self.entity_size),
            "map_": ("members", 2 * self.hidden, self.entity_size),
            "offsets_": ("members", self.entity_size),
        }

    def build(self, torch: Any, network: Any, width: int, classes: int) -> None:
        network.known = torch.nn.Parameter(0.1 * torch.randn(classes, self.entity_size))
        network.map = torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(width, self.entity_size)))
        network.offsets = torch.nn.Parameter(torch.zeros(self.entity_size))

    def learning(self, torch: Any, network: Any, states: Sequence[Any], golds: Sequence[Any]) -> tuple[Any, Any]:
        functional = torch.nn.functional
        found = functional.dropout(torch.cat(list(states)), self.dropout) @ network.map + network.offsets
        return self.inverse_temperature * functional.normalize(found) @ functional.normalize(network.known).T, 0.0

    def scores(self, member: int, states: Any) -> Any:
        found = states @ self.map_[member] + self.offsets_[member]
        return self.inverse_temperature * _normal(found) @ _normal(self.known_[member]).T


def _normal(rows: Any) -> Any:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), MIN_NORM)
