"""Features of `intent/fast`: word pieces, word n-grams, and character n-grams of words.

N-grams are identified by their CRC-32, so that no vocabulary of strings is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np

from ...ml.encoder import tokenizer
from ...ml.encoder.wordpiece import words
from ...ml.types import Array

MAX_WORD_PIECES = 126  # the encoder's limit, without its two special tokens
CHARACTER_NGRAM_LENGTHS = (3, 4, 5)  # the subwords of fastText have 3 to 6 (Bojanowski et al. 2017, section 3.2)


class Bag(NamedTuple):
    """Keys of all texts in one row; those of text i stand from starts[i] to starts[i + 1]."""

    keys: Array
    starts: Array

    def rows(self, known: Array) -> Bag:
        """The places of the keys in a sorted list, without those that are not in it."""
        if not len(known) or not len(self.keys):
            return Bag(np.zeros(0, np.int64), np.zeros_like(self.starts))
        place = np.minimum(np.searchsorted(known, self.keys), len(known) - 1)
        found = known[place] == self.keys
        return Bag(place[found], np.concatenate([[0], np.cumsum(found)])[self.starts])

    def part(self, first: int, last: int) -> Bag:
        """The texts from one to before another."""
        starts = self.starts[first : last + 1]
        return Bag(self.keys[starts[0] : starts[-1]], starts - starts[0])

    def common(self, least: int) -> Array:
        """The keys that occur so often at least, sorted."""
        keys, times = np.unique(self.keys, return_counts=True)
        return keys[times >= least]


def bags(texts: Sequence[str]) -> tuple[Bag, Bag, Bag]:
    """Word pieces, runs of two and three words, and runs of three to five characters."""
    pieces, runs, characters = [], [], []
    ids = tokenizer().ids
    for text in texts:
        found = words(text)[:MAX_WORD_PIECES]
        pieces.append(ids(text, MAX_WORD_PIECES))
        runs.append(_word_runs(found))
        characters.append(list(chain.from_iterable(map(_character_runs, found))))
    return _bag(pieces), _bag(runs), _bag(characters)


def _bag(lists: Sequence[Sequence[int]]) -> Bag:
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return Bag(np.fromiter(chain.from_iterable(lists), np.int64, starts[-1]), starts)


def _word_runs(found: Sequence[str]) -> list[int]:
    edged = ["<", *found, ">"]
    pairs = [f"{one} {two}" for one, two in pairwise(edged)]
    triples = [f"{pair} {three}" for pair, three in zip(pairs, edged[2:], strict=False)]
    return [crc32(run.encode()) for run in (*pairs, *triples)]


@lru_cache(maxsize=100_000)
def _character_runs(word: str) -> tuple[int, ...]:
    edged = f"<{word[:100]}>"
    return tuple(
        crc32(edged[start : start + length].encode())
        for length in CHARACTER_NGRAM_LENGTHS
        for start in range(len(edged) - length + 1)
    )
