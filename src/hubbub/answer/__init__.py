"""The room of answers: a context in, ranked replies out, learnt from dialogues that people really had.

`hubbub.answer(chat, ...)` runs `answer`, `hubbub.ask(question, archive)` runs `ask`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .._rooms import callable_room
from ..chat import Chat
from ..errors import OptionError
from ..layers import Reply, ReplyGraph

if TYPE_CHECKING:
    from ..model import AnyModel
    from .asking import Past
    from .searching import Filters

__all__ = ["answer", "ask"]


def ask(
    question: str,
    archive: str | Path,
    *,
    count: int = 5,
    threshold: float | None = None,
    filters: Filters | None = None,
) -> list[Past]:
    """What people once answered to such a question, the likeliest first, each inside its conversation.

    An answer that is less likely right than the threshold is left out. Whoever asks often keeps an `asking.Asking`,
    which reads the archive once.
    """
    from .archive import Archive
    from .asking import Asking
    from .judging import THRESHOLD

    with Archive(Path(archive)) as opened:
        return Asking(opened).ask(question, count, THRESHOLD if threshold is None else threshold, filters)


def answer(
    chat: Chat,
    at: int,
    replies: ReplyGraph,
    *,
    candidates: Sequence[str] | None = None,
    archive: str | Path | None = None,
    count: int = 5,
    filters: Filters | None = None,
    model: str | Path | AnyModel | None = None,
) -> list[Reply]:
    """The replies that fit best to the conversation of the message at that position, from a list or an archive."""
    from .archive import Archive
    from .finding import Finder
    from .replying import context_of, from_archive, positions_until, ranked, reply_model

    if (candidates is None) == (archive is None):
        raise OptionError(
            "--in or --candidates", "is missing", "replies come from an archive or a file, one of the two"
        )
    positions = positions_until(chat, replies, at)
    if archive is None:
        offered = [Reply(text, 0.0) for text in candidates or ()]
    else:
        with Archive(Path(archive)) as opened:
            offered = from_archive(Finder(opened), chat, positions, filters)
    return ranked(reply_model(model), context_of(chat, positions), offered, count)


callable_room(__name__)
