"""The dual encoder of Lowe et al. 2015 with an LSTM."""

from __future__ import annotations

from dataclasses import dataclass

from ._dual import DualEncoder


@dataclass(repr=False)
class Lstm(DualEncoder):
    """The long short-term memory, with the paper's 200 units."""
