"""Reading an archive page by page: channels, conversations, messages around a place, people.

Every query is bounded by a count and follows an index, so that a page of an archive of millions of messages takes as
long as one of thousands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import UnknownName
from ..titles import TITLE_MESSAGES, conversation_title
from .engine import listed
from .store import ArchiveStore, StoredMessage

SHOWN_PEOPLE = 20  # participants that a listing names


@dataclass(frozen=True, slots=True)
class StoredChannel:
    """A channel with the number of its messages that an archive gives it."""

    id: int
    name: str
    network: str


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A conversation in a listing; `participants` are its first authors, in order of appearance."""

    number: int
    id: str
    channel: StoredChannel
    title: str
    participants: tuple[str, ...]
    size: int
    people: int
    started: str | None
    ended: str | None
    first_ordinal: int


class ReplyLink(NamedTuple):
    """A link to an earlier message, with its probability and who found it (platform, model, given, human)."""

    parent: int
    probability: float
    source: str


@dataclass(frozen=True, slots=True)
class TimelineMessage:
    """A message with its place in the channel and the links that count for it."""

    stored: StoredMessage
    ordinal: int
    links: tuple[ReplyLink, ...]


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """Somebody with all names they have used, how much they wrote and when."""

    id: int
    name: str
    names: tuple[str, ...]
    messages: int
    first: str | None
    last: str | None


def channels(archive: ArchiveStore) -> list[StoredChannel]:
    rows = archive.rows(
        "select c.id, c.name, n.name from channels c join networks n on n.id = c.network_id order by c.name, n.name"
    )
    return [StoredChannel(*row) for row in rows]


def channel_by_id(archive: ArchiveStore, id: int) -> StoredChannel:
    rows = archive.rows(
        "select c.id, c.name, n.name from channels c join networks n on n.id = c.network_id where c.id = :id", id=id
    )
    if not rows:
        raise UnknownName("channel", str(id), [str(each.id) for each in channels(archive)])
    return StoredChannel(*rows[0])


_SUMMARY = (
    "select t.id, t.public_id, t.channel_id, t.size, t.people, t.started, t.ended, m.ordinal"
    " from conversations t join messages m on m.id = t.first_message"
)


def latest_conversations(
    archive: ArchiveStore, *, channel: int | None = None, before: int | None = None, count: int = 20, least: int = 1
) -> list[ConversationSummary]:
    """Conversations of at least `least` messages, the latest first; `before` is the number of the last one seen."""
    conditions = ["t.size >= :least"]
    values: dict[str, object] = {"least": least}
    if channel is not None:
        conditions.append("t.channel_id = :channel")
        values["channel"] = channel
    if before is not None:
        conditions.append("(coalesce(t.started, ''), t.id) < (select coalesce(b.started, ''), b.id"
                          " from conversations b where b.id = :before)")  # fmt: skip
        values["before"] = before
    rows = archive.rows(
        f"{_SUMMARY} where {' and '.join(conditions)}"
        f" order by coalesce(t.started, '') desc, t.id desc limit {int(count)}",
        **values,
    )
    return _summaries(archive, rows)


def summaries(archive: ArchiveStore, numbers: Iterable[int]) -> dict[int, ConversationSummary]:
    """Conversations by their numbers in the archive."""
    rows = archive.rows(f"{_SUMMARY} where t.id in ({listed(sorted(set(numbers)))})")
    return {each.number: each for each in _summaries(archive, rows)}


def conversations_of_person(archive: ArchiveStore, person: int, count: int = 20) -> list[ConversationSummary]:
    """The latest conversations in which somebody took part under any of their names."""
    names, network = _names(archive, person)
    values = {f"name{place}": name for place, name in enumerate(names)}
    # the latest messages of a person are found by their order; twenty messages a conversation are plenty
    rows = archive.rows(
        "select distinct conversation_id from (select m.conversation_id from messages m"
        " join channels c on c.id = m.channel_id where c.network_id = :network"
        f" and m.author in ({','.join(f':{key}' for key in values)}) and m.conversation_id is not null"
        f" order by m.id desc limit {int(count) * 20}) x",
        network=network,
        **values,
    )
    found = summaries(archive, [number for (number,) in rows])
    return sorted(found.values(), key=lambda each: (each.started or "", each.number), reverse=True)[:count]


