"""An archive as other programs read it: JSON lines, Parquet, or a copy of the SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import NeedsExtra, OptionError, Unwritable
from ..jsonl import dump
from .sqlite import SqliteEngine
from .store import ArchiveStore

FORMATS = ("jsonl", "parquet", "sqlite")
ROWS_AT_ONCE = 20_000
COLUMNS = ("message", "channel", "network", "time", "clock", "author", "text", "kind", "conversation", "replies_to")


def export(
    archive: ArchiveStore, path: Path, format: str, *, pseudonyms: bool = False, map_file: str | Path | None = None
) -> int:
    """Writes all messages in order; returns how many there are.

    `pseudonyms` writes roles in place of names, and `map_file` keeps the names behind them.
    """
    if format not in FORMATS:
        raise OptionError("format", format, f"it is one of {', '.join(FORMATS)}")
    if path.exists():
        raise Unwritable(str(path), "already exists")
    try:
        with archive.snapshot():
            if pseudonyms:
                return _pseudonymised(archive, path, format, map_file)
            if format != "sqlite":
                return WRITERS[format](records(archive), path)
            _sqlite(archive, path)
            return archive.contents().messages
    except OSError as error:
        path.unlink(missing_ok=True)
        raise Unwritable(str(path), error.strerror or str(error)) from error


def _pseudonymised(archive: ArchiveStore, path: Path, format: str, map_file: str | Path | None) -> int:
    from .privacy.pseudonymised_copy import pseudonymise, write_map
    from .privacy.pseudonyms import Pseudonyms

    if format == "sqlite":
        return pseudonymise(archive, path, map_file).messages
    names = Pseudonyms(archive)
    count = WRITERS[format](names.records(records(archive)), path)
    if map_file:
        write_map(names, map_file)
    return count


def records(archive: ArchiveStore) -> Iterator[dict[str, Any]]:
    """Every message with its conversation and the messages that it replies to, channel by channel, in order."""
    query = (
        "select m.channel_id, m.ordinal, m.id, c.name, n.name, m.time, m.clock, m.author, m.text, m.kind, t.public_id"
        " from messages m join channels c on c.id = m.channel_id join networks n on n.id = c.network_id"
        " left join conversations t on t.id = m.conversation_id"
        " where m.channel_id > :channel or (m.channel_id = :channel and m.ordinal > :ordinal)"
        f" order by m.channel_id, m.ordinal limit {ROWS_AT_ONCE}"
    )
    channel = ordinal = -1
    while rows := archive.rows(query, channel=channel, ordinal=ordinal):
        ids = ",".join(str(row[2]) for row in rows)
        parents: dict[int, list[int]] = {}
        for message, parent in archive.rows(
            f"select distinct message_id, parent_id from replies where message_id in ({ids})"
            " and parent_id <> message_id order by message_id, parent_id"
        ):
            parents.setdefault(message, []).append(parent)
        for row in rows:
            yield dict(zip(COLUMNS, (*row[2:], parents.get(row[2], [])), strict=True))
        channel, ordinal = rows[-1][:2]


def _jsonl(rows: Iterable[dict[str, Any]], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for each in rows:
            file.write(f"{dump(each)}\n")
            count += 1
    return count


def _parquet(rows: Iterable[dict[str, Any]], path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise NeedsExtra("Writing Parquet", "parquet") from None
    texts = {name: pa.string() for name in COLUMNS} | {"message": pa.int64(), "replies_to": pa.list_(pa.int64())}
    schema = pa.schema([(name, texts[name]) for name in COLUMNS])
    with pq.ParquetWriter(path, schema) as writer:
        left, count = iter(rows), 0
        while part := list(islice(left, ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(part, schema))
            count += len(part)
    return count


WRITERS: dict[str, Callable[[Iterable[dict[str, Any]], Path], int]] = {"jsonl": _jsonl, "parquet": _parquet}


def _sqlite(archive: ArchiveStore, path: Path) -> None:
    """A copy that is consistent while others write; from PostgreSQL, row by row into a new file."""
    if isinstance(archive.engine, SqliteEngine):
        with closing(sqlite3.connect(path)) as copy:
            archive.engine.driver.backup(copy)
        return
    from .schema import metadata

    with ArchiveStore(path, create=True) as copy_store, copy_store.transaction() as engine:
        for table in metadata.sorted_tables:
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            copy_store.insert(table, archive.rows(f"select {names} from {table.name}"))
        engine.add_words(0)
