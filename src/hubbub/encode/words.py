"""Words of the vocabulary that mean about the same."""

from __future__ import annotations

from collections.abc import Iterable

from .files import static_vectors, tokenizer

SHORTEST = 3
PART = 500


def like_words(words: Iterable[str], count: int) -> dict[str, list[str]]:
    """For each word that is one piece of the vocabulary, the words whose vectors are nearest to its own, best first."""
    import numpy as np

    vocabulary, vectors = tokenizer().vocabulary, static_vectors()
    number = {piece: place for place, piece in enumerate(vocabulary) if _is_word(piece)}
    known = sorted({word for word in words if word in number})
    units = vectors[list(number.values())]
    units = units / np.linalg.norm(units, axis=1, keepdims=True)
    names, row = list(number), {word: place for place, word in enumerate(number)}
    found = dict[str, list[str]]()
    for start in range(0, len(known), PART):
        some = known[start : start + PART]
        likeness = units[[row[word] for word in some]] @ units.T
        likeness[np.arange(len(some)), [row[word] for word in some]] = -2
        nearest = np.argpartition(-likeness, count, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(likeness, nearest, 1), axis=1, kind="stable")
        for word, places in zip(some, np.take_along_axis(nearest, order, 1), strict=True):
            found[word] = [names[place] for place in places]
    return found


def _is_word(piece: str) -> bool:
    return len(piece) >= SHORTEST and piece.isascii() and piece.isalpha()
