"""Conversations by their permanent ids, also after a split or a merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UnknownName
from .conversation_ids import PREFIX
from .store import ArchiveStore, StoredMessage

MAX_STEPS = 100  # redirects that are followed; a cycle ends
NEAREST = 10  # ids that an error names


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """A conversation by its id. `moved` are ids of conversations to which messages of it went."""

    id: str
    chat: str
    messages: tuple[StoredMessage, ...]
    moved: tuple[str, ...] = ()


def find_conversation(archive: ArchiveStore, id: str) -> FoundConversation:
    """The conversation of that id; of one that is gone, the one to which most of its messages went."""
    wanted = id.lower() if id.lower().startswith(PREFIX) else f"{PREFIX}{id.lower()}"
    current, moved = wanted, _targets(archive, wanted)
    seen = {current}
    while (number := _number(archive, current)) is None:
        following = [each for each in _targets(archive, current) if each not in seen]
        if not following or len(seen) > MAX_STEPS:
            raise UnknownName("conversation", id, _near(archive, wanted))
        current = following[0]
        seen.add(current)
    messages = tuple(archive.conversation(number))
    return FoundConversation(current, messages[0].chat, messages, tuple(each for each in moved if each != current))


def _number(archive: ArchiveStore, id: str) -> int | None:
    rows = archive.rows("select id from conversations where public_id = :id", id=id)
    return int(rows[0][0]) if rows else None


def _targets(archive: ArchiveStore, id: str) -> list[str]:
    rows = archive.rows("select new_id from redirects where old_id = :id order by messages desc, new_id", id=id)
    return [new for (new,) in rows]


def _near(archive: ArchiveStore, id: str) -> Sequence[str]:
    """Ids that begin alike; a whole archive would be too many."""
    rows = archive.rows(
        f"select public_id from conversations where public_id like :start order by public_id limit {NEAREST}",
        start=f"{id[: len(PREFIX) + 2].replace('%', '').replace('_', '')}%",
    )
    return [name for (name,) in rows]
