"""Messages taken out of an archive with all that belongs to them, so that what remains of conversations stays whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from . import schema
from .conversations_from_links import refresh
from .engine import listed
from .store import ArchiveStore
from .vectors import drop_vectors

AT_ONCE = 5_000  # messages; bounds the length of a statement
BELONGING = ("versions", "attachments", "mentions", "intents", "edited")  # tables of rows of one message


def remove_messages(archive: ArchiveStore, ids: Sequence[int]) -> None:
    """Inside a transaction. Replies to what is removed become replies to what that replied to."""
    if not ids:
        return
    gone = set(ids)
    talks, days = set[int](), set[int]()
    for part in _parts(ids):
        for talk, day in archive.rows(f"select distinct conversation_id, day_id from messages where id in ({part})"):
            days.add(day)
            talks |= {talk} - {None}
    _relink(archive, gone)
    drop_vectors(archive, gone)
    for part in _parts(ids):
        archive.engine.remove_words([int(id) for id in part.split(",")])
        archive.engine.execute(f"delete from replies where message_id in ({part})")
        archive.engine.execute(f"delete from replies where parent_id in ({part})")
        for table in BELONGING:
            archive.engine.execute(f"delete from {table} where message_id in ({part})")
        archive.engine.execute(f"delete from messages where id in ({part})")
    refresh(archive, talks)
    count_days(archive, days)


def count_days(archive: ArchiveStore, days: Collection[int]) -> None:
    """Counts the messages of days anew; in one pass, because messages have no index by day."""
    counts = dict(archive.rows("select day_id, count(*) from messages where time is not null group by day_id"))
    archive.execute_many(
        "update days set size = :size where id = :day",
        [{"day": day, "size": counts.get(day, 0)} for day in sorted(days)],
    )


def _relink(archive: ArchiveStore, gone: Collection[int]) -> None:
    """New links from replies to removed messages to the nearest messages above that stay.

    Where nothing above stays, the first of the replies takes the place of what is removed.
    """
    above: dict[int, set[int]] = {}
    children: dict[tuple[int, int], dict[int, float]] = {}
    for part in _parts(sorted(gone)):
        for message, parent in archive.rows(f"select message_id, parent_id from replies where message_id in ({part})"):
            above.setdefault(message, set()).update({parent} - {message})
        for message, parent, source, probability in archive.rows(
            f"select message_id, parent_id, source_id, probability from replies where parent_id in ({part})"
        ):
            if message not in gone:
                children.setdefault((message, source), {})[parent] = probability
    order = _ordinals(archive, {message for message, _ in children})
    heirs: dict[int, int] = {}
    new: dict[tuple[int, int, int], float] = {}
    for (message, source), parents in sorted(children.items(), key=lambda item: order[item[0][0]]):
        for parent, probability in parents.items():
            for target in _nearest(parent, gone, above):
                target = heirs.setdefault(target, message) if target in gone else target
                if target != message:
                    new[message, target, source] = probability
    _insert_new(archive, new)


def _nearest(start: int, gone: Collection[int], above: Mapping[int, Iterable[int]]) -> set[int]:
    """The messages above a removed one that stay, and removed ones with nothing above them."""
    found, seen, waiting = set[int](), {start}, [start]
    while waiting:
        each = waiting.pop()
        parents = set(above.get(each, ()))
        if each not in gone or not parents:
            found.add(each)
            continue
        waiting += parents - seen
        seen |= parents
    return found


def _ordinals(archive: ArchiveStore, ids: Collection[int]) -> dict[int, int]:
    return {
        id: ordinal
        for part in _parts(sorted(ids))
        for id, ordinal in archive.rows(f"select id, ordinal from messages where id in ({part})")
    }


def _insert_new(archive: ArchiveStore, links: dict[tuple[int, int, int], float]) -> None:
    for part in _parts(sorted({message for message, _, _ in links})):
        for row in archive.rows(f"select message_id, parent_id, source_id from replies where message_id in ({part})"):
            links.pop(tuple(row), None)
    rows: list[tuple[Any, ...]] = [(*key, probability) for key, probability in links.items()]
    archive.insert(schema.replies, rows)


def _parts(ids: Sequence[int]) -> Iterable[str]:
    return (listed(ids[start : start + AT_ONCE]) for start in range(0, len(ids), AT_ONCE))
