"""Looking after an archive: what it holds, whether it is sound, removing a channel, threading it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ArchiveError, UnknownName
from .conversations_from_links import regroup
from .engine import listed
from .predicted_links import Threads
from .store import ArchiveStore, message_of
from .vectors import drop_vectors

if TYPE_CHECKING:
    from ..ml.registry import AnyModel

REMOVED_AT_ONCE = 5_000  # messages
TIMES_AT_ONCE = 50_000  # messages


@dataclass(frozen=True, slots=True)
class ChannelInfo:
    """A channel of an archive in numbers; times are None where nothing is dated."""

    name: str
    network: str
    format: str
    messages: int
    people: int
    conversations: int
    first: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    """A conversation in a listing."""

    id: str
    chat: str
    started: str | None
    size: int
    people: int
    text: str


def channel_infos(archive: ArchiveStore) -> list[ChannelInfo]:
    """Every channel, by name."""
    rows = archive.rows(
        "select c.name, n.name, c.format, count(m.id), count(distinct case when m.kind <> 'system' then m.author end),"
        " count(distinct m.conversation_id), min(m.time), max(m.time) from channels c"
        " join networks n on n.id = c.network_id left join messages m on m.channel_id = c.id"
        " group by c.id, c.name, n.name, c.format order by c.name, n.name"
    )
    return [ChannelInfo(*row) for row in rows]


def conversation_infos(archive: ArchiveStore, channel: str = "", count: int = 20) -> list[ConversationInfo]:
    """The latest conversations, of one channel if it is named."""
    if channel:
        channel_id(archive, channel)
    rows = archive.rows(
        "select t.public_id, c.name, t.started, t.size, t.people, m.text from conversations t"
        " join channels c on c.id = t.channel_id join messages m on m.id = t.first_message"
        f"{' where lower(c.name) = lower(:channel)' if channel else ''}"
        f" order by t.started is null, t.started desc, t.id desc limit {int(count)}",
        **({"channel": channel} if channel else {}),
    )
    if not all(isinstance(row[place], int) for row in rows for place in (3, 4)):
        raise ArchiveError(archive.location, "it is damaged: a size is no number")
    return [ConversationInfo(*row) for row in rows]


def channel_id(archive: ArchiveStore, name: str) -> int:
    rows = archive.rows("select id from channels where lower(name) = lower(:name) order by id", name=name)
    if not rows:
        raise UnknownName("channel", name, archive.channel_names())
    return int(rows[0][0])


def remove_channel(archive: ArchiveStore, name: str) -> int:
    """Removes a channel with all that belongs to it; returns how many messages that were."""
    channel = channel_id(archive, name)
    with archive.transaction() as engine:
        ids = [id for (id,) in archive.rows("select id from messages where channel_id = :of order by id", of=channel)]
        for start in range(0, len(ids), REMOVED_AT_ONCE):
            part = ids[start : start + REMOVED_AT_ONCE]
            engine.remove_words(part)
            for table in ("replies", "redirects", "versions", "attachments", "mentions", "intents", "edited"):
                engine.execute(f"delete from {table} where message_id in ({listed(part)})")
        engine.execute("update days set follows = null where channel_id = :of", of=channel)
        for table in ("messages", "conversations", "days"):
            engine.execute(f"delete from {table} where channel_id = :of", of=channel)
        engine.execute("delete from channels where id = :of", of=channel)
        engine.execute("delete from networks where id not in (select network_id from channels)"
                       " and id not in (select network_id from identities)")  # fmt: skip
        drop_vectors(archive, ids)
    return len(ids)


CHECKS = {
    "messages whose day is of another channel": "select count(*) from messages m join days d on d.id = m.day_id"
    " where d.channel_id <> m.channel_id",
    "messages at the same place of a channel": "select count(*) from (select 1 from messages"
    " group by channel_id, ordinal having count(*) > 1) x",
    "messages of people without a conversation": "select count(*) from messages where conversation_id is null"
    " and kind <> 'system'",
    "conversations without messages": "select count(*) from conversations t where not exists"
    " (select 1 from messages m where m.conversation_id = t.id)",
    "conversations with a wrong size": "select count(*) from conversations t where t.size <>"
    " (select count(*) from messages m where m.conversation_id = t.id)",
    "conversations whose first message is elsewhere": "select count(*) from conversations t left join messages m"
    " on m.id = t.first_message where m.conversation_id is null or m.conversation_id <> t.id",
    "days with a wrong count": "select count(*) from days d where d.size <>"
    " (select count(*) from messages m where m.day_id = d.id and m.time is not null)",
    "identities without a person": "select count(*) from identities i where not exists"
    " (select 1 from people p where p.id = i.person_id)",
}


def check(archive: ArchiveStore) -> list[str]:
    """What is wrong with an archive, as sentences; none if it is sound."""
    with archive.guarded():
        found = archive.engine.problems()
    if found:
        return found  # nothing that is counted in a damaged file can be relied on
    for what, query in CHECKS.items():
        if count := archive.number(query):
            found.append(f"{what}: {count:,}")
    if count := _unreadable_times(archive):
        found.append(f"messages whose time cannot be read: {count:,}")
    if count := sum(not _is_date(day) for (day,) in archive.rows("select date from days where date is not null")):
        found.append(f"days whose date cannot be read: {count:,}")
    return found


def _is_date(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


def _unreadable_times(archive: ArchiveStore) -> int:
    count, last = 0, -1
    query = f"select id, time, clock from messages where id > :last order by id limit {TIMES_AT_ONCE}"
    while rows := archive.rows(query, last=last):
        for _, when, clock in rows:
            try:
                message_of("", when, clock, "", "", "")
            except ValueError:
                count += 1
        last = rows[-1][0]
    return count


def vacuum(archive: ArchiveStore) -> tuple[int, int]:
    """Gives unused space back; returns the size in bytes before and after."""
    with archive.guarded():
        before = archive.engine.size()
        archive.engine.vacuum()
        return before, archive.engine.size()


def rethread(archive: ArchiveStore, model: str | Path | AnyModel | None = None) -> Iterator[tuple[str, int]]:
    """Predicts all links anew; after each channel, its name and how many messages it has. Ids stay, or redirect."""
    from ..pipeline import Pipeline

    threader = Pipeline(True if model is None else model).threader()
    for channel, name in archive.rows("select id, name from channels order by id"):
        with archive.transaction():
            threads = Threads(archive, channel, threader)
            done = threads.update(threads.all_days())
            regroup(archive, channel, done)
        yield name, len(done)
