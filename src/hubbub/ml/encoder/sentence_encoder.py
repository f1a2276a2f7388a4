"""The sentence encoder all-MiniLM-L6-v2: texts -> vectors, without torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .files import arrays, table, tokenizer
from .half_encoder import WIDTH, Half
from .wordpiece import Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MAX_PIECES = 128  # of a text, as the authors of the model trained it
BATCH_SIZE = 64  # texts run at once; bounds the memory of a batch
START_PIECE, END_PIECE = 101, 102  # [CLS] and [SEP]


class SentenceEncoder:
    """Two halves over a table of word pieces; a fine-tuned model brings an upper half of its own, or both."""

    def __init__(self, tokenizer: Tokenizer, table: Mapping[str, NDArray[Any]], lower: Half, upper: Half) -> None:
        self.tokenizer, self.table, self.lower, self.upper = tokenizer, table, lower, upper

    def ids(self, text: str) -> list[int]:
        """The pieces of a text between the marks of its start and its end."""
        return [START_PIECE, *self.tokenizer.ids(text, MAX_PIECES - 2), END_PIECE]

    def encode(self, texts: Sequence[str], upper: Half | None = None) -> Floats:
        """One vector a text, of length 1: the mean of its tokens, from this encoder or under another upper half."""
        return self.encode_ids([self.ids(text) for text in texts], upper)

    def encode_ids(self, ids: Sequence[Sequence[int]], upper: Half | None = None) -> Floats:
        return self.halves(ids, upper)[1]

    def halves(self, ids: Sequence[Sequence[int]], upper: Half | None = None) -> tuple[Floats, Floats]:
        """Two vectors a text, both of length 1: the mean of its tokens of the lower and of the upper half."""
        above = upper or self.upper
        vectors = np.zeros((2, len(ids), WIDTH), dtype=np.float32)
        for batch, hidden in self.lower_states(ids):
            for level, states in enumerate((hidden, above(hidden))):
                mean = states.mean(axis=1)
                vectors[level, batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors[0], vectors[1]

    def hidden(self, texts: Sequence[str]) -> list[Floats]:
        """What the lower half says of each text, a row a token: what an upper half is trained on."""
        found: dict[int, Floats] = {}
        for batch, hidden in self.lower_states([self.ids(text) for text in texts]):
            found |= dict(zip(batch, hidden, strict=True))
        return [found[i] for i in range(len(texts))]

    def lower_states(self, ids: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], Floats]]:
        """Batches of texts of the same length, so that none is padded, and their hidden states of the lower half."""
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        start = 0
        while start < len(order):
            length = len(ids[order[start]])
            batch = [i for i in order[start : start + BATCH_SIZE] if len(ids[i]) == length]
            yield batch, self.lower(embedded(self.table, np.array([ids[i] for i in batch])))
            start += len(batch)


def embedded(table: Mapping[str, NDArray[Any]], ids: NDArray[np.int64]) -> Floats:
    """What the lower half starts from: each piece and its position, normalised."""
    words = table["words"][ids] * table["scale"][ids][..., None]
    total = words + table["positions"][: ids.shape[1]].astype(np.float32)
    centred = total - total.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-12))
    normal: Floats = centred / deviation * table["weight"] + table["bias"]
    return normal


@cache
def encoder() -> SentenceEncoder:
    """The encoder that ships with the package, loaded once."""
    return SentenceEncoder(tokenizer(), table(), Half(arrays("lower.npz")), Half(arrays("upper.npz")))
