"""A first space of words, from texts alone: words lie near each other that are said in answer to one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...compiling import Array
from ..compiled.memory import BUCKETS, DIMENSIONS
from .material import Story

RAREST, COMMONEST = 10, 0.1  # words in fewer messages, or in a larger share of them, have no place
NEAR = 40  # how far back the answered message may be
SCALE = 0.15  # length of a vector for each unit of its word's weight


def exchanges(story: Story) -> Iterator[Array]:
    """The words of every message, with those of the latest message of whom it addresses."""
    last: dict[int, int] = {}
    for row, words in enumerate(story.words):
        own = words[words >= 0]
        before = last.get(int(story.naming[row]), -NEAR)
        if row - before < NEAR:
            other = story.words[before]
            own = np.concatenate([own, other[other >= 0]])
        last[int(story.authors[row])] = row
        yield own


def word_space(told: Sequence[Story], seed: int) -> Array:
    """A vector for every bucket, 0 for words that are too rare or too common to place."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import svds

    said = [words for story in told for words in exchanges(story)]
    rows = np.repeat(np.arange(len(said)), [len(words) for words in said])
    columns = np.concatenate([*said, np.zeros(0, np.int32)])
    table = csr_matrix((np.ones(len(columns), np.float32), (rows, columns)), (len(said), BUCKETS))
    table.data[:] = 1
    heard = np.asarray(table.sum(0)).ravel()
    known = np.flatnonzero((heard >= RAREST) & (heard <= COMMONEST * len(said)))
    space = np.zeros((BUCKETS, DIMENSIONS), np.float32)
    if len(known) > 2 * DIMENSIONS:
        axes, sizes, _ = svds(_surprise(table[:, known]), k=DIMENSIONS, random_state=seed)
        vectors = axes * np.sqrt(sizes)
        vectors *= (SCALE * np.log(len(said) / heard[known]) / (np.linalg.norm(vectors, axis=1) + 1e-6))[:, None]
        space[known] = vectors
    return space


def _surprise(table: Any) -> Any:
    """How much more often than by chance two words are said together, where it is more than twice as often."""
    from scipy.sparse import csr_matrix

    pairs = (table.T @ table).tocoo()
    kept = (pairs.row != pairs.col) & (pairs.data >= 2)
    row, column, count = pairs.row[kept], pairs.col[kept], pairs.data[kept]
    total = np.bincount(row, count, pairs.shape[0])
    smooth = total**0.75
    surprise = np.log(count * smooth.sum() / (2 * total[row] * smooth[column]))
    more = surprise > 0
    return csr_matrix((surprise[more].astype(np.float32), (row[more], column[more])), pairs.shape)
