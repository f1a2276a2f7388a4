"""Messages near a query in meaning, by the vectors of an archive."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from .query_grammar import SearchQuery
from .store import ArchiveStore
from .vectors import Vectors

if TYPE_CHECKING:
    from .vectors import Floats

LEAST_QUERY_WORDS = 2  # one word alone is looked up, not interpreted
LEAST_COSINE = 0.5  # on development days, 98 % of the right conversations had more than 0.55; nonsense reaches 0.52


class MeaningIndex:
    """The vectors of an archive, read at the first query that needs them and kept for more."""

    def __init__(self, archive: ArchiveStore) -> None:
        self._archive = archive

    @cached_property
    def vectors(self) -> Vectors:
        return Vectors.of(self._archive)

    @classmethod
    def of(cls, archive: ArchiveStore) -> Self | None:
        """None for an archive without vectors, or with messages that have none yet."""
        return cls(archive) if archive.covered() and archive.has_vectors() else None

    def is_useful(self, query: SearchQuery) -> bool:
        """Phrases, prefixes, groups and exclusions ask for exact text; only plain words are compared by meaning."""
        return len(query.words) >= LEAST_QUERY_WORDS and not query.required and not query.excluded

    def nearest(self, text: str, count: int) -> dict[int, float]:
        """Message -> cosine, of the nearest ones."""
        import numpy as np

        cosines = self.vectors.cosines(encode_query(text))
        best = np.argpartition(-cosines, count)[:count] if len(cosines) > count else np.arange(len(cosines))
        return {int(self.vectors.ids[place]): float(cosines[place]) for place in best if cosines[place] >= LEAST_COSINE}


def encode_query(text: str) -> Floats:
    from ..ml.encoder import encoder

    vector: Floats = encoder().encode([text])[0]
    return vector
