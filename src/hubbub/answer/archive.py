"""Chats, who answers whom, the conversations and vectors, in one SQLite file that can be searched and asked.

Everything is written in transactions: after a crash the file holds whole batches, and the next run goes on. A message
is known by a digest of its chat, time, author and text (and which of several equal ones it is), so that indexing the
same log twice, or a log that has grown since, adds only what is new. Vectors lie in blocks, so that all of them are
read at once.

Version 1 had no vectors: it is read as it is, and becomes version 2 as soon as it is opened for writing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from typing import Any

from ..chat import Message
from ..errors import LOOP, ArchiveError, Missing, is_link_loop

APPLICATION = 0x68756262
VERSION, WITHOUT_VECTORS = 2, 1
WAIT_SECONDS = 10.0
ALMOST_NOTHING = 1 << 20  # bytes; the files beside an archive take less only while it is empty

_SCHEMA = """
create table chats (id integer primary key, name text not null unique, format text not null);
create table conversations (
    id integer primary key, chat integer not null references chats, first integer not null, last integer not null,
    size integer not null, people integer not null);
create table messages (
    id integer primary key, chat integer not null references chats, digest blob not null unique,
    name text not null, time text, clock text, author text not null, text text not null, kind text not null,
    conversation integer references conversations);
create index messages_of_conversation on messages (conversation, id);
create index messages_of_chat on messages (chat, id);
create table replies (message integer not null references messages, parent integer not null references messages,
    score real not null, primary key (message, parent)) without rowid;
create index replies_of_parent on replies (parent);
create virtual table words using fts5 (text, content='messages', content_rowid='id', tokenize='porter unicode61');
"""
_VECTORS = """
create table vectors (last integer primary key, messages blob not null, scales blob not null, numbers blob not null);
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A message as the archive has it: where it stands, and which conversation it belongs to."""

    id: int
    chat: str
    conversation: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive holds."""

    chats: int
    messages: int
    conversations: int


