"""The network of `intent/fast`: means of table rows, and the largest numbers among those of word pieces, normalised
together, one hidden layer, one number a class.

It trains in 32-bit floats, is stored in bytes, and runs in 64-bit floats, so that an answer does not depend on what
else is asked in the same batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from ..encode import static_bytes, static_vectors
from .grams import Bag

EPSILON = 1e-5
RARE = 1e-3
STANDING_OUT = np.float32(0.5)  # how much a largest number counts beside a mean
PART = 1000
MANY = 16
DENSE = ("gain", "shift", "hidden", "hidden_bias", "out", "out_bias")


@dataclass
class Network:
    """`tables` are of word pieces, runs of words and runs of characters."""

    tables: list[Any]
    gain: Any
    shift: Any
    hidden: Any
    hidden_bias: Any
    out: Any
    out_bias: Any

    @classmethod
    def started(cls, tables: Sequence[Any], hidden: int, classes: int, random: Any, *, largest: bool) -> Self:
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

    def inside(self, texts: Sequence[Bag]) -> Any:
        """What the hidden layer makes of texts, given by the rows of their features."""
        rows = [gathered(table, bag) for table, bag in zip(self.tables, texts, strict=True)]
        seen = [means_of(each, bag) for each, bag in zip(rows, texts, strict=True)]
        if self.sees_largest:
            seen.append(largest_of(rows[0], texts[0]))
        normal, _ = normalised(np.concatenate(seen, 1, dtype=np.float64))
        return np.maximum((normal * self.gain + self.shift) @ self.hidden + self.hidden_bias, 0)

    def scores(self, inside: Any) -> Any:
        return inside @ self.out + self.out_bias


class Pupil(NamedTuple):
    """A network and the keys of its tables' rows."""

    network: Network
    known: Sequence[Any]

    def rows(self, found: Sequence[Bag]) -> list[Bag]:
        return [bag.rows(keys) for bag, keys in zip(found, self.known, strict=True)]

    def scores(self, found: Sequence[Bag]) -> Any:
        rows, count = self.rows(found), len(found[0].starts) - 1
        parts = [[bag.part(start, start + PART) for bag in rows] for start in range(0, count, PART)]
        return np.concatenate([self.network.scores(self.network.inside(part)) for part in parts])


def noise(shape: tuple[int, ...], size: float, random: Any) -> Any:
    return (random.standard_normal(shape, np.float32) * np.float32(size)).astype(np.float32)


def normalised(values: Any) -> tuple[Any, Any]:
    """Each row with mean 0 and deviation 1, and by what it was multiplied."""
    centred = values - values.mean(1, keepdims=True)
    factor = 1 / np.sqrt((centred * centred).mean(1, keepdims=True) + EPSILON)
    return centred * factor, factor


def gathered(table: Any, bag: Bag) -> Any:
    """The rows of all texts, one after the other."""
    return table.rows(bag.keys) if isinstance(table, InBytes) else table[bag.keys]


def means_of(rows: Any, bag: Bag) -> Any:
    """The mean of the rows of each text, zero for a text that has none."""
    return _reduced(np.add, rows, bag) / np.maximum(np.diff(bag.starts), 1)[:, None].astype(np.float32)


def largest_of(rows: Any, bag: Bag) -> Any:
    """The largest number of each column in the rows of each text, as much as it counts."""
    return _reduced(np.maximum, rows, bag) * STANDING_OUT


def _reduced(operation: np.ufunc, rows: Any, bag: Bag) -> Any:
    """The rows of each text taken together, one after the other.

    Of many texts the first rows of all, then the second rows of those that have one, and so on: much quicker than text
    by text, and the same, bit by bit.
    """
    counts = np.diff(bag.starts)
    found = np.zeros((len(counts), rows.shape[1]), np.float32)
    if len(counts) < MANY:
        for text in np.flatnonzero(counts):
            found[text] = operation.reduce(rows[bag.starts[text] : bag.starts[text + 1]], axis=0)
        return found
    order = np.argsort(-counts, kind="stable")
    longer = np.searchsorted(-counts[order], -np.arange(counts.max(initial=0)))
    firsts, together = bag.starts[:-1][order], np.zeros_like(found)
    for place, texts in enumerate(longer):
        next_rows = rows[firsts[:texts] + place]
        together[:texts] = operation(together[:texts], next_rows) if place else next_rows
    found[order] = together
    return found


def in_bytes(values: Any) -> tuple[Any, Any]:
    """Each row as whole numbers of one byte, and what one of them is worth."""
    worth = (np.abs(values).max(1, initial=0) / 127).astype(np.float32)
    return np.round(values / np.maximum(worth, 1e-12)[:, None]).astype(np.int8), worth


def from_bytes(numbers: Any, worth: Any) -> Any:
    return numbers * worth[:, None]


class InBytes(NamedTuple):
    """A table that stays in bytes: quick to load, and of its rows only those that are asked for become floats."""

    numbers: Any
    worth: Any

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.numbers.shape)

    def rows(self, places: Any) -> Any:
        return from_bytes(self.numbers[places], self.worth[places])


def starting_pieces(counts: Any) -> Any:
    """The vectors of word pieces before any training, those that are frequent in the examples made small."""
    vectors = static_vectors()
    share = (counts + 1) / (counts + 1).sum()
    return vectors * (_size(vectors[::16]) * RARE / (RARE + share)).astype(np.float32)[:, None]


def all_pieces(known: Any, trained: InBytes) -> InBytes:
    """Every word piece: those that were in no example have the vectors that all started with."""
    numbers, worth = static_bytes()
    even = _size(from_bytes(numbers[::16], worth[::16])) * RARE / (RARE + 1 / len(numbers))
    worth = worth * np.float32(even)
    numbers[known], worth[known] = trained
    return InBytes(numbers, worth)


def _size(vectors: Any) -> float:
    """What vectors are multiplied by to be as large as those of runs and characters become."""
    return 0.3 / float(np.sqrt((vectors**2).mean()))