def _summaries(archive: ArchiveStore, rows: Sequence[Sequence[object]]) -> list[ConversationSummary]:
    known = {each.id: each for each in channels(archive)}
    numbers = [int(str(row[0])) for row in rows]
    titles, people = _titles(archive, numbers), _participants(archive, numbers)
    return [
        ConversationSummary(
            number, str(row[1]), known[int(str(row[2]))], titles.get(number, ""), people.get(number, ()),
            *row[3:],  # type: ignore[arg-type]
        )
        for number, row in zip(numbers, rows, strict=True)
    ]  # fmt: skip


def _titles(archive: ArchiveStore, numbers: Sequence[int]) -> dict[int, str]:
    rows = archive.rows(
        "select conversation_id, author, text from (select conversation_id, author, text, ordinal, row_number() over"
        " (partition by conversation_id order by ordinal) as place from messages"
        f" where conversation_id in ({listed(numbers)}) and kind <> 'system') x"
        f" where place <= {TITLE_MESSAGES} order by conversation_id, ordinal"
    )
    said: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for number, author, text in rows:
        said[number].append((author, text))
    return {number: conversation_title(messages) for number, messages in said.items()}


def _participants(archive: ArchiveStore, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    rows = archive.rows(
        f"select conversation_id, author from messages where conversation_id in ({listed(numbers)})"
        " and kind <> 'system' group by conversation_id, author order by conversation_id, min(ordinal)"
    )
    found: dict[int, list[str]] = defaultdict(list)
    for number, author in rows:
        found[number].append(author)
    return {number: tuple(names[:SHOWN_PEOPLE]) for number, names in found.items()}


def timeline(
    archive: ArchiveStore, channel: int, *, after: int | None = None, before: int | None = None, count: int = 100
) -> list[TimelineMessage]:
    """Messages of a channel in order: those after a place, or before one, or the last ones."""
    values = {"channel": channel}
    condition, order = "", "desc"
    if after is not None:
        condition, order, values["place"] = " and m.ordinal >= :place", "asc", after
    elif before is not None:
        condition, values["place"] = " and m.ordinal < :place", before
    ids = archive.rows(
        f"select m.id, m.ordinal from messages m where m.channel_id = :channel{condition}"
        f" order by m.ordinal {order} limit {int(count)}",
        **values,
    )
    return _with_links(archive, sorted((tuple(row) for row in ids), key=lambda row: row[1]))


def conversation_messages(archive: ArchiveStore, number: int, count: int = 2_000) -> list[TimelineMessage]:
    """The first messages of a conversation in order."""
    rows = archive.rows(
        f"select id, ordinal from messages where conversation_id = :number order by ordinal limit {int(count)}",
        number=number,
    )
    return _with_links(archive, [tuple(row) for row in rows])


def _with_links(archive: ArchiveStore, rows: Sequence[tuple[int, int]]) -> list[TimelineMessage]:
    """The messages with those links that count: for each message those of its most trusted source."""
    from .conversations_from_links import RANKS

    ids = [id for id, _ in rows]
    links: dict[int, list[ReplyLink]] = defaultdict(list)
    for message, parent, probability, kind in archive.rows(
        "select r.message_id, r.parent_id, r.probability, s.kind from replies r join sources s on s.id = r.source_id"
        f" where r.message_id in ({listed(ids)}) order by r.message_id, r.parent_id"
    ):
        links[message].append(ReplyLink(parent, probability, kind))
    stored = archive.by_ids(ids)

    def counted(id: int) -> tuple[ReplyLink, ...]:
        best = max((RANKS[each.source] for each in links[id]), default=0)
        return tuple(each for each in links[id] if RANKS[each.source] == best)

    return [TimelineMessage(stored[id], ordinal, counted(id)) for id, ordinal in rows]


def ordinal_of_day(archive: ArchiveStore, channel: int, day: str) -> int | None:
    """The place of the first message of a channel on that day or later, as 2013-01-31."""
    rows = archive.rows(
        "select min(m.ordinal) from messages m join days d on d.id = m.day_id"
        " where m.channel_id = :channel and d.date = (select min(date) from days"
        " where channel_id = :channel and date >= :day)",
        channel=channel,
        day=day,
    )
    return None if rows[0][0] is None else int(rows[0][0])


def days_of_channel(archive: ArchiveStore, channel: int) -> list[tuple[str, int]]:
    """The dated days of a channel with how many messages each has."""
    rows = archive.rows(
        "select date, size from days where channel_id = :channel and date is not null order by date", channel=channel
    )
    return [(str(date), int(size)) for date, size in rows]


def person(archive: ArchiveStore, id: int) -> StoredPerson:
    names, network = _names(archive, id)
    values = {f"name{place}": name for place, name in enumerate(names)}
    ((count, first, last),) = archive.rows(
        "select count(*), min(m.time), max(m.time) from messages m join channels c on c.id = m.channel_id"
        " where c.network_id = :network and m.kind <> 'system'"
        f" and m.author in ({','.join(f':{key}' for key in values)})",
        network=network,
        **values,
    )
    ((name,),) = archive.rows("select name from people where id = :id", id=id)
    return StoredPerson(id, name, tuple(names), count, first, last)


def _names(archive: ArchiveStore, person: int) -> tuple[list[str], int]:
    rows = archive.rows("select name, network_id from identities where person_id = :id order by id", id=person)
    if not rows:
        raise UnknownName("person", str(person), ())
    return [name for name, _ in rows], int(rows[0][1])


def person_ids(archive: ArchiveStore, names: Iterable[str]) -> dict[str, int]:
    """Name -> person, for the authors of a page."""
    wanted = {f"name{place}": name for place, name in enumerate(sorted(set(names)))}
    if not wanted:
        return {}
    rows = archive.rows(
        f"select name, min(person_id) from identities where name in ({','.join(f':{key}' for key in wanted)})"
        " group by name",
        **wanted,
    )
    return {name: int(id) for name, id in rows}


def partners(archive: ArchiveStore, person: int, count: int = 10) -> list[tuple[str, int]]:
    """Whom somebody replies to most, and how often; of their latest 2,000 messages."""
    names, _ = _names(archive, person)
    values = {f"name{place}": name for place, name in enumerate(names)}
    listed_names = ",".join(f":{key}" for key in values)
    rows = archive.rows(
        "select p.author, count(*) from (select id from messages where kind <> 'system'"
        f" and author in ({listed_names}) order by id desc limit 2000) m"
        " join replies r on r.message_id = m.id join messages p on p.id = r.parent_id"
        f" where p.author not in ({listed_names}) and p.kind <> 'system'"
        f" group by p.author order by count(*) desc, p.author limit {int(count)}",
        **values,
    )
    return [(str(name), int(replies)) for name, replies in rows]


def busiest_people(archive: ArchiveStore, count: int = 100, channel: int | None = None) -> list[tuple[str, int]]:
    """Authors with how many messages they wrote, the busiest first."""
    condition = " and channel_id = :channel" if channel is not None else ""
    rows = archive.rows(
        f"select author, count(*) from messages where kind <> 'system'{condition}"
        f" group by author order by count(*) desc, author limit {int(count)}",
        **({"channel": channel} if channel is not None else {}),
    )
    return [(str(name), int(size)) for name, size in rows]
