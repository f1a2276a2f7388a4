"""Word vectors from unlabelled chats: words are near each other that occur in a message and in its reply.

A truncated singular value decomposition of the positive pointwise mutual information of words (Levy and Goldberg, NIPS
2014); O(pairs of words that occur together * VECTOR_SIZE).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...ml.compilation import Array
from ..inference.state import HASH_BUCKETS, VECTOR_SIZE
from .dataset import TrainingChat

MIN_MESSAGES, MAX_SHARE = 10, 0.1  # words in fewer messages, or in a larger share of them, get no vector
MAX_DISTANCE = 40  # messages back that an addressed speaker's latest message may be
SCALE = 0.15  # length of a vector for each unit of its word's idf
SMOOTHING = 0.75  # exponent on the counts of context words, as in word2vec


def reply_texts(chat: TrainingChat) -> Iterator[Array]:
    """The tokens of every message, with those of the latest message of the speaker that it addresses."""
    last: dict[int, int] = {}
    for row, tokens in enumerate(chat.tokens):
        own = tokens[tokens >= 0]
        before = last.get(int(chat.addressees[row]), -MAX_DISTANCE)
        if row - before < MAX_DISTANCE:
            other = chat.tokens[before]
            own = np.concatenate([own, other[other >= 0]])
        last[int(chat.authors[row])] = row
        yield own


def word_vectors_from_text(chats: Sequence[TrainingChat], seed: int) -> Array:
    """A vector for every bucket, 0 for words that are too rare or too common."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import svds

    texts = [tokens for chat in chats for tokens in reply_texts(chat)]
    rows = np.repeat(np.arange(len(texts)), [len(tokens) for tokens in texts])
    columns = np.concatenate([*texts, np.zeros(0, np.int32)])
    table = csr_matrix((np.ones(len(columns), np.float32), (rows, columns)), (len(texts), HASH_BUCKETS))
    table.data[:] = 1
    counts = np.asarray(table.sum(0)).ravel()
    # Truncated SVD of positive PMI (Levy and Goldberg 2014, section 4); the length of a vector is its inverse document
    # frequency, so that rare words count more in a sum.
    known = np.flatnonzero((counts >= MIN_MESSAGES) & (counts <= MAX_SHARE * len(texts)))
    found = np.zeros((HASH_BUCKETS, VECTOR_SIZE), np.float32)
    if len(known) > 2 * VECTOR_SIZE:
        axes, sizes, _ = svds(_positive_pmi(table[:, known]), k=VECTOR_SIZE, random_state=seed)
        vectors = axes * np.sqrt(sizes)
        vectors *= (SCALE * np.log(len(texts) / counts[known]) / (np.linalg.norm(vectors, axis=1) + 1e-6))[:, None]
        found[known] = vectors
    return found


def _positive_pmi(table: Any) -> Any:
    """The pointwise mutual information of words that occur together more than twice as often as independent ones."""
    from scipy.sparse import csr_matrix

    pairs = (table.T @ table).tocoo()
    frequent = (pairs.row != pairs.col) & (pairs.data >= 2)
    row, column, count = pairs.row[frequent], pairs.col[frequent], pairs.data[frequent]
    total = np.bincount(row, count, pairs.shape[0])
    smooth = total**SMOOTHING
    pmi = np.log(count * smooth.sum() / (2 * total[row] * smooth[column]))
    positive = pmi > 0
    return csr_matrix((pmi[positive].astype(np.float32), (row[positive], column[positive])), pairs.shape)
