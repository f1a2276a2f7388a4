"""The network of `intent/fast`: means of table rows, and the largest numbers among those of word pieces, normalised
together, one hidden layer, one number a class.

It trains in 32-bit floats, is stored in bytes, and runs in 64-bit floats, so that an answer does not depend on what
else is asked in the same batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from ...ml.encoder import static_bytes, static_vectors
from ...ml.types import Array
from ..features.ngrams import Bag

EPSILON = 1e-5  # avoids division by zero in the layer normalization
FREQUENCY_DAMPING = 1e-3  # frequent pieces count less, as in SIF (Arora et al., 2017)
MAX_POOL_WEIGHT = np.float32(0.5)  # how much a largest number counts beside a mean
TEXTS_PER_BLOCK = 1000  # bounds memory
MIN_TEXTS_TOGETHER = 16  # with fewer texts one reduction a text is faster
DENSE_PARAMETERS = ("gain", "shift", "hidden", "hidden_bias", "out", "out_bias")


class QuantizedTable(NamedTuple):
    """A table that stays in bytes: quick to load, and of its rows only those that are asked for become floats."""

    numbers: Array
    scale: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.numbers.shape)

    def rows(self, places: Array) -> Array:
        return dequantize(self.numbers[places], self.scale[places])


Table = Array | QuantizedTable


@dataclass(repr=False)
class NgramNetwork:
    """`tables` are of word pieces, runs of words and runs of characters."""

    tables: Sequence[Table]
    gain: Array
    shift: Array
    hidden: Array
    hidden_bias: Array
    out: Array
    out_bias: Array

    @classmethod
    def started(
        cls, tables: Sequence[Array], hidden: int, classes: int, random: np.random.Generator, *, largest: bool
    ) -> Self:
        """Before any training; `largest` says whether it is to see the largest numbers too."""
        width = sum(table.shape[1] for table in (*tables, *tables[:largest]))
        return cls(
            list(tables),
            np.ones(width, np.float32),
            np.zeros(width, np.float32),
            noise((width, hidden), width**-0.5, random),
            np.zeros(hidden, np.float32),
            noise((hidden, classes), hidden**-0.5, random),
            np.zeros(classes, np.float32),
        )

    @property
    def sees_largest(self) -> bool:
        return bool(len(self.gain) > sum(table.shape[1] for table in self.tables))

    def hidden_states(self, texts: Sequence[Bag]) -> Array:
        """What the hidden layer makes of texts, given by the rows of their features."""
        rows = [gathered(table, bag) for table, bag in zip(self.tables, texts, strict=True)]
        pooled = [mean_pool(each, bag) for each, bag in zip(rows, texts, strict=True)]
        if self.sees_largest:
            pooled.append(max_pool(rows[0], texts[0]))
        normal, _ = normalised(np.concatenate(pooled, 1, dtype=np.float64))
        return np.maximum((normal * self.gain + self.shift) @ self.hidden + self.hidden_bias, 0)

    def scores(self, inside: Array) -> Array:
        return inside @ self.out + self.out_bias


class KeyedNetwork(NamedTuple):
    """A network and the keys of its tables' rows."""

    network: NgramNetwork
    known: Sequence[Array]

    def rows(self, found: Sequence[Bag]) -> list[Bag]:
        return [bag.rows(keys) for bag, keys in zip(found, self.known, strict=True)]

    def scores(self, found: Sequence[Bag]) -> Array:
        rows, count = self.rows(found), len(found[0].starts) - 1
        parts = [
            [bag.part(start, start + TEXTS_PER_BLOCK) for bag in rows] for start in range(0, count, TEXTS_PER_BLOCK)
        ]
        return np.concatenate([self.network.scores(self.network.hidden_states(part)) for part in parts])


def noise(shape: tuple[int, ...], size: float, random: np.random.Generator) -> Array:
    return (random.standard_normal(shape, np.float32) * np.float32(size)).astype(np.float32)


def normalised(values: Array) -> tuple[Array, Array]:
    """Each row with mean 0 and deviation 1, and by what it was multiplied."""
    centred = values - values.mean(1, keepdims=True)
    factor = 1 / np.sqrt((centred * centred).mean(1, keepdims=True) + EPSILON)
    return centred * factor, factor


def gathered(table: Table, bag: Bag) -> Array:
    """The rows of all texts, one after the other."""
    return table.rows(bag.keys) if isinstance(table, QuantizedTable) else table[bag.keys]


def mean_pool(rows: Array, bag: Bag) -> Array:
    """The mean of the rows of each text, zero for a text that has none."""
    return _reduced(np.add, rows, bag) / np.maximum(np.diff(bag.starts), 1)[:, None].astype(np.float32)


def max_pool(rows: Array, bag: Bag) -> Array:
    """The largest number of each column in the rows of each text, as much as it counts."""
    return _reduced(np.maximum, rows, bag) * MAX_POOL_WEIGHT


def _reduced(operation: np.ufunc, rows: Array, bag: Bag) -> Array:
    """The rows of each text taken together, one after the other.

    Of many texts the first rows of all, then the second rows of those that have one, and so on: much quicker than text
    by text, and the same, bit by bit.
    """
    counts = np.diff(bag.starts)
    found = np.zeros((len(counts), rows.shape[1]), np.float32)
    if len(counts) < MIN_TEXTS_TOGETHER:
        for text in np.flatnonzero(counts):
            found[text] = operation.reduce(rows[bag.starts[text] : bag.starts[text + 1]], axis=0)
        return found
    # Longest texts first, so that those which have an n-th row are a prefix.
    order = np.argsort(-counts, kind="stable")
    longer = np.searchsorted(-counts[order], -np.arange(counts.max(initial=0)))
    firsts, together = bag.starts[:-1][order], np.zeros_like(found)
    for place, texts in enumerate(longer):
        next_rows = rows[firsts[:texts] + place]
        together[:texts] = operation(together[:texts], next_rows) if place else next_rows
    found[order] = together
    return found


def quantize(values: Array) -> tuple[Array, Array]:
    """Each row as 8-bit integers, and its scale."""
    scale = (np.abs(values).max(1, initial=0) / 127).astype(np.float32)
    return np.round(values / np.maximum(scale, 1e-12)[:, None]).astype(np.int8), scale


def dequantize(numbers: Array, scale: Array) -> Array:
    return numbers * scale[:, None]


def initial_pieces(counts: Array) -> Array:
    """The vectors of word pieces before any training, those that are frequent in the examples made small."""
    vectors = static_vectors()
    share = (counts + 1) / (counts + 1).sum()
    return (
        vectors * (_size(vectors[::16]) * FREQUENCY_DAMPING / (FREQUENCY_DAMPING + share)).astype(np.float32)[:, None]
    )


def all_pieces(known: Array, trained: QuantizedTable) -> QuantizedTable:
    """Every word piece: those that were in no example have the vectors that all started with."""
    numbers, scale = static_bytes()
    even = _size(dequantize(numbers[::16], scale[::16])) * FREQUENCY_DAMPING / (FREQUENCY_DAMPING + 1 / len(numbers))
    scale = scale * np.float32(even)
    numbers[known], scale[known] = trained
    return QuantizedTable(numbers, scale)


def _size(vectors: Array) -> float:
    """What vectors are multiplied by to be as large as those of runs and characters become."""
    return 0.3 / float(np.sqrt((vectors**2).mean()))
