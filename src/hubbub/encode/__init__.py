"""Words and sentences as vectors: the encoder that ships with the package, and what is made from it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from .wordpiece import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Tokenizer", "static_vectors", "tokenizer"]


def home() -> Traversable:
    """The folder of the encoder's files."""
    return files("hubbub").joinpath("bundled", "encoder")


@cache
def tokenizer() -> Tokenizer:
    """The encoder's tokenizer with its 30,522 pieces."""
    return Tokenizer(home().joinpath("vocabulary.txt").read_text(encoding="utf-8").splitlines())


@cache
def static_vectors() -> NDArray[np.float32]:
    """One vector of 256 numbers for each piece: what the encoder says of it alone, centred and reduced."""
    import numpy as np

    with home().joinpath("static.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
        vectors: NDArray[np.float32] = stored["numbers"] * stored["scale"][:, None]
    vectors.setflags(write=False)
    return vectors
