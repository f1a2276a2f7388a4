"""Turns as a taught model sees them, and how well one fits another, in NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..encode import Half, encoder
from ..encode.half import WIDTH
from ..schema import Field, Numbers, Size
from .turns import BACK, NEAR, pieces

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
    "fade": (NEAR,),
    "scales": (3,),
}
EXPONENTS = -20.0, 20.0  # of numbers that are raised to a power


def head_fields(prefix: str) -> dict[str, Field]:
    """What the saved arrays of the head may be, each name with a prefix."""
    bounds = {"fade": EXPONENTS, "scales": EXPONENTS}
    return {prefix + name: Numbers("float16", shape, *bounds.get(name, (-1e4, 1e4))) for name, shape in HEAD.items()}


class Said(NamedTuple):
    """A turn: its vector of length 1, and a narrow vector and a weight for each of its word pieces."""

    vector: Any
    tokens: Any
    weights: Any


class Sight:
    """The encoder under a taught upper half, and the head over it."""

    def __init__(self, upper: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        self._half = Half(upper)
        self.head = {name: array.astype(np.float32) for name, array in head.items()}
        self._fade = _softplus(self.head["fade"])

    def said(self, texts: Sequence[str]) -> dict[str, Said]:
        """Each text once, as it would be alone."""
        listed = list(dict.fromkeys(texts))
        found: dict[str, Said] = {}
        for places, hidden in encoder().lower_states([pieces(text) for text in listed]):
            for place, states in zip(places, self._half(hidden), strict=True):
                found[listed[place]] = self._seen(states)
        return found

    def _seen(self, states: Any) -> Said:
        mean, tokens = states.mean(0), states[1:-1]
        narrow = tokens @ self.head["narrow"]
        narrow /= np.maximum(np.linalg.norm(narrow, axis=1, keepdims=True), 1e-9)
        weights = _softplus(tokens @ self.head["weigh"])
        return Said(mean / np.linalg.norm(mean), narrow, weights / max(float(weights.sum()), 1e-9))

    def asked(self, turns: Sequence[Said]) -> Any:
        """A context, the newest turn last, as a vector of length 1."""
        back = np.zeros((max(len(turns), BACK), len(self.head["reply"])), np.float32)
        for place, turn in enumerate(reversed(turns)):
            back[place] = turn.vector
        back = back[:BACK]
        newest, second, older = back[0], back[1], back[2:].sum(0) / max(1, min(len(turns), BACK) - 2)
        inner = _gelu(np.concatenate([newest, second]) @ self.head["inner"] + self.head["inner_bias"])
        mapped = newest @ self.head["newest"] + second @ self.head["second"] + older @ self.head["older"]
        total = back.sum(0) + mapped + inner @ self.head["outer"]
        return total / max(float(np.linalg.norm(total)), 1e-9)

    def offered(self, replies: Sequence[Said]) -> Any:
        """Replies as vectors of length 1, such that the product with `asked` says how well they fit."""
        rows = np.stack([reply.vector for reply in replies])
        rows = rows + rows @ self.head["reply"]
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def fits(self, turns: Sequence[Said], replies: Sequence[Said]) -> Any:
        """A row a reply: by vectors, by how like its pieces are to those of the last turns, and the other way round."""
        found = np.zeros((len(replies), 3), np.float32)
        if turns:
            found[:, 0] = self.offered(replies) @ self.asked(turns)
            for row, reply in zip(found, replies, strict=True):
                row[1:] = self._by_tokens(turns[: -NEAR - 1 : -1], reply)
        return found

    def _by_tokens(self, newest_first: Sequence[Said], reply: Said) -> tuple[float, float]:
        best, back, total = np.full(len(reply.tokens), -2.0, np.float32), 0.0, 0.0
        for place, turn in enumerate(newest_first):
            share = float(np.exp(-self._fade[place]))
            total += share
            if len(turn.tokens) and len(reply.tokens):
                likeness = turn.tokens @ reply.tokens.T
                best = np.maximum(best, likeness.max(0) - (self._fade[place] if place else 0.0))
                back += share * float(likeness.max(1) @ turn.weights)
        return float(best @ reply.weights), back / total

    def summed(self, fits: Any) -> Any:
        """One number a reply, as it was taught."""
        return fits @ np.exp(self.head["scales"])


def _softplus(values: Any) -> Any:
    return np.logaddexp(0, values).astype(np.float32)


def _gelu(values: Any) -> Any:
    from math import erf

    return values * np.array([0.5 * (1 + erf(each / 2**0.5)) for each in values.tolist()], np.float32)
