"""Words of the vocabulary that mean about the same."""

from __future__ import annotations

from collections.abc import Iterable

from .files import static_vectors, tokenizer

SHORTEST = 3
PART = 500


def like_words(words: Iterable[str], count: int) -> dict[str, list[str]]:
    """For each word that is one piece of the vocabulary, the words whose vectors are nearest to its own, best first."""
    import numpy as np

    vocabulary = tokenizer().vocabulary
    places = [place for place, piece in enumerate(vocabulary) if _is_word(piece)]
    row = {vocabulary[place]: number for number, place in enumerate(places)}
    units = static_vectors()[places]
    units = units / np.linalg.norm(units, axis=1, keepdims=True)
    known = sorted({word for word in words if word in row})
    found = dict[str, list[str]]()
    for start in range(0, len(known), PART):
        some = known[start : start + PART]
        own = [row[word] for word in some]
        likeness = units[own] @ units.T
        likeness[np.arange(len(some)), own] = -2
        nearest = np.argpartition(-likeness, count, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(likeness, nearest, 1), axis=1, kind="stable")
        for word, numbers in zip(some, np.take_along_axis(nearest, order, 1), strict=True):
            found[word] = [vocabulary[places[number]] for number in numbers]
    return found


def _is_word(piece: str) -> bool:
    return len(piece) >= SHORTEST and piece.isascii() and piece.isalpha()
