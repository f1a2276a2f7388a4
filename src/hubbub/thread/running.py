"""Weights put to work on messages: whole chats in batches, or one message at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..chat import Message
from ..compiling import Array
from ..schema import Field, Numbers, Rule, Schema
from ..trees import Forest, forest_fields, forest_rule
from .compiled.columns import CUES, PAIR, SHORT, WHOLE
from .compiled.memory import BUCKETS, DIMENSIONS, SETTINGS, STAGE, TOGETHER, WARMTH, Batch, Weights, fresh
from .compiled.step import run
from .encoding import Encoder
from .hubbub import Judged

FORESTS = ("shortlist", "first", "second")
TABLES = {"frequency": np.float16, "cues": np.float16, "ask": np.int8, "say": np.int8, "settings": np.float64}


FEATURES = {"shortlist": len(SHORT), "first": PAIR, "second": WHOLE}
LARGEST = 1e4  # a softmax over sums of leaves stays finite, as do sums of cues


def schema() -> Schema:
    """What saved weights may be."""
    fields: dict[str, Field] = {
        "frequency": Numbers("float16", (BUCKETS,), least=0),
        "cues": Numbers("float16", (BUCKETS + 1, CUES), -LARGEST, LARGEST),
        "ask": Numbers("int8", (BUCKETS, DIMENSIONS)),
        "say": Numbers("int8", (BUCKETS, DIMENSIONS)),
        "settings": Numbers("float64", (SETTINGS,), -LARGEST, LARGEST),
    }
    for name in FORESTS:
        fields |= forest_fields(name, FEATURES[name])
    return Schema(fields, rules=[*map(forest_rule, FORESTS), SENSIBLE])


def _is_sensible(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
    settings = state["settings"].tolist()
    return settings[WARMTH] > 0 and settings[STAGE] in (1, 2) and settings[TOGETHER] >= 0


SENSIBLE = Rule(
    'array "settings" needs a positive temperature, the stage 1 or 2 and a share of at least 0', _is_sensible
)


def flattened(weights: Weights) -> dict[str, Array]:
    """The weights as they are saved: small types, one name for each array."""
    flat = {name: getattr(weights, name).astype(kind) for name, kind in TABLES.items()}
    for name in FORESTS:
        flat |= {f"{name}_{part}": array for part, array in getattr(weights, name)._asdict().items()}
    return flat


def unflattened(state: Mapping[str, Any]) -> Weights:
    found: dict[str, Any] = {name: _array(state, name) for name in TABLES}
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
