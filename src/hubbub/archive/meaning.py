"""Messages near a query in meaning, by the vectors of an archive."""

from __future__ import annotations

from functools import cached_property
from typing import Self

from .confidence import static_encoder
from .engine import listed
from .query_grammar import SearchQuery
from .store import ArchiveStore
from .vectors import Vectors

LEAST_QUERY_WORDS = 2  # one word alone is looked up, not interpreted
LEAST_COSINE = 0.55  # of static vectors; neighbours below it seldom share a topic, and nonsense reaches it seldom


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
        """Message -> cosine of its static vector and that of a text, of the nearest ones."""
        encode = static_encoder().encode
        vector = encode([text])[0]
        ids = self.vectors.nearest(vector, count).tolist()
        rows = self._archive.rows(f"select id, text from messages where id in ({listed(ids)})")
        cosines = (encode([row[1] for row in rows]) @ vector).tolist() if rows else []
        return {row[0]: cosine for row, cosine in zip(rows, cosines, strict=True) if cosine >= LEAST_COSINE}