class Archive:
    """An open archive. `create` makes a new file where there is none."""

    def __init__(self, path: Path, *, create: bool = False, write: bool = False) -> None:
        self.path = path
        if not create and not path.exists():
            raise Missing(str(path))
        if path.exists() and not path.is_file():
            what = "a folder" if path.is_dir() else "a device or a pipe"
            raise ArchiveError(str(path), f"it is {what}, and an archive is a file")
        if create:
            _must_be_makeable(path)
        with self.guarded():
            self.connection = self._opened(create or write)
            try:
                self.connection.execute("pragma foreign_keys = on")
                self.version = self._checked(create, write)
            except BaseException:
                self.connection.close()
                raise

    def _opened(self, write: bool) -> sqlite3.Connection:
        mode = "mode=rwc" if write else "mode=ro&immutable=1" if self._is_at_rest() else "mode=ro"
        place = f"{self.path.absolute().as_uri()}?{mode}"
        return sqlite3.connect(place, uri=True, timeout=WAIT_SECONDS, isolation_level=None)

    def _is_at_rest(self) -> bool:
        """Whether nobody can be writing: only then SQLite reads a file in a folder that takes no files beside it."""
        return not os.access(self.path.absolute().parent, os.W_OK) and not Path(f"{self.path}-wal").exists()

    def _checked(self, create: bool, write: bool) -> int:
        """Its version, if it is ours and of one we know; an empty file becomes an archive if one may be made."""
        (application,) = self.connection.execute("pragma application_id").fetchone()
        (version,) = self.connection.execute("pragma user_version").fetchone()
        (tables,) = self.connection.execute("select count(*) from sqlite_master").fetchone()
        if create and not application and not tables:
            self.connection.execute("pragma journal_mode = wal")
            return self._become(f"{_SCHEMA} {_VECTORS} pragma application_id = {APPLICATION};")
        if application != APPLICATION:
            raise ArchiveError(str(self.path), "it is a database that hubbub did not make" if tables else "it is empty")
        if version > VERSION:
            raise ArchiveError(
                str(self.path), f"its version {version} is newer than this hubbub, which knows {VERSION}"
            )
        if version == WITHOUT_VECTORS and (create or write):
            return self._become(f"drop table vectors; {_VECTORS}")
        return int(version)

    def _become(self, statements: str) -> int:
        self.connection.executescript(f"begin immediate; {statements} pragma user_version = {VERSION}; commit;")
        return VERSION

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What SQLite says in an exception is said in a sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise ArchiveError(str(self.path), _spoken(error, self.path)) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing."""
        with self.guarded():
            self.connection.execute("begin immediate")
            try:
                yield self.connection
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                raise
            self.connection.execute("commit")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def contents(self) -> Contents:
        return Contents(*(self._number(f"count(*) from {name}") for name in ("chats", "messages", "conversations")))

    def last(self) -> int:
        """The number of the last message, 0 if there is none."""
        return self._number("coalesce(max(id), 0) from messages")

    def covered(self) -> int:
        """Until which message vectors were made, 0 for none."""
        return 0 if self.version == WITHOUT_VECTORS else self._number("coalesce(max(last), 0) from vectors")

    def has_vectors(self) -> bool:
        return self.covered() >= self.last()

    def _number(self, what: str) -> int:
        return int(self.rows(f"select {what}")[0][0])

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        with self.guarded():
            return self.connection.execute(query, values).fetchall()

    def conversation(self, number: int) -> list[Kept]:
        """Its messages in order."""
        return self.kept("where m.conversation = ? order by m.id", (number,))

    def kept(self, rest: str, values: tuple[object, ...] = ()) -> list[Kept]:
        """Messages by the rest of a query over `messages m` and `chats c`."""
        columns = "m.id, c.name, m.conversation, m.name, m.time, m.clock, m.author, m.text, m.kind"
        rows = self.rows(f"select {columns} from messages m join chats c on c.id = m.chat {rest}", values)
        return [Kept(row[0], row[1], row[2], _message(*row[3:])) for row in rows]


def _message(name: str, when: str | None, clock: str | None, author: str, text: str, kind: str) -> Message:
    moment, hour = datetime.fromisoformat(when) if when else None, time.fromisoformat(clock) if clock else None
    return Message(name, moment, author, text, kind, clock=hour)  # type: ignore[arg-type]


_SPOKEN = {
    "SQLITE_NOTADB": "it is no database",
    "SQLITE_CORRUPT": "it is damaged",
    "SQLITE_BUSY": "another program is writing to it",
    "SQLITE_LOCKED": "another program is writing to it",
    "SQLITE_READONLY": "it may only be read",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_PERM": "it may not be opened",
    "SQLITE_IOERR": "the disk does not work as it should",
}


def _is_full(folder: Path) -> bool:
    """SQLite calls a disk broken that has no space for the files beside an archive."""
    with suppress(OSError):
        return disk_usage(folder).free < ALMOST_NOTHING
    return False


def _must_be_makeable(path: Path) -> None:
    """SQLite says only that it cannot open a file, but not why."""
    home = path.absolute().parent
    if is_link_loop(path):
        raise ArchiveError(str(path), LOOP)
    if not home.is_dir():
        raise ArchiveError(str(path), f"No such file or directory: {path.parent}")
    if not path.exists() and not _takes_files(home):
        raise ArchiveError(str(path), f"files cannot be made in {home}")


def _takes_files(folder: Path) -> bool:
    """Tried, because the permissions of a folder say nothing about a file system that may only be read."""
    try:
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _spoken(error: sqlite3.Error, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith("SQLITE_IOERR") and _is_full(path.absolute().parent):
        return _SPOKEN["SQLITE_FULL"]
    for code, words in _SPOKEN.items():
        if name.startswith(code):
            return words
    return f"SQLite says: {error}"
