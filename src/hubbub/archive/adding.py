"""Messages into an archive, in batches of whole days, each batch with its conversations whole or not at all.

What the archive has already is found by aligning what is added with the same days of the channel. So the same log
again, a log that has grown, exports of other programs and days in any order add what is new, in its place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..chat import Message
from ..text import whole
from . import schema
from .alignment import Aligner, Side, with_neighbours
from .conversations_from_links import regroup
from .day_batches import DayBatch, Incoming, ThreadedMessage, batches, ordinal_of
from .day_order import StoredRow, merged_day
from .engine import listed
from .given_layers import GivenLayers
from .identities import add_identities
from .predicted_links import Threads
from .privacy.consent import ConsentGate
from .privacy.redaction import PLACEHOLDERS
from .store import ArchiveStore

if TYPE_CHECKING:
    from ..layers import Layers
    from ..read.reading import ChatStream
    from ..relays import Relays
    from ..thread.predict import ThreadPredictor

__all__ = ["ThreadedMessage", "add", "add_stream"]

SAMPLED = 60  # texts by which the day of an undated log is found again


def add(
    archive: ArchiveStore,
    name: str,
    format: str,
    said: Iterable[Message | ThreadedMessage],
    *,
    network: str = "",
    threader: ThreadPredictor | None = None,
    relays: Relays | None = None,
    layers: Layers | None = None,
    left_out: Counter[str] | None = None,
) -> Iterator[tuple[int, int]]:
    """Adds what the archive does not have yet; after each batch, how many messages passed and how many were new.

    Links come with the messages, or are predicted by `threader`. Mentions and intents are those of `layers`. `left_out`
    counts, by reason, what the rules of consent of the archive keep out.
    """
    gate = ConsentGate(archive, whole(name), left_out)
    if gate.is_closed:
        passed = sum(1 for _ in said)
        gate.count_channel(passed)
        yield passed, 0
        return
    with archive.transaction():
        channel = _channel(archive, whole(network), gate.channel, format)
    threads = Threads(archive, channel, threader) if threader else None
    adding = Adding(archive, channel, threads, relays, GivenLayers(layers) if layers else None, gate.redacted)
    for batch in batches(said):
        passed = len(batch.messages)
        with archive.transaction():
            batch.messages = gate.admitted(batch.messages)
            new = adding.write(batch) if batch.messages else 0
        yield passed, new


def add_stream(
    archive: ArchiveStore, stream: ChatStream, threader: ThreadPredictor, left_out: Counter[str] | None = None
) -> Iterator[tuple[int, int]]:
    """A chat as it is read, threaded on the way."""
    network = str(getattr(stream, "identity", "") or "")
    return add(
        archive,
        stream.name,
        stream.format,
        stream.messages,
        network=network,
        threader=threader,
        relays=stream.relays,
        left_out=left_out,
    )


def _channel(archive: ArchiveStore, network: str, name: str, format: str) -> int:
    known = archive.rows("select id from networks where name = :name", name=network)
    network_id = known[0][0] if known else archive.next_id("networks")
    if not known:
        archive.insert(schema.networks, [(network_id, network)])
    found = archive.rows("select id from channels where network_id = :of and name = :name", of=network_id, name=name)
    if found:
        return int(found[0][0])
    channel = archive.next_id("channels")
    archive.insert(schema.channels, [(channel, network_id, name, format)])
    return channel


@dataclass
class Adding:
    """One chat being added to one channel."""

    archive: ArchiveStore
    channel: int
    threads: Threads | None
    relays: Relays | None = None
    layers: GivenLayers | None = None
    redacted: Callable[[Sequence[str]], list[str]] = list  # stored texts as they would be stored now
    ids: dict[int, int] = field(default_factory=dict)  # number in what is added -> message, for links to come
    platform_ids: dict[str, int] = field(default_factory=dict)
    previous_day: int | None = None

    def write(self, batch: DayBatch) -> int:
        """Stores a batch with its conversations; returns how many messages were new."""
        days = self._days(batch)
        old = self._stored(batch, days)
        pairs, corrected = self._aligned(batch, old)
        first = self.archive.next_id("messages")
        placed = self._placed(batch, old, pairs, days)
        fresh = self._insert(batch, placed, first)
        changed = self._correct(batch, old, corrected)
        for i, j in pairs.items():
            self._remember(batch.messages[i], old[j].id)
        self.archive.engine.add_words(first)
        given = self._links(batch, pairs)
        touched = {days[each.date] for i, each in enumerate(batch.messages) if i not in pairs} | changed
        threaded = self.threads.update(touched) if self.threads else set()
        relayed = {(each.message.author, account) for each in fresh if (account := self._relay(each.number))}
        add_identities(self.archive, self.channel, [each.message for each in fresh], sorted(relayed))
        regroup(self.archive, self.channel, threaded | given | set(range(first, first + len(fresh))))
        if self.layers:
            ids = {each.number: self.ids[each.number] for each in batch.messages}
            self.layers.store(self.archive, self.channel, source(self.archive, "given"), ids)
        return len(fresh)

    def _days(self, batch: DayBatch) -> dict[str | None, int]:
        """Date -> the id of the day, made if it is not there; an undated day is found by what was said."""
        if not batch.is_dated:
            day = self._undated_day(batch)
            self.previous_day = day
            return {None: day}
        dates = list(dict.fromkeys(each.date for each in batch.messages))
        known = dict(
            self.archive.rows(
                "select date, id from days where channel_id = :of and date between :first and :last",
                of=self.channel,
                first=min(map(str, dates)),
                last=max(map(str, dates)),
            )
        )
        new = [date for date in dates if date not in known]
        start = self.archive.next_id("days")
        made = {date: start + place for place, date in enumerate(new)}
        self.archive.insert(schema.days, [(id, self.channel, date, None, 0, None) for date, id in made.items()])
        return {**{date: known[date] for date in dates if date in known}, **made}

    def _undated_day(self, batch: DayBatch) -> int:
        found = self._alike(batch)
        if found is None:
            found = self.archive.next_id("days")
            follows = self.previous_day if batch.is_continued else None
            self.archive.insert(schema.days, [(found, self.channel, None, follows, 0, None)])
        return found

    def _alike(self, batch: DayBatch) -> int | None:
        """The undated day of the channel that has most of the longest texts, if it has at least half of them.

        Short texts occur on every day.
        """
        texts = sorted({each.message.text for each in batch.messages}, key=lambda text: (-len(text), text))[:SAMPLED]
        values = {f"text{place}": text for place, text in enumerate(texts)}
        rows = self.archive.rows(
            "select m.day_id, m.text, m.author, m.clock from messages m join days d on d.id = m.day_id"
            f" where m.channel_id = :of and d.date is null and m.text in ({','.join(f':{name}' for name in values)})",
            of=self.channel,
            **values,
        )
        said = {(each.message.text, each.message.author, _clock(each.message)) for each in batch.messages}
        counts: dict[int, set[str]] = defaultdict(set)
        for day, text, author, clock in rows:
            if (text, author, clock or "") in said:
                counts[day].add(text)
        if not counts:
            return None
        best = max(counts, key=lambda day: (len(counts[day]), -day))
        size = self.archive.number("select count(*) from messages where day_id = :day", day=best)
        least = min(len(texts), size, SAMPLED)
        return best if 2 * len(counts[best]) >= least else None

    def _stored(self, batch: DayBatch, days: Mapping[str | None, int]) -> list[StoredRow]:
        """What the channel has of these days, and messages without a time at both edges that may belong to them."""
        rows = self._rows(f"day_id in ({listed(sorted(days.values()))})")
        if batch.is_dated:
            rows = [*self._edge(min(map(str, days)), rows, -1), *rows, *self._edge(max(map(str, days)), rows, 1, batch)]
        wanted = {_platform_id(each) for each in batch.messages} - {"", *(row.side.platform_id for row in rows)}
        elsewhere = sorted(wanted)
        for start in range(0, len(elsewhere), 5_000):
            values = {f"id{place}": id for place, id in enumerate(elsewhere[start : start + 5_000])}
            rows += self._rows(f"platform_id in ({','.join(f':{name}' for name in values)})", **values)
        return rows

    def _rows(self, condition: str, **values: Any) -> list[StoredRow]:
        found = self.archive.rows(
            "select id, day_id, ordinal, author, text, kind, time, clock, platform_id from messages"
            f" where channel_id = :of and {condition} order by ordinal",
            of=self.channel,
            **values,
        )
        return [
            StoredRow(
                id,
                day,
                ordinal,
                Side(
                    author,
                    text,
                    kind == "system",
                    _moment(when),
                    clock or "",
                    "" if name.isdecimal() and len(name) < 9 else name,
                ),
            )
            for id, day, ordinal, author, text, kind, when, clock, name in found
        ]

    def _edge(self, date: str, rows: Sequence[StoredRow], step: int, batch: DayBatch | None = None) -> list[StoredRow]:
        """Messages without a time between this day and the next stored one may have been stored with either."""
        order, sign = ("desc", "<") if step < 0 else ("asc", ">")
        near = self.archive.rows(
            f"select id, date from days where channel_id = :of and date {sign} :date order by date {order} limit 1",
            of=self.channel,
            date=date,
        )
        goes_on = batch is not None and near and batch.next_date == near[0][1]
        if not near or not (rows or goes_on):
            return []
        found = self._rows(f"day_id = {near[0][0]}")
        edge = []
        for row in reversed(found) if step < 0 else found:
            if row.side.when is not None:
                break
            edge.append(row)
        return edge[::step]

    def _aligned(self, batch: DayBatch, old: Sequence[StoredRow]) -> tuple[dict[int, int], list[tuple[int, int]]]:
        if not old:
            return {}, []
        new = with_neighbours([_side(each) for each in batch.messages])
        texts = self.redacted([row.side.text for row in old])
        stored = [row.side._replace(text=text) for row, text in zip(old, texts, strict=True)]
        aligner = Aligner(new, with_neighbours(stored))
        return dict(aligner.run()), aligner.corrected

    def _placed(
        self, batch: DayBatch, old: Sequence[StoredRow], pairs: Mapping[int, int], days: Mapping[str | None, int]
    ) -> dict[int, tuple[int, int]]:
        """Index in the batch -> (day, position) of each new message; stored ones after them move on."""
        inside = {day: [j for j, row in enumerate(old) if row.day == day] for day in days.values()}
        merged: dict[int, list[tuple[int, bool]]] = {}
        for date, day in days.items():
            merged[day] = merged_day(batch.messages, old, pairs, date, inside[day])
        placed: dict[int, tuple[int, int]] = {}
        moved: list[dict[str, Any]] = []
        for date, day in days.items():
            for position, (place, is_new) in enumerate(merged[day]):
                ordinal = ordinal_of(date, day, position)
                if is_new:
                    placed[place] = day, ordinal
                elif old[place].ordinal != ordinal:
                    moved.append({"id": old[place].id, "ordinal": ordinal})
        self.archive.execute_many("update messages set ordinal = :ordinal where id = :id", moved)
        return placed

    def _insert(self, batch: DayBatch, placed: Mapping[int, tuple[int, int]], first: int) -> list[Incoming]:
        fresh, rows, sizes = list[Incoming](), list[tuple[Any, ...]](), defaultdict[int, int](int)
        for place, (day, ordinal) in sorted(placed.items()):
            each = batch.messages[place]
            said, id = each.message, first + len(rows)
            when, clock = (moment.isoformat() if moment else None for moment in (said.time, said.clock))
            fresh.append(each)
            rows.append((id, self.channel, day, ordinal, said.id, when, clock, said.author, said.text, said.kind,
                         self._relay(each.number), False, None))  # fmt: skip
            sizes[day] += when is not None
            self._remember(each, id)
        self.archive.insert(schema.messages, rows)
        self.archive.execute_many(
            "update days set size = size + :more where id = :day",
            [{"day": day, "more": more} for day, more in sizes.items()],
        )
        return fresh

    def _remember(self, each: Incoming, id: int) -> None:
        self.ids[each.number] = id
        self.platform_ids[each.message.id] = id

    def _relay(self, index: int) -> str | None:
        relay = self.relays.get(index) if self.relays else None
        return whole(relay.author) if relay else None

    def _correct(self, batch: DayBatch, old: Sequence[StoredRow], corrected: Sequence[tuple[int, int]]) -> set[int]:
        """The text before a correction is kept as a version. Returns the days of what changed.

        A text from which somebody was removed stays as it is: an old export would bring them back.
        """
        changes = [
            (old[j], batch.messages[i].message.text)
            for i, j in corrected
            if old[j].side.text != batch.messages[i].message.text
            and not any(each in old[j].side.text for each in PLACEHOLDERS)
        ]
        if not changes:
            return set()
        ids, now = [row.id for row, _ in changes], datetime.now(UTC).isoformat(timespec="seconds")
        counts = dict(
            self.archive.rows(
                f"select message_id, count(*) from versions where message_id in ({listed(ids)}) group by message_id"
            )
        )
        self.archive.insert(
            schema.versions, [(row.id, counts.get(row.id, 0) + 1, row.side.text, "edit", now) for row, _ in changes]
        )
        self.archive.engine.remove_words(ids)
        self.archive.execute_many(
            "update messages set text = :text where id = :id", [{"id": row.id, "text": text} for row, text in changes]
        )
        self.archive.engine.renew_words(ids)
        waiting = {id for (id,) in self.archive.rows("select message_id from edited")}
        self.archive.insert(schema.edited, [(id,) for id in ids if id not in waiting])
        return {row.day for row, _ in changes}

    def _links(self, batch: DayBatch, pairs: Mapping[int, int]) -> set[int]:
        """Stores the links that came with the messages: those of the platform, and those that were given."""
        found: dict[tuple[int, int, int], float] = {}
        platform, given = 0, 0
        for each in batch.messages:
            id = self.ids[each.number]
            for name in each.message.reply_to:
                parent = self.platform_ids.get(name)
                if parent is not None and parent != id:
                    platform = platform or source(self.archive, "platform")
                    found[id, parent, platform] = 1.0
            if each.back is not None:
                given = given or source(self.archive, "given")
                for place, distance in enumerate(each.back):
                    parent = self.ids.get(each.number - distance)
                    if parent is not None and distance >= 0:
                        found[id, parent, given] = each.scores[place] if place < len(each.scores) else 1.0
        if pairs and found:
            ids = listed(sorted({key[0] for key in found}))
            known = self.archive.rows(
                f"select message_id, parent_id, source_id from replies where message_id in ({ids})"
            )
            for row in known:
                found.pop(tuple(row), None)
        self.archive.insert(schema.replies, [(*key, score) for key, score in found.items()])
        return {key[0] for key in found}


def source(archive: ArchiveStore, kind: str, name: str = "", version: str = "") -> int:
    """The id of a source of links, made if it is not there."""
    values = {"kind": kind, "name": name, "version": version}
    found = archive.rows("select id from sources where kind = :kind and name = :name and version = :version", **values)
    if found:
        return int(found[0][0])
    made = archive.next_id("sources")
    archive.insert(schema.sources, [(made, kind, name, version)])
    return made


def _side(each: Incoming) -> Side:
    said = each.message
    return Side(said.author, said.text, said.kind == "system", said.time, _clock(said), _platform_id(each))


def _clock(message: Message) -> str:
    return message.clock.isoformat() if message.clock else ""


def _platform_id(each: Incoming) -> str:
    """Readers number the messages of logs that have no ids; short numbers are no ids of a platform."""
    name = each.message.id
    return "" if name.isdecimal() and len(name) < 9 else name


def _moment(when: str | None) -> datetime | None:
    return datetime.fromisoformat(when) if when else None
