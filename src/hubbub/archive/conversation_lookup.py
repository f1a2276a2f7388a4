"""Conversations by their permanent ids, also after a split or a merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UnknownName
from .conversation_ids import PREFIX
from .store import ArchiveStore, StoredMessage

NEAREST = 10  # ids that an error names
SHORTEST_BEGINNING = 4  # characters; fewer are a mistake rather than an id


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """A conversation by its id. `moved` are ids of conversations to which messages of it went."""

    id: str
    chat: str
    messages: tuple[StoredMessage, ...]
    moved: tuple[str, ...] = ()


def find_conversation(archive: ArchiveStore, id: str) -> FoundConversation:
    """The conversation of that id; if there is none any more, the one that has its first message now.

    The beginning of an id is enough if no other id begins with it.
    """
    wanted = id.lower() if id.lower().startswith(PREFIX) else f"{PREFIX}{id.lower()}"
    with archive.snapshot():
        found = _places(archive, wanted)
        if not found:
            near = _beginning_with(archive, wanted)
            if len(near) != 1 or len(wanted) < len(PREFIX) + SHORTEST_BEGINNING:
                raise UnknownName("conversation", id, near or _beginning_with(archive, wanted[: len(PREFIX) + 2]))
            found = _places(archive, near[0])
        (number, current), others = found[0], found[1:]
        messages = tuple(archive.conversation(number))
    return FoundConversation(current, messages[0].chat, messages, tuple(other for _, other in others))


def _places(archive: ArchiveStore, id: str) -> list[tuple[int, str]]:
    """Number and id of the conversation, and of those that have messages of it now, in the order of its messages."""
    own = archive.rows("select id, public_id from conversations where public_id = :id", id=id)
    moved = archive.rows(
        "select t.id, t.public_id from redirects r join messages m on m.id = r.message_id"
        " join conversations t on t.id = m.conversation_id where r.old_id = :id"
        " group by t.id, t.public_id order by min(m.ordinal)",
        id=id,
    )
    return [(number, name) for number, name in [*own, *moved]]


def _beginning_with(archive: ArchiveStore, start: str) -> Sequence[str]:
    """Present and former ids; a whole archive would be too many."""
    rows = archive.rows(
        "select public_id from conversations where substr(public_id, 1, :length) = :start"
        " union select old_id from redirects where substr(old_id, 1, :length) = :start"
        f" order by 1 limit {NEAREST}",
        start=start,
        length=len(start),
    )
    return [name for (name,) in rows]
