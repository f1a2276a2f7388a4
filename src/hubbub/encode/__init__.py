"""Words and sentences as vectors: the encoder that ships with the package, and what is made from it."""

from __future__ import annotations

from .encoder import Encoder, encoder
from .files import static_bytes, static_vectors, table, tokenizer
from .half import Half
from .wordpiece import Tokenizer
from .words import like_words

__all__ = [
    "Encoder",
    "Half",
    "Tokenizer",
    "encoder",
    "like_words",
    "static_bytes",
    "static_vectors",
    "table",
    "tokenizer",
]
