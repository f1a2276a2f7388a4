"""Open archives for the threads of a server: each request has one to itself, and queries end in time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi import Request

from ..archive.ask import QuestionAnswerer
from ..archive.store import ArchiveStore

MAX_ID = (1 << 31) - 1  # the largest integer of PostgreSQL's ids
MAX_SECONDS = 5.0  # of one query; a slow one ends with status 503


class ArchivePool:
    """Read-only connections to one archive, opened as requests need them and used again."""

    def __init__(self, location: str | Path, max_seconds: float = MAX_SECONDS) -> None:
        self.location, self.max_seconds = location, max_seconds
        self._free: list[ArchiveStore] = []
        self._lock = threading.Lock()
        self._answerers: dict[int, tuple[tuple[int, ...], QuestionAnswerer]] = {}
        self._is_closed = False

    @contextmanager
    def archive(self) -> Iterator[ArchiveStore]:
        with self._lock:
            store = self._free.pop() if self._free else None
        if store is None:
            store = ArchiveStore(self.location)
            store.engine.limit_time(self.max_seconds)
        try:
            yield store
        except BaseException:
            self._answerers.pop(id(store), None)
            store.close()  # a connection that failed is not used again
            raise
        with self._lock:
            if not self._is_closed:
                self._free.append(store)
                return
        store.close()

    def answerer(self, store: ArchiveStore) -> QuestionAnswerer:
        """What answers questions from this connection; it is made again when the archive has changed."""
        revision = store.revision()
        known = self._answerers.get(id(store))
        if known is None or known[0] != revision:
            known = self._answerers[id(store)] = revision, QuestionAnswerer(store, partial=True)
        return known[1]

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            free, self._free = self._free, []
        self._answerers.clear()
        for store in free:
            store.close()


def pool_of(request: Request) -> ArchivePool:
    """The pool of the site that a request came to."""
    pool: ArchivePool = request.app.state.pool
    return pool
