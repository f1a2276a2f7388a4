"""Questions of an archive that got no reply, or no resolution."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from ..search import SearchFilters
from ..store import ArchiveStore
from .question_threads import UNANSWERED, Outcome, QuestionThread, question_threads


def unanswered(
    archive: ArchiveStore,
    count: int = 20,
    filters: SearchFilters | None = None,
    outcomes: Collection[Outcome] = UNANSWERED,
) -> list[QuestionThread]:
    """The newest of them first. Reading stops when there are enough."""
    found = (thread for thread in question_threads(archive, filters) if thread.outcome in outcomes)
    return list(islice(found, count))
