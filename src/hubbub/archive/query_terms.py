"""The words of a question that tell something, and the messages of an archive that have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING

from ..ml.bm25 import length_norm
from ..text import words
from .engine import listed
from .store import ArchiveStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

MOST_WORDS, COMMON_SHARE, FEW = 12, 0.04, 100
LOOKED_AT = 600


class TermMatches:
    """Which of some words each message up to the last has, a bit a word, and what each set of them is worth beside all
    words of the question; `missing` is the weight of those that nobody said.
    """

    def __init__(self, found: Sequence[tuple[str, float, Ids]], last: int, missing: float = 0.0) -> None:
        import numpy as np

        self.listed, self.last = [word for word, _, _ in found], last
        self._bits = np.zeros(last + 1, np.uint16)
        weights = np.zeros(1)
        for place, (_, weight, ids) in enumerate(found):
            self._bits[ids] |= np.uint16(1 << place)
            weights = np.concatenate([weights, weights + weight])
        self.weight = float(weights[-1]) + missing
        self.shares = weights / max(self.weight, 1e-9)

    def of(self, ids: Iterable[int]) -> list[int]:
        """Which of the words messages have; of one that has come since, nothing is known."""
        import numpy as np

        wanted = np.fromiter(ids, np.int64)
        found: list[int] = np.where(wanted <= self.last, self._bits[np.minimum(wanted, self.last)], 0).tolist()
        return found

    def share(self, found: Iterable[int]) -> float:
        """How much of the weight of all words those have that one message or another has."""
        union = 0
        for each in found:
            union |= each
        return float(self.shares[union])

    def nearest(self, archive: ArchiveStore, count: int, reachable: Ids | None) -> list[tuple[int, int]]:
        """(conversation, message) of what has the rarest and the most words, short ones before long ones (BM25).

        System lines are none; `reachable` are the only ones that count.
        """
        import numpy as np

        having = np.flatnonzero(self._bits)
        if reachable is not None:
            having = having[np.isin(having, reachable)]
        shares = self.shares[self._bits[having]]
        best = np.argsort(-shares, kind="stable")[:LOOKED_AT]
        worth: dict[int, float] = dict(zip(having[best].tolist(), shares[best].tolist(), strict=True))
        rows: list[tuple[int, int, int]] = archive.rows(
            f"select conversation_id, id, length(text) from messages where id in ({listed(list(worth))})"
            " and kind <> 'system' and conversation_id is not null"
        )
        mean = sum(row[2] for row in rows) / max(len(rows), 1)

        def score(row: tuple[int, int, int]) -> float:
            return worth[row[1]] / (1 + length_norm(row[2], mean))

        rows.sort(key=lambda row: (-score(row), row[1]))
        return [(talk, id) for talk, id, _ in rows[:count]]


def telling_words(archive: ArchiveStore, question: str) -> TermMatches:
    """The rarest words of a question. Those in many messages say little and are left out, if there are others."""
    last = archive.last()
    many = max(int(COMMON_SHARE * last), FEW)
    listed = list(dict.fromkeys(words(question)))
    counts = [(_count(archive, word, many + 1), word) for word in listed]
    few = sorted((count, word) for count, word in counts if 0 < count <= many)[:MOST_WORDS]
    if not few:
        few = sorted((_count(archive, word, last), word) for count, word in counts if count)[:2]
    missing = sum(log(1 + last) for count, _ in counts if not count)
    return TermMatches(
        [(word, log(1 + last / count), _having(archive, word, last)) for count, word in few], last, missing
    )


def _count(archive: ArchiveStore, word: str, limit: int) -> int:
    with archive.guarded():
        return archive.engine.count_word(word, limit)


def _having(archive: ArchiveStore, word: str, last: int) -> Ids:
    with archive.guarded():
        return archive.engine.ids_with_word(word, last)
