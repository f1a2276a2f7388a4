"""The encoder's files as they ship with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from .wordpiece import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VOCABULARY = "vocabulary.txt"


def home() -> Traversable:
    return files("hubbub").joinpath("bundled", "encoder")


def arrays(name: str) -> dict[str, NDArray[Any]]:
    """The arrays of one file."""
    import numpy as np

    with home().joinpath(name).open("rb") as file, np.load(file, allow_pickle=False) as stored:
        return dict(stored.items())


@cache
def tokenizer() -> Tokenizer:
    """The encoder's tokenizer with its 30,522 pieces."""
    return Tokenizer(home().joinpath(VOCABULARY).read_text(encoding="utf-8").splitlines())


@cache
def table() -> dict[str, NDArray[Any]]:
    """The vectors of the pieces and of the places that the lower half starts from."""
    return arrays("table.npz")


def static_bytes() -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """One vector of 256 numbers for each piece: what the encoder says of it alone, centred and reduced.

    In whole numbers of a byte, and what one of them is worth in each vector.
    """
    stored = arrays("static.npz")
    return stored["numbers"], stored["scale"]


@cache
def static_vectors() -> NDArray[np.float32]:
    """The same vectors in float."""
    numbers, worth = static_bytes()
    vectors: NDArray[np.float32] = numbers * worth[:, None]
    vectors.setflags(write=False)
    return vectors
