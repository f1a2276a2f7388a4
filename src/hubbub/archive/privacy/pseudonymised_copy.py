"""A copy of an archive in which nobody has a name: the same conversations and links, other authors and texts.

Not copied are people with their names, mentions, vectors (they are computed from the texts before), old ids, and system
lines outside conversations: joins and quits say who was there and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import Unwritable
from ...jsonl import dump
from ...output_files import placed_file
from ...text import plural
from .. import schema
from ..engine import located
from ..removal import count_days
from ..store import ArchiveStore
from .pseudonyms import NAMES, ROWS_AT_ONCE, Pseudonyms

OWNER_ONLY = 0o600  # permissions of a map


@dataclass(frozen=True, slots=True)
class PseudonymReport:
    """How many messages and conversations were copied, what was replaced by kind, and system lines left out."""

    messages: int
    conversations: int
    system_lines: int
    replaced: Mapping[str, int]

    def described(self) -> list[str]:
        kinds = sorted(self.replaced, key=lambda kind: (kind != NAMES, kind))
        counts = ", ".join(f"{kind} {self.replaced[kind]:,}" for kind in kinds) or "nothing"
        return [
            f"{plural(self.messages, 'message')}, {plural(self.conversations, 'conversation')}",
            f"replaced in texts: {counts}",
            f"left out: {plural(self.system_lines, 'system line')} outside conversations",
        ]


def pseudonymise(archive: ArchiveStore, out: str | Path, map_file: str | Path | None = None) -> PseudonymReport:
    """Writes the copy to a new archive, and the names behind the roles to `map_file`, if one is given."""
    place = located(out)
    if isinstance(place, Path) and place.exists():
        raise Unwritable(str(out), "already exists")
    pseudonyms = Pseudonyms(archive)
    try:
        with ArchiveStore(out, create=True) as copy:
            if copy.channel_names():
                raise Unwritable(copy.location, "the archive is not empty")
            with copy.transaction() as engine:
                _copy(archive, copy, pseudonyms)
                engine.add_words(0)
            held = copy.contents()
    except BaseException:
        if isinstance(place, Path):
            for ending in ("", "-wal", "-shm"):
                Path(f"{place}{ending}").unlink(missing_ok=True)
        raise
    if map_file:
        write_map(pseudonyms, map_file)
    lost = archive.contents().messages - held.messages
    return PseudonymReport(held.messages, held.conversations, lost, dict(pseudonyms.replaced))


def write_map(pseudonyms: Pseudonyms, file: str | Path) -> None:
    """One conversation a line; only the owner may read it."""
    with placed_file(str(file)) as out:
        os.fchmod(out.fileno(), OWNER_ONLY)
        out.writelines(f"{dump(each)}\n" for each in pseudonyms.map_records())


def _copy(archive: ArchiveStore, copy: ArchiveStore, pseudonyms: Pseudonyms) -> None:
    for table in (schema.networks, schema.sources):
        copy.insert(table, archive.rows(f"select * from {table.name} order by id"))
    copy.insert(schema.channels, _channels(archive, pseudonyms))
    copy.insert(schema.days, archive.rows("select id, channel_id, date, follows, size, unit from days order by id"))
    rows = archive.rows("select * from conversations order by id")
    copy.insert(schema.conversations, ((row[0], pseudonyms.ids[row[1]], *row[2:]) for row in rows))
    copy.insert(schema.messages, _messages(archive, pseudonyms))
    kept = "select id from messages where conversation_id is not null"
    copy.insert(schema.versions, _versions(archive, pseudonyms))
    copy.insert(schema.attachments, _attachments(archive, kept))
    query = (  # joins, because two lists of ids would be compared each with each
        "select r.message_id, r.parent_id, r.source_id, r.probability from replies r"
        " join messages m on m.id = r.message_id join messages p on p.id = r.parent_id"
        " where m.conversation_id is not null and p.conversation_id is not null"
    )
    copy.insert(schema.replies, archive.rows(query))
    copy.insert(schema.intents, archive.rows(f"select * from intents where message_id in ({kept})"))
    count_days(copy, [row[0] for row in archive.rows("select id from days")])


def _channels(archive: ArchiveStore, pseudonyms: Pseudonyms) -> Iterator[tuple[Any, ...]]:
    """Channels that are named after people get numbers."""
    for id, network, name, format in archive.rows("select id, network_id, name, format from channels order by id"):
        shown = pseudonyms.channel(name)
        yield id, network, shown if shown == name else f"{shown} {id}", format


def _messages(archive: ArchiveStore, pseudonyms: Pseudonyms) -> Iterator[tuple[Any, ...]]:
    query = (
        "select m.id, m.channel_id, m.day_id, m.ordinal, m.time, m.clock, m.author, m.text, m.kind, m.is_deleted,"
        " m.conversation_id, t.public_id from messages m join conversations t on t.id = m.conversation_id"
        f" where m.id > :last order by m.id limit {ROWS_AT_ONCE}"
    )
    last = 0
    while rows := archive.rows(query, last=last):
        for id, channel, day, ordinal, when, clock, author, text, kind, is_deleted, number, talk in rows:
            role, words = pseudonyms.author(talk, author), pseudonyms.text(talk, text)
            yield (id, channel, day, ordinal, str(id), when, clock, role, words, kind, None, bool(is_deleted), number)
        last = rows[-1][0]


def _versions(archive: ArchiveStore, pseudonyms: Pseudonyms) -> Iterator[tuple[Any, ...]]:
    query = (
        "select v.message_id, v.number, v.text, v.change, v.recorded, t.public_id from versions v join messages m"
        " on m.id = v.message_id join conversations t on t.id = m.conversation_id order by v.message_id, v.number"
    )
    for id, number, text, change, recorded, talk in archive.rows(query):
        yield id, number, pseudonyms.text(talk, text), change, recorded


def _attachments(archive: ArchiveStore, kept: str) -> Iterator[tuple[Any, ...]]:
    """Names of files may say anything; what kind of file it is stays."""
    for id, number, name in archive.rows(f"select * from attachments where message_id in ({kept})"):
        yield id, number, f"attachment {number}{PurePosixPath(name).suffix}"
