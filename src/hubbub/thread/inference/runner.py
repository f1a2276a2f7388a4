"""Runs trained weights over messages, in batches or one at a time; and the layout in which weights are saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...chat import Message
from ...ml.compilation import Array
from ...ml.model_schema import Field, Numbers, Rule, Schema
from ...ml.trees.runtime import BoostedTrees, tree_fields, tree_rule
from ..features.feature_columns import ALL_COLUMNS, CUE_COLUMNS, PAIR_COLUMNS, SHORTLIST_COLUMNS
from ..predict import ThreadDecision
from .encoding import MessageEncoder
from .state import (
    HASH_BUCKETS,
    INVERSE_TEMPERATURE,
    SETTINGS,
    STAGE,
    THREAD_SHARE,
    VECTOR_SIZE,
    Batch,
    ThreaderWeights,
    initial_state,
)
from .step import run

ARRAY_TYPES = {
    "frequency": np.float16, "cues": np.float16, "parent_vectors": np.int8, "reply_vectors": np.int8,
    "settings": np.float64,
}  # fmt: skip
TREE_FEATURES = {"shortlist": len(SHORTLIST_COLUMNS), "first": PAIR_COLUMNS, "second": ALL_COLUMNS}
MAX_WEIGHT = 1e4  # keeps sums of cues, and the softmax over sums of leaves, finite


def schema() -> Schema:
    """The schema of saved weights."""
    fields: dict[str, Field] = {
        "frequency": Numbers("float16", (HASH_BUCKETS,), least=0),
        "cues": Numbers("float16", (HASH_BUCKETS + 1, CUE_COLUMNS), -MAX_WEIGHT, MAX_WEIGHT),
        "parent_vectors": Numbers("int8", (HASH_BUCKETS, VECTOR_SIZE)),
        "reply_vectors": Numbers("int8", (HASH_BUCKETS, VECTOR_SIZE)),
        "settings": Numbers("float64", (SETTINGS,), -MAX_WEIGHT, MAX_WEIGHT),
    }
    for name in TREE_FEATURES:
        fields |= tree_fields(name, TREE_FEATURES[name])
    return Schema(fields, rules=[*map(tree_rule, TREE_FEATURES), VALID_SETTINGS])


def _valid_settings(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
    settings = state["settings"].tolist()
    return settings[INVERSE_TEMPERATURE] > 0 and settings[STAGE] in (1, 2) and settings[THREAD_SHARE] >= 0


VALID_SETTINGS = Rule(
    'array "settings" needs a positive temperature, the stage 1 or 2 and a share of at least 0', _valid_settings
)


def to_arrays(weights: ThreaderWeights) -> dict[str, Array]:
    """The weights as they are saved: small types, one name for each array."""
    flat = {name: getattr(weights, name).astype(kind) for name, kind in ARRAY_TYPES.items()}
    for name in TREE_FEATURES:
        flat |= {f"{name}_{part}": array for part, array in getattr(weights, name)._asdict().items()}
    return flat


def from_arrays(state: Mapping[str, Any]) -> ThreaderWeights:
    found: dict[str, Any] = {name: _array(state, name) for name in ARRAY_TYPES}
    found |= {name: found[name].astype(np.float32) for name in ("frequency", "cues")}
    found |= {
        name: BoostedTrees(*(_array(state, f"{name}_{part}") for part in BoostedTrees._fields))
        for name in TREE_FEATURES
    }
    return ThreaderWeights(**found)


def _array(state: Mapping[str, Any], name: str) -> Array:
    return np.ascontiguousarray(state[name])


class Runner:
    """One pass over one chat, in a state of fixed size."""

    def __init__(self, weights: ThreaderWeights, second: float = 0.0, threshold: float = 0.0) -> None:
        self._weights, self._second, self._threshold = weights, second, threshold
        self._encoder, self.state = MessageEncoder(), initial_state(weights.frequency)
        self._position = 0

    def stream(self, messages: Iterable[Message]) -> Iterator[ThreadDecision]:
        for batch in self._encoder.batches(messages):
            yield from self._decisions(batch)

    def push(self, message: Message) -> ThreadDecision:
        (decision,) = self._decisions(self._encoder.batch([message]))
        return decision

    def _decisions(self, batch: Batch) -> Iterator[ThreadDecision]:
        count = len(batch.kind)
        parents, confidence = np.empty((count, 2), np.int64), np.empty((count, 2), np.float32)
        run(self.state, self._weights, batch, parents, confidence)
        rows = zip(parents.tolist(), confidence.tolist(), batch.recorded_parent.tolist(), strict=True)
        for both, probabilities, recorded in rows:
            if recorded >= 0:
                known = self._encoder.recorded_parents(self._position)
                yield ThreadDecision(self._position, known, (1.0,) * len(known))
            else:
                yield self._decision(both, [round(probability, 4) for probability in probabilities])
            self._position += 1

    def _decision(self, parents: Sequence[int], probabilities: Sequence[float]) -> ThreadDecision:
        """One parent; none below the threshold; two if the second one is probable enough as well."""
        position, (best, other) = self._position, parents
        if best != position and probabilities[0] < self._threshold:
            return ThreadDecision(position, (position,), (round(1 - probabilities[0], 4),))
        if self._second and best != position and other >= 0 and probabilities[1] >= self._second:
            first, last = sorted(zip(parents, probabilities, strict=True))
            return ThreadDecision(position, (first[0], last[0]), (first[1], last[1]))
        return ThreadDecision(position, (best,), (probabilities[0],))
