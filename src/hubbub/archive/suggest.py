"""Suggested replies: candidates from an archive or a list, ranked by a model of replies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..answer.predict import context_of, positions_until, ranked, reply_model
from ..chat import Chat
from ..errors import OptionError
from ..layers import Reply, ReplyGraph
from .answer_candidates import Finder
from .reply_candidates import from_archive
from .search import SearchFilters
from .store import ArchiveStore

if TYPE_CHECKING:
    from ..ml.registry import AnyModel


def suggest_replies(
    chat: Chat,
    position: int,
    replies: ReplyGraph,
    *,
    candidates: Sequence[str] | None = None,
    archive: str | Path | None = None,
    count: int = 5,
    filters: SearchFilters | None = None,
    model: str | Path | AnyModel | None = None,
) -> list[Reply]:
    """The replies that fit the conversation of the message at this position best, from a list or an archive."""
    if (candidates is None) == (archive is None):
        raise OptionError(
            "--in or --candidates", "is missing", "replies come from an archive or a file, one of the two"
        )
    positions = positions_until(chat, replies, position)
    if archive is None:
        offered = [Reply(text, 0.0) for text in candidates or ()]
    else:
        with ArchiveStore(archive) as opened:
            offered = from_archive(Finder(opened), chat, positions, filters)
    return ranked(reply_model(model), context_of(chat, positions), offered, count)
