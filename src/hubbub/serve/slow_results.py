"""Results that take longer than a page may: computed once in the background, and again when the archive has grown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..archive.store import ArchiveStore
from .archive_pool import ArchivePool

Revision = tuple[int, ...]

PATIENCE_SECONDS = 2.0  # that a page waits for a result; then it says that the result is being computed


class SlowResults:
    """Results by name. A result of an earlier revision is not shown: somebody may have been forgotten since."""

    def __init__(self, pool: ArchivePool) -> None:
        self._pool = pool
        self._known: dict[str, tuple[Revision, Any]] = {}
        self._running: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()

    def get(self, name: str, revision: Revision, compute: Callable[[ArchiveStore], Any]) -> Any | None:
        """The result for a revision of the archive; None while the first one is computed."""
        with self._lock:
            found = self._known.get(name)
            if found is not None and found[0] == revision:
                return found[1]
            thread = self._running.get(name)
            if thread is None or not thread.is_alive():
                thread = threading.Thread(target=self._compute, args=(name, revision, compute), daemon=True)
                self._running[name] = thread
                thread.start()
        thread.join(PATIENCE_SECONDS)
        found = self._known.get(name)
        return found[1] if found is not None and found[0] == revision else None

    def _compute(self, name: str, revision: Revision, compute: Callable[[ArchiveStore], Any]) -> None:
        with ArchiveStore(self._pool.location) as archive:  # without the time limit of pages
            result = compute(archive)
        with self._lock:
            self._known[name] = revision, result
