"""Texts that mean about the same: vectors, and groups of near ones among them. NumPy only, the same every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np

from ..text import words
from .requests import EVERYDAY

WIDTH = 2048
BLOCK = 1024


def hashed(texts: Sequence[str]) -> Any:
    """Words and pairs that are not everyday ones, weighted by how rare they are and hashed into unit vectors."""
    bags = [Counter(_terms(text)) for text in texts]
    seen = Counter(term for bag in bags for term in bag)
    place = {term: _place(term) for term in seen}
    vectors = np.zeros((len(texts), WIDTH), np.float32)
    for row, bag in zip(vectors, bags, strict=True):
        for term, count in bag.items():
            column, sign = place[term]
            row[column] += sign * (1 + np.log(count)) * np.log((1 + len(texts)) / seen[term])
    return unit(vectors)


def _terms(text: str) -> Iterable[str]:
    said = [word for word in words(text) if word not in EVERYDAY]
    return [*said, *(f"{one} {other}" for one, other in pairwise(said))]


def _place(term: str) -> tuple[int, int]:
    number = int.from_bytes(blake2b(term.encode("utf-8", "replace"), digest_size=8).digest())
    return (number >> 1) % WIDTH, 1 - 2 * (number & 1)


def unit(vectors: Any) -> Any:
    """The same directions at length one; nothing stays nothing."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def groups(vectors: Any, weights: Sequence[int], similarity: float, least: int) -> list[list[int]]:
    """Groups of unit vectors, each around the one that has most others near it, the heaviest first.

    `weights` says how often each was said; what is near nothing much is in no group. A group gathers what is near its
    seed, moves its centre to their middle, and gathers once more.
    """
    heavy = np.asarray(weights, np.float32)
    crowd = _crowd(vectors, heavy, similarity)
    free = np.ones(len(vectors), bool)
    found: list[list[int]] = []
    for seed in np.lexsort((np.arange(len(crowd)), -crowd)):
        if crowd[seed] < least:
            break
        if not free[seed]:
            continue
        near = _near(vectors, vectors[seed], similarity, free)
        near = _near(vectors, unit((vectors[near] * heavy[near, None]).sum(0)), similarity, free)
        if heavy[near].sum() >= least and len(near) > 1:
            free[near] = False
            found.append(near.tolist())
    return sorted(found, key=lambda group: (-sum(weights[place] for place in group), group[0]))


def _crowd(vectors: Any, heavy: Any, similarity: float) -> Any:
    """For each vector the weight of all that is near it, itself included."""
    blocks = range(0, len(vectors), BLOCK)
    rows = [(vectors[start : start + BLOCK] @ vectors.T >= similarity) @ heavy for start in blocks]
    return np.concatenate(rows) if rows else np.zeros(0)


def _near(vectors: Any, centre: Any, similarity: float, free: Any) -> Any:
    return np.flatnonzero((vectors @ centre >= similarity) & free)
