"""Texts as vectors without a network: the weighted sum of the static vectors of their word pieces, projected.

Weights and projection are trained so that messages of one conversation are near each other and that similarities agree
with those of the sentence encoder, which takes some fifty times as long. O(length of the text).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ml.encoder import static_bytes, tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MAX_PIECES = 64  # of a text; what follows in a longer one is mostly pasted
AT_ONCE = 128  # texts; some 2 MB, which stay in the cache of the processor


class StaticEncoder:
    """`weights` has a number for each word piece, `projection` a column for each number of a vector."""

    def __init__(self, weights: Floats, projection: Floats) -> None:
        self._numbers, scales = static_bytes()
        self._scales, self._projection = (scales * weights)[:, None], projection

    def encode(self, texts: Sequence[str]) -> Floats:
        """One vector a text, of length 1; zeros for a text without word pieces."""
        import numpy as np

        vectors = np.zeros((len(texts), self._projection.shape[1]), np.float32)
        for start in range(0, len(texts), AT_ONCE):
            vectors[start : start + AT_ONCE] = self._sums(texts[start : start + AT_ONCE]) @ self._projection
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors

    def _sums(self, texts: Sequence[str]) -> Floats:
        import numpy as np

        pieces = [tokenizer().ids(text, MAX_PIECES) for text in texts]
        sums = np.zeros((len(texts), self._projection.shape[0]), np.float32)
        filled = [place for place, ids in enumerate(pieces) if ids]
        if filled:
            flat = np.concatenate([pieces[place] for place in filled])
            starts = np.cumsum([0, *(len(pieces[place]) for place in filled[:-1])])
            sums[filled] = np.add.reduceat(self._numbers[flat] * self._scales[flat], starts, axis=0)
        return sums
