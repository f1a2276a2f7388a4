"""The parent that most members predict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ._ensemble import Ensemble, Parents


@dataclass(repr=False)
class Vote(Ensemble):
    """The parent that most models predict; in a tie the nearer one."""

    def combined(self, several: Sequence[Parents]) -> Parents:
        votes = [Counter(parent for each in parents for parent in each) for parents in zip(*several, strict=True)]
        return tuple((max(count, key=lambda parent: (count[parent], parent)),) for count in votes)
