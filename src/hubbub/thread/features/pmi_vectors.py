"""Word vectors from chats: positive pointwise mutual information of neighbouring words, reduced by a truncated singular
value decomposition (Levy and Goldberg, NIPS 2014), computed by subspace iteration with NumPy alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

_TOKEN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|[?!]+|\d+")
MAX_TEXT_CHARACTERS = 2000  # of a message; longer ones are pasted text
WINDOW = 4  # words to each side that count as neighbours


def tokens(text: str) -> list[str]:
    """Words in lower case, numbers as 0, runs of ? and ! as one."""
    return [
        "0" if word[0].isdigit() else word if word[0].isalpha() else word[0]
        for word in _TOKEN.findall(text[:MAX_TEXT_CHARACTERS].lower())
    ]


def fit_word_vectors(
    texts: Iterable[str], dimensions: int, seed: int, *, least: int = 10, most: int = 20_000
) -> tuple[list[str], Any]:
    """The words that are used often enough, most frequent first, and a row of numbers for each."""
    tokenized = [tokens(text) for text in texts]
    count = Counter(word for words in tokenized for word in words)
    vocabulary = [word for word, times in count.most_common(most) if times >= least]
    number = {word: place for place, word in enumerate(vocabulary)}
    rows, columns, values = _association(
        [[number[w] for w in words if w in number] for words in tokenized], len(number)
    )
    vectors = _reduced(rows, columns, values, len(vocabulary), dimensions, np.random.default_rng(seed))
    return vocabulary, vectors.astype(np.float32)


def _association(texts: Sequence[Sequence[int]], size: int) -> tuple[Any, Any, Any]:
    """Row, column and value of every pair of words with positive pointwise mutual information."""
    lengths = [len(words) for words in texts]
    flat = np.array([word for words in texts for word in words], dtype=np.int64)
    line = np.repeat(np.arange(len(lengths)), lengths)
    keys = []
    for apart in range(1, WINDOW + 1):
        together = line[apart:] == line[:-apart]
        one, other = flat[:-apart][together], flat[apart:][together]
        keys += [one * size + other, other * size + one]
    pairs, times = np.unique(np.concatenate(keys) if keys else flat, return_counts=True)
    rows, columns = np.divmod(pairs, max(size, 1))
    sums = np.bincount(rows, weights=times, minlength=size)
    # Contexts to the power of 0.75 favour rare ones less (Levy, Goldberg and Dagan 2015, section 3.2).
    smooth = sums**0.75 / max((sums**0.75).sum(), 1.0)
    values = np.log(times / (sums[rows] * smooth[columns]))
    positive = values > 0
    return rows[positive], columns[positive], values[positive]


def _reduced(rows: Any, columns: Any, values: Any, size: int, dimensions: int, random: Any) -> Any:
    """The leading singular vectors of a sparse matrix, by subspace iteration from a random start."""
    vectors = np.zeros((size, dimensions))
    if not len(values):
        return vectors
    width = min(dimensions + 10, size)
    basis = random.standard_normal((size, width))
    for _ in range(4):
        basis, _ = np.linalg.qr(_times(rows, columns, values, basis))
    small = _times(columns, rows, values, basis)
    _, singular_values, right_singular = np.linalg.svd(small, full_matrices=False)
    found = (basis @ right_singular.T * np.sqrt(singular_values))[:, :dimensions]
    norm = np.linalg.norm(found, axis=1, keepdims=True)
    vectors[:, : found.shape[1]] = found / np.maximum(norm, 1e-9)
    return vectors


def _times(rows: Any, columns: Any, values: Any, dense: Any) -> Any:
    """A sparse table times a dense one, column by column."""
    product = np.empty((dense.shape[0], dense.shape[1]))
    for each in range(dense.shape[1]):
        product[:, each] = np.bincount(rows, weights=values * dense[columns, each], minlength=dense.shape[0])
    return product


class MessageVectors:
    """A text as the mean and the largest of its words' vectors."""

    def __init__(self, vocabulary: Sequence[str], vectors: Any) -> None:
        self._number = {word: place for place, word in enumerate(vocabulary)}
        self._vectors = vectors

    def of(self, texts: Sequence[str]) -> Any:
        width = self._vectors.shape[1]
        found = np.zeros((len(texts), 2 * width), dtype=np.float32)
        for place, text in enumerate(texts):
            known = [self._number[word] for word in tokens(text) if word in self._number]
            if known:
                of_words = self._vectors[known]
                found[place, :width], found[place, width:] = of_words.mean(axis=0), of_words.max(axis=0)
        return found
