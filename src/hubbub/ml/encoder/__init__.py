"""Words and sentences as vectors: the encoder that ships with the package, and what is made from it."""

from __future__ import annotations

from .files import static_bytes, static_vectors, table, tokenizer
from .half_encoder import Half
from .sentence_encoder import SentenceEncoder, encoder
from .synonyms import similar_words
from .wordpiece import Tokenizer

__all__ = [
    "Half",
    "SentenceEncoder",
    "Tokenizer",
    "encoder",
    "similar_words",
    "static_bytes",
    "static_vectors",
    "table",
    "tokenizer",
]
