"""Weights put to work on messages: whole chats in batches, or one message at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..chat import Message
from ..compiling import Array
from ..trees import Forest
from .compiled.memory import SETTINGS, Batch, Weights, fresh
from .compiled.step import run
from .encoding import Encoder
from .hubbub import Judged

FORESTS = ("shortlist", "first", "second")
TABLES = {"frequency": np.float16, "cues": np.float16, "ask": np.int8, "say": np.int8, "settings": np.float64}


def flattened(weights: Weights) -> dict[str, Array]:
    """The weights as they are saved: small types, one name for each array."""
    flat = {name: getattr(weights, name).astype(kind) for name, kind in TABLES.items()}
    for name in FORESTS:
        flat |= {f"{name}_{part}": array for part, array in getattr(weights, name)._asdict().items()}
    return flat


def unflattened(state: Mapping[str, Any]) -> Weights:
    found: dict[str, Any] = {name: _array(state, name) for name in TABLES}
    if len(found["settings"]) != SETTINGS:
        raise ValueError("another version of hubbub trained it; train it again")
    found |= {name: found[name].astype(np.float32) for name in ("frequency", "cues")}
    found |= {name: Forest(*(_array(state, f"{name}_{part}") for part in Forest._fields)) for name in FORESTS}
    return Weights(**found)


def _array(state: Mapping[str, Any], name: str) -> Array:
    return np.ascontiguousarray(state[name])


class Runner:
    """One pass over one chat. What it remembers is bounded."""

    def __init__(self, weights: Weights, second: float = 0.0, threshold: float = 0.0) -> None:
        self._weights, self._second, self._threshold = weights, second, threshold
        self._encoder, self.memory = Encoder(), fresh(weights.frequency)
        self._position = 0

    def stream(self, messages: Iterable[Message]) -> Iterator[Judged]:
        for batch in self._encoder.batches(messages):
            yield from self._judged(batch)

    def push(self, message: Message) -> Judged:
        (judged,) = self._judged(self._encoder.batch([message]))
        return judged

    def _judged(self, batch: Batch) -> Iterator[Judged]:
        count = len(batch.kind)
        parents, sure = np.empty((count, 2), np.int64), np.empty((count, 2), np.float32)
        run(self.memory, self._weights, batch, parents, sure)
        for both, chances, fact in zip(parents.tolist(), sure.tolist(), batch.fact.tolist(), strict=True):
            if fact >= 0:
                known = self._encoder.facts(self._position)
                yield Judged(self._position, known, (1.0,) * len(known))
            else:
                yield self._decided(both, [round(chance, 4) for chance in chances])
            self._position += 1

    def _decided(self, parents: Sequence[int], chances: Sequence[float]) -> Judged:
        """One parent, or none if that is too unsure, or two if the second is sure enough too."""
        position, (best, other) = self._position, parents
        if best != position and chances[0] < self._threshold:
            return Judged(position, (position,), (round(1 - chances[0], 4),))
        if self._second and best != position and other >= 0 and chances[1] >= self._second:
            first, last = sorted(zip(parents, chances, strict=True))
            return Judged(position, (first[0], last[0]), (first[1], last[1]))
        return Judged(position, (best,), (chances[0],))
