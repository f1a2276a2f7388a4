"""Conversations from links: components of the reply graph, with ids that survive when links change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import schema
from .conversation_ids import conversation_ids
from .day_batches import POSITIONS
from .engine import listed
from .store import ArchiveStore

RANKS = {"human": 3, "given": 2, "platform": 1, "model": 0}  # the links of the highest rank that a message has count
IDS_AT_ONCE = 20_000


class Member(NamedTuple):
    """A message as far as it matters for its conversation."""

    ordinal: int
    id: int
    conversation: int | None
    author: str
    kind: str
    time: str | None
    clock: str | None


def regroup(archive: ArchiveStore, channel: int, changed: set[int]) -> None:
    """Finds the conversations of messages whose links changed, and of all that they were or are linked with."""
    if not changed:
        return
    members = _reached(archive, changed)
    links = _links(archive, members)
    _store(archive, channel, members, _components(members, links))


def _reached(archive: ArchiveStore, changed: set[int]) -> dict[int, Member]:
    """The messages, those they are linked with, and the other messages of all their conversations."""
    members = _members(archive, "id", changed)
    linked = {
        parent
        for part in _parts(sorted(changed))
        for (parent,) in archive.rows(f"select distinct parent_id from replies where message_id in ({part})")
    }
    members |= _members(archive, "id", linked - members.keys())
    talks = {each.conversation for each in members.values() if each.conversation is not None}
    return members | _members(archive, "conversation_id", talks)


def _members(archive: ArchiveStore, column: str, values: Iterable[int]) -> dict[int, Member]:
    query = "select ordinal, id, conversation_id, author, kind, time, clock from messages"
    return {
        row[1]: Member(*row)
        for part in _parts(sorted(values))
        for row in archive.rows(f"{query} where {column} in ({part})")
    }


def _parts(ids: Sequence[int]) -> Iterable[str]:
    return (listed(ids[start : start + IDS_AT_ONCE]) for start in range(0, len(ids), IDS_AT_ONCE))


def _links(archive: ArchiveStore, members: Mapping[int, Member]) -> list[tuple[int, int]]:
    """The links that count: for each message those of its most trusted source."""
    best: dict[int, tuple[int, list[int]]] = {}
    query = "select r.message_id, r.parent_id, s.kind from replies r join sources s on s.id = r.source_id"
    for part in _parts(sorted(members)):
        for message, parent, kind in archive.rows(f"{query} where r.message_id in ({part})"):
            rank, parents = best.setdefault(message, (RANKS[kind], []))
            if RANKS[kind] > rank:
                best[message] = RANKS[kind], [parent]
            elif RANKS[kind] == rank:
                parents.append(parent)
    return [(message, parent) for message, (_, parents) in best.items() for parent in parents if parent in members]


def _components(members: Mapping[int, Member], links: Iterable[tuple[int, int]]) -> list[list[Member]]:
    """Groups of linked messages, each in order; system lines alone are none."""
    root = {id: id for id in members}

    def find(id: int) -> int:
        while root[id] != id:
            root[id] = root[root[id]]
            id = root[id]
        return id

    for one, other in links:
        root[find(one)] = find(other)
    groups: dict[int, list[Member]] = defaultdict(list)
    for each in sorted(members.values()):
        groups[find(each.id)].append(each)
    return [group for group in groups.values() if any(each.kind != "system" for each in group)]


def _store(
    archive: ArchiveStore, channel: int, members: Mapping[int, Member], groups: Sequence[Sequence[Member]]
) -> None:
    """A conversation keeps its number and id as long as its first message is the first one."""
    old = {row[0]: row for row in _conversations(archive, members)}
    by_first = {row[2]: row[0] for row in old.values()}
    kept = {by_first[group[0].id] for group in groups if group[0].id in by_first}
    names = _names(archive, channel, [group[0] for group in groups if group[0].id not in by_first])
    next_number = archive.next_id("conversations")
    new, same, assigned = [], [], []
    for group in groups:
        number = by_first.get(group[0].id)
        if number is None:
            number, next_number = next_number, next_number + 1
            new.append((number, names[group[0].id], channel, *_summary(group)))
        elif any(each.conversation != number for each in group) or len(group) != old[number][3]:
            same.append(dict(zip(SUMMARY, _summary(group), strict=True)) | {"id": number})
        assigned += [{"id": each.id, "talk": number} for each in group if each.conversation != number]
    grouped = {each.id for group in groups for each in group}
    alone = [{"id": id} for id, each in members.items() if id not in grouped and each.conversation is not None]
    archive.insert(schema.conversations, new)
    archive.execute_many("update messages set conversation_id = :talk where id = :id", assigned)
    archive.execute_many("update messages set conversation_id = null where id = :id", alone)
    changes = ", ".join(f"{name} = :{name}" for name in SUMMARY)
    archive.execute_many(f"update conversations set {changes} where id = :id", same)
    ids = {row[0]: row[1] for row in old.values()} | {row[0]: row[1] for row in new}
    left = [members[each["id"]] for each in assigned + alone]
    came = [{"id": each["id"], "name": ids[each["talk"]]} for each in assigned]
    archive.execute_many("delete from redirects where old_id = :name and message_id = :id", came)
    archive.insert(schema.redirects, [(ids[each.conversation], each.id) for each in left if each.conversation])
    for part in _parts(sorted(old.keys() - kept)):
        archive.engine.execute(f"delete from conversations where id in ({part})")


SUMMARY = ("first_message", "last_message", "size", "people", "started", "ended")


def _summary(group: Sequence[Member]) -> tuple[Any, ...]:
    people = {each.author for each in group if each.kind != "system"}
    times = [each.time for each in group if each.time]
    return group[0].id, group[-1].id, len(group), len(people), *((times[0], times[-1]) if times else (None, None))


def _conversations(archive: ArchiveStore, members: Mapping[int, Member]) -> list[Any]:
    numbers = sorted({each.conversation for each in members.values() if each.conversation is not None})
    query = "select id, public_id, first_message, size from conversations"
    return [row for part in _parts(numbers) for row in archive.rows(f"{query} where id in ({part})")]


def _names(archive: ArchiveStore, channel: int, firsts: Sequence[Member]) -> dict[int, str]:
    """First message -> the id of its conversation, which it had before if it started one before."""
    ((network, name),) = archive.rows(
        "select n.name, c.name from channels c join networks n on n.id = c.network_id where c.id = :of", of=channel
    )
    wanted = {
        first: conversation_ids(network, name, *key, occurrence)
        for first, (key, occurrence) in _occurrences(archive, channel, firsts).items()
    }
    found: dict[int, str] = {}
    owners: dict[str, int] = {}
    while wanted:  # nearly always once
        names = {first: next(ids) for first, ids in wanted.items()}
        owners |= _owners(archive, list(names.values()))
        for first, id in names.items():
            if owners.setdefault(id, first) == first:
                found[first] = id
                del wanted[first]
    return found


def _occurrences(
    archive: ArchiveStore, channel: int, firsts: Sequence[Member]
) -> dict[int, tuple[tuple[str, str, str], int]]:
    """First message -> its time, author and text, and how many messages before it on its day are equal in these."""
    wanted = {each.id for each in firsts}
    found = {}
    for day in sorted({each.ordinal // POSITIONS for each in firsts}):
        seen: Counter[tuple[str, str, str]] = Counter()
        for id, when, clock, author, text in archive.rows(
            "select id, time, clock, author, text from messages where channel_id = :of"
            " and ordinal >= :start and ordinal < :end order by ordinal",
            of=channel,
            start=day * POSITIONS,
            end=(day + 1) * POSITIONS,
        ):
            key = when or clock or "", author, text
            if id in wanted:
                found[id] = key, seen[key]
            seen[key] += 1
    return found


def _owners(archive: ArchiveStore, ids: Sequence[str]) -> dict[str, int]:
    """Which of these ids are or were in use, and the first message of the conversation."""
    owners: dict[str, int] = {}
    for start in range(0, len(ids), IDS_AT_ONCE):
        part = ",".join(f"'{id}'" for id in ids[start : start + IDS_AT_ONCE])  # letters and digits
        former = archive.rows(
            "select r.old_id, m.id from redirects r join messages m on m.id = r.message_id"
            f" where r.old_id in ({part}) order by m.ordinal desc"
        )
        present = archive.rows(f"select public_id, first_message from conversations where public_id in ({part})")
        owners |= dict(map(tuple, [*former, *present]))
    return owners


def refresh(archive: ArchiveStore, numbers: Collection[int]) -> None:
    """Conversations that lost messages keep their ids with new counts; those with system lines alone are removed."""
    groups: dict[int, list[Member]] = defaultdict(list)
    for each in sorted(_members(archive, "conversation_id", numbers).values()):
        if each.conversation is not None:
            groups[each.conversation].append(each)
    empty = {number for number in numbers if all(each.kind == "system" for each in groups.get(number, ()))}
    changes = ", ".join(f"{name} = :{name}" for name in SUMMARY)
    archive.execute_many(
        f"update conversations set {changes} where id = :id",
        [
            dict(zip(SUMMARY, _summary(group), strict=True)) | {"id": number}
            for number, group in groups.items()
            if number not in empty
        ],
    )
    for part in _parts(sorted(empty)):
        archive.engine.execute(f"update messages set conversation_id = null where conversation_id in ({part})")
        archive.engine.execute(f"delete from conversations where id in ({part})")
