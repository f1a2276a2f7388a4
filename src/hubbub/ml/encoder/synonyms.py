"""Words of the vocabulary with a similar meaning."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .files import static_vectors, tokenizer

MIN_WORD_LENGTH = 3  # shorter pieces are mostly parts of words
CHUNK_SIZE = 500  # words compared with the vocabulary at once: some 40 MB


def similar_words(words: Iterable[str], count: int) -> dict[str, list[str]]:
    """For each word that is one piece of the vocabulary, the words whose vectors are nearest to its own, best first."""
    vocabulary = tokenizer().vocabulary
    words_only = (len(piece) >= MIN_WORD_LENGTH and piece.isascii() and piece.isalpha() for piece in vocabulary)
    places = [place for place, is_word in enumerate(words_only) if is_word]
    row = {vocabulary[place]: number for number, place in enumerate(places)}
    units = static_vectors()[places]
    units = units / np.linalg.norm(units, axis=1, keepdims=True)
    known = sorted({word for word in words if word in row})
    found = dict[str, list[str]]()
    for start in range(0, len(known), CHUNK_SIZE):
        some = known[start : start + CHUNK_SIZE]
        own = [row[word] for word in some]
        similarity = units[own] @ units.T
        similarity[np.arange(len(some)), own] = -2
        nearest = np.argpartition(-similarity, count, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(similarity, nearest, 1), axis=1, kind="stable")
        for word, numbers in zip(some, np.take_along_axis(nearest, order, 1), strict=True):
            found[word] = [vocabulary[places[number]] for number in numbers]
    return found
