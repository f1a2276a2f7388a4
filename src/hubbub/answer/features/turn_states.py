"""Turns encoded by the fine-tuned encoder, and features of how well a reply matches a context, in NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erf
from typing import NamedTuple

import numpy as np

from ...ml.encoder import Half, encoder
from ...ml.encoder.half_encoder import WIDTH
from ...ml.model_schema import Field, Numbers, Size
from ...ml.types import Array
from .turns import MAX_TURNS, TOKEN_TURNS, pieces

_SQUARE: tuple[Size, ...] = (WIDTH, WIDTH)
HEAD: dict[str, tuple[Size, ...]] = {
    "newest": _SQUARE,
    "second": _SQUARE,
    "older": _SQUARE,
    "reply": _SQUARE,
    "inner": (2 * WIDTH, "inner"),
    "inner_bias": ("inner",),
    "outer": ("inner", WIDTH),
    "narrow": (WIDTH, "narrow"),
    "weigh": (WIDTH,),
    "fade": (TOKEN_TURNS,),
    "scales": (3,),
}
EXPONENT_RANGE = -20.0, 20.0  # of numbers that are raised to a power


def head_fields(prefix: str) -> dict[str, Field]:
    """What the saved arrays of the head may be, each name with a prefix."""
    bounds = {"fade": EXPONENT_RANGE, "scales": EXPONENT_RANGE}
    return {prefix + name: Numbers("float16", shape, *bounds.get(name, (-1e4, 1e4))) for name, shape in HEAD.items()}


class EncodedTurn(NamedTuple):
    """A turn: its vector of length 1, and a projected vector and a weight for each of its word pieces."""

    vector: Array
    tokens: Array
    weights: Array


class TurnEncoder:
    """The encoder with a fine-tuned upper half, and the head on top of it."""

    def __init__(self, upper: Mapping[str, Array], head: Mapping[str, Array]) -> None:
        self._half = Half(upper)
        self.head = {name: array.astype(np.float32) for name, array in head.items()}
        self._fade = _softplus(self.head["fade"])

    def encode(self, texts: Sequence[str]) -> dict[str, EncodedTurn]:
        """Each text once, as it would be alone."""
        listed = list(dict.fromkeys(texts))
        found: dict[str, EncodedTurn] = {}
        for places, hidden in encoder().lower_states([pieces(text) for text in listed]):
            for place, states in zip(places, self._half(hidden), strict=True):
                mean, tokens = states.mean(0), states[1:-1]
                narrow = tokens @ self.head["narrow"]
                narrow /= np.maximum(np.linalg.norm(narrow, axis=1, keepdims=True), 1e-9)
                weights = _softplus(tokens @ self.head["weigh"])
                found[listed[place]] = EncodedTurn(
                    mean / np.linalg.norm(mean), narrow, weights / max(float(weights.sum()), 1e-9)
                )
        return found

    def context_vector(self, turns: Sequence[EncodedTurn]) -> Array:
        """A context, the newest turn last, as a vector of length 1."""
        back = np.zeros((max(len(turns), MAX_TURNS), len(self.head["reply"])), np.float32)
        for place, turn in enumerate(reversed(turns)):
            back[place] = turn.vector
        back = back[:MAX_TURNS]
        newest, second, older = back[0], back[1], back[2:].sum(0) / max(1, min(len(turns), MAX_TURNS) - 2)
        values = np.concatenate([newest, second]) @ self.head["inner"] + self.head["inner_bias"]
        # GELU in its exact form, as torch computes it in training; NumPy has no erf.
        inner = values * np.array([0.5 * (1 + erf(each / 2**0.5)) for each in values.tolist()], np.float32)
        mapped = newest @ self.head["newest"] + second @ self.head["second"] + older @ self.head["older"]
        total = back.sum(0) + mapped + inner @ self.head["outer"]
        return total / max(float(np.linalg.norm(total)), 1e-9)

    def reply_vectors(self, replies: Sequence[EncodedTurn]) -> Array:
        """Replies as vectors of length 1, such that the product with `asked` says how well they fit."""
        rows = np.stack([reply.vector for reply in replies])
        rows = rows + rows @ self.head["reply"]
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def match_features(self, turns: Sequence[EncodedTurn], replies: Sequence[EncodedTurn]) -> Array:
        """A row a reply: by vectors, by how like its pieces are to those of the last turns, and the other way round."""
        found = np.zeros((len(replies), 3), np.float32)
        if turns:
            found[:, 0] = self.reply_vectors(replies) @ self.context_vector(turns)
            for row, reply in zip(found, replies, strict=True):
                # Late interaction as in training: for each token the most similar one of the other side.
                best, back, total = np.full(len(reply.tokens), -2.0, np.float32), 0.0, 0.0
                for place, turn in enumerate(turns[: -TOKEN_TURNS - 1 : -1]):
                    share = float(np.exp(-self._fade[place]))
                    total += share
                    if len(turn.tokens) and len(reply.tokens):
                        similarity = turn.tokens @ reply.tokens.T
                        best = np.maximum(best, similarity.max(0) - (self._fade[place] if place else 0.0))
                        back += share * float(similarity.max(1) @ turn.weights)
                row[1:] = float(best @ reply.weights), back / total
        return found

    def training_scores(self, match_features: Array) -> Array:
        """The training score of each reply: the weighted sum of its match features."""
        return match_features @ np.exp(self.head["scales"])


def _softplus(values: Array) -> Array:
    return np.logaddexp(0, values).astype(np.float32)
