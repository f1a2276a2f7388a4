"""Types that models share: arrays, tensors and torch modules, which are seen by type checkers only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Arrays: TypeAlias = dict[str, Array]
UNTRAINED: Any = None  # the value of a learnt field before training

if TYPE_CHECKING:
    from torch import Tensor as Tensor

    Tensors = Mapping[str, Tensor]
else:
    Tensor = Tensors = object  # torch is an extra, and nothing looks at annotations at run time


class Network(Protocol):
    """A torch module with layers and parameters under names of its own."""

    def __call__(self, inputs: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
