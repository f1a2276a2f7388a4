"""Results that take longer than a page may: computed once in the background, and again when the archive has grown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..archive.store import ArchiveStore
from .archive_pool import ArchivePool

PATIENCE_SECONDS = 2.0  # that a page waits for a result; then it says that the result is being computed


class SlowResults:
    """Results by name. While a newer one is computed, the one before is shown."""

    def __init__(self, pool: ArchivePool) -> None:
        self._pool = pool
        self._known: dict[str, tuple[int, Any]] = {}
        self._running: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()

    def get(self, name: str, last: int, compute: Callable[[ArchiveStore], Any]) -> Any | None:
        """The result for an archive up to its message `last`; None while the first one is computed."""
        with self._lock:
            found = self._known.get(name)
            if found is not None and found[0] == last:
                return found[1]
            thread = self._running.get(name)
            if thread is None or not thread.is_alive():
                thread = threading.Thread(target=self._compute, args=(name, last, compute), daemon=True)
                self._running[name] = thread
                thread.start()
        if found is None:
            thread.join(PATIENCE_SECONDS)
            found = self._known.get(name)
        return found[1] if found is not None else None

    def _compute(self, name: str, last: int, compute: Callable[[ArchiveStore], Any]) -> None:
        with ArchiveStore(self._pool.location) as archive:  # without the time limit of pages
            result = compute(archive)
        with self._lock:
            self._known[name] = last, result
