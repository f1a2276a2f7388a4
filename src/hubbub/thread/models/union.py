"""Every link that any member predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._ensemble import Ensemble, Parents


@dataclass(repr=False)
class Union(Ensemble):
    """Every link that any model predicts; a message starts a conversation only if all models predict so."""

    def combined(self, several: Sequence[Parents]) -> Parents:
        found = ({parent for each in parents for parent in each} for parents in zip(*several, strict=True))
        return tuple(tuple(sorted(each - {position})) or (position,) for position, each in enumerate(found))
