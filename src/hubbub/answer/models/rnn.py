"""The dual encoder of Lowe et al. 2015 with a plain recurrent network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...ml.parameters import ranged
from ...ml.recurrent import Kind
from ._dual import DualEncoder


@dataclass(repr=False)
class Rnn(DualEncoder):
    """The plain recurrent network, with the paper's 50 units."""

    kind: ClassVar[Kind] = "rnn"
    hidden: int = ranged(50, 1, 2048)
