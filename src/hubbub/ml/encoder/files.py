"""The encoder's files as they ship with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ModelError
from ..model_schema import Mismatch, Numbers, Schema
from ..npz import BadArchive, read_npz
from .half_encoder import WIDTH
from .half_encoder import fields as half_fields
from .wordpiece import UNKNOWN, Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

VOCABULARY = "vocabulary.txt"
PIECES, STATIC, POSITIONS = 30_522, 256, 128  # pieces of BERT uncased, width of static vectors, tokens of a text


def home() -> Traversable:
    return files("hubbub").joinpath("data", "models", "encoder")


def arrays(name: str) -> dict[str, NDArray[Any]]:
    """The arrays of one file, checked against its schema."""
    try:
        found = read_npz(home().joinpath(name).read_bytes())
        SCHEMAS[name].check(found)
    except (BadArchive, Mismatch, OSError) as error:
        raise ModelError(str(home()), f"{name}: {error}") from error
    return found


SCHEMAS = {
    "lower.npz": Schema(half_fields()),
    "upper.npz": Schema(half_fields()),
    "static.npz": Schema({"numbers": Numbers("int8", (PIECES, STATIC)), "scale": Numbers("float32", (PIECES,), 0, 1)}),
    "table.npz": Schema(
        {
            "words": Numbers("int8", (PIECES, WIDTH)),
            "scale": Numbers("float32", (PIECES,), 0, 1),
            "positions": Numbers("float16", (POSITIONS, WIDTH), -100, 100),
            "weight": Numbers("float32", (WIDTH,), -100, 100),
            "bias": Numbers("float32", (WIDTH,), -100, 100),
        }
    ),
}


@cache
def tokenizer() -> Tokenizer:
    """The encoder's tokenizer with its 30,522 pieces."""
    try:
        pieces = home().joinpath(VOCABULARY).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(str(home()), f"{VOCABULARY}: {error}") from error
    if len(pieces) != PIECES or UNKNOWN not in pieces:
        raise ModelError(str(home()), f"{VOCABULARY} has {len(pieces)} pieces where {PIECES} are expected")
    return Tokenizer(pieces)


@cache
def table() -> dict[str, NDArray[Any]]:
    """The vectors of the pieces and of the places that the lower half starts from."""
    return arrays("table.npz")


def static_bytes() -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """One vector of 256 numbers for each piece: the encoder's vector of it alone, centred and reduced.

    As int8, with the scale of each vector.
    """
    stored = arrays("static.npz")
    return stored["numbers"], stored["scale"]


@cache
def static_vectors() -> NDArray[np.float32]:
    """The same vectors in float."""
    numbers, scale = static_bytes()
    vectors: NDArray[np.float32] = numbers * scale[:, None]
    vectors.setflags(write=False)
    return vectors
