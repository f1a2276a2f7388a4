"""The database of slackdump: SQLite, a table of channels, one of people and one of messages, each row with its JSON.

The file is untrusted: it is opened read-only, nothing of its schema is run but reads of plain tables, and what SQLite
finds wrong with it is said in a sentence.
"""

from __future__ import annotations

import io
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from ....errors import Broken, WrongFormat
from ...assembly.chat_streams import CHAT_LIST, PEOPLE
from ...input.decompression import guard
from ...input.source import Source
from ...parsing.json_document import mapping, parse_json, string
from ...report import Report
from .names import learn, shown_name
from .records import Channel
from .rendering import WorkspaceNames

COMPANIONS = ("-wal", "-shm", "-journal")
EARLIER = "an earlier copy of a message"
_MAGIC = b"SQLite format 3\0"
_TABLES = ("MESSAGE", "CHANNEL", "S_USER")
_OWN = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[\"'`\[]?S_USER", re.IGNORECASE)
_LONGEST = 1 << 27  # bytes of one row: no message comes near it, and a damaged length must not take all memory


def is_one(head: bytes) -> bool:
    return head.startswith(_MAGIC) and bool(_OWN.search(head))


def is_named(member: str) -> bool:
    return member.endswith((".sqlite", ".sqlite3", ".db"))


def read(source: Source, names: WorkspaceNames, strays: Report) -> tuple[list[Channel], WorkspaceNames]:
    """The channels of a database and the names with those that it has; its other rows are noted in `strays`."""
    with _opened(source) as base:
        people, channel_names = dict(names.people), dict(names.channels)
        team = _team(base)
        for number, _, record in _rows(base, source, "S_USER", strays, PEOPLE):
            learn(people, mapping(_json(record, source, number)))
        known = WorkspaceNames(people, channel_names)
        channels: dict[str, Channel] = {}
        for number, id, record in _rows(base, source, "CHANNEL", strays, CHAT_LIST):
            fields = mapping(_json(record, source, number))
            learn(channel_names, fields)
            channels[id] = _channel(id, team, fields, known)
        _fill(channels, base, source, team, strays)
        return [channel for channel in channels.values() if channel.records], known


def _channel(id: str, team: str, fields: dict[str, object], names: WorkspaceNames) -> Channel:
    direct = bool(fields.get("is_im") or fields.get("is_mpim"))
    partner = names.person(string(fields.get("user"))) if fields.get("is_im") else ""
    return Channel(shown_name(fields, direct, names) or partner or id, id, f"{team}/{id}" if team else id)


def _fill(channels: dict[str, Channel], base: sqlite3.Connection, source: Source, team: str, strays: Report) -> None:
    """Every message into its channel; of the copies that each further run stores, the last one counts."""
    last = ("", "")
    for row in base.execute("SELECT rowid, CHANNEL_ID, TS, DATA FROM MESSAGE ORDER BY CHANNEL_ID, TS, CHUNK_ID"):
        number, id, ts = int(row[0]), _text(row[1]), _text(row[2])
        channel = channels.setdefault(id, Channel(id or "slack", id, f"{team}/{id}" if team else id))
        record = _json(row[3], source, number)
        if ts and (id, ts) == last and record is not None:
            strays.total += 1
            strays.skip(source.name, channel.records.pop()[1], EARLIER)
        channel.records.append((source.name, number, record))
        last = (id, ts)


def _rows(
    base: sqlite3.Connection, source: Source, table: str, strays: Report, reason: str
) -> Iterator[tuple[int, str, object]]:
    for number, id, data in base.execute(f"SELECT rowid, ID, DATA FROM {table} ORDER BY CHUNK_ID, IDX"):
        strays.total += 1
        strays.skip(source.name, number, reason)
        yield number, _text(id), data


def _team(base: sqlite3.Connection) -> str:
    try:
        found = base.execute("SELECT TEAM_ID FROM WORKSPACE ORDER BY rowid DESC LIMIT 1").fetchone()
    except sqlite3.OperationalError:  # a database of a search has no such row or table
        return ""
    return _text(found[0]) if found else ""


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else string(value)


def _json(data: object, source: Source, number: int) -> object:
    """The record of a row; one whose JSON is damaged is no record, and the reading of messages says so."""
    try:
        return parse_json(_text(data), f"{source.name}, row {number}")
    except Broken:
        return None


@contextmanager
def _opened(source: Source) -> Iterator[sqlite3.Connection]:
    try:
        with _place(source) as address, closing(_connected(address)) as base:
            _check(base, source)
            yield base
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        raise Broken(source.name, f"SQLite says: {str(error).rstrip('.')}") from None


def _connected(address: str) -> sqlite3.Connection:
    base = sqlite3.connect(address, uri=True)
    base.text_factory = lambda raw: raw.decode("utf-8", "replace")
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
        base.execute(f"PRAGMA {pragma}")
    return base


def _check(base: sqlite3.Connection, source: Source) -> None:
    """Every table must be a plain one: a view or a virtual table may run anything when it is read."""
    rows = base.execute("SELECT name, type, sql FROM sqlite_master").fetchall()
    plain = {
        _text(name).upper()
        for name, kind, sql in rows
        if kind == "table" and not _text(sql).upper().startswith("CREATE VIRTUAL")
    }
    if missing := [table for table in _TABLES if table not in plain]:
        raise WrongFormat(source.name, "slack", f"as a database of slackdump it has no table {' or '.join(missing)}")


@contextmanager
def _place(source: Source) -> Iterator[str]:
    """The address of the database: its own file if it is one and no log waits beside it, else that of a copy.

    An immutable file is neither locked nor given further files beside it. A log holds what was not yet written into
    the database; SQLite joins both, but only where it may write.
    """
    with source.open() as stream, guard(source.name):
        raw = getattr(stream, "raw", None)
        path = Path(raw.name) if isinstance(raw, io.FileIO) and isinstance(raw.name, str) else None
        log = Path(f"{path}-wal")
        waiting = path is not None and log.is_file() and log.stat().st_size > 0
        if path and not waiting:
            yield f"file:{quote(path.absolute().as_posix())}?mode=ro&immutable=1"
            return
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "slackdump.sqlite"
            with copy.open("wb") as target:
                shutil.copyfileobj(stream, target)
            if waiting:
                shutil.copyfile(log, f"{copy}-wal")
            yield f"file:{quote(copy.as_posix())}?mode=ro{'' if waiting else '&immutable=1'}"
