"""Chats, who answers whom and the conversations, in one SQLite file that can be searched.

Everything is written in transactions: after a crash the file holds whole batches, and the next run goes on. A message
is known by a digest of its chat, time, author and text (and which of several equal ones it is), so that indexing the
same log twice, or a log that has grown since, adds only what is new.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..chat import Message
from ..errors import ArchiveError, Missing

APPLICATION = 0x68756262
VERSION = 1
WAIT_SECONDS = 10.0

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
create table vectors (message integer primary key references messages, vector blob not null);
create virtual table words using fts5 (text, content='messages', content_rowid='id', tokenize='porter unicode61');
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
    vectors: int


class Archive:
    """An open archive. `create` makes a new file where there is none."""

    def __init__(self, path: Path, *, create: bool = False, write: bool = False) -> None:
        self.path = path
        if not create and not path.exists():
            raise Missing(str(path))
        with self.guarded():
            self.connection = self._opened(create or write)
            try:
                self._check(create)
            except BaseException:
                self.connection.close()
                raise

    def _opened(self, write: bool) -> sqlite3.Connection:
        mode = "rwc" if write else "ro"
        place = f"{self.path.absolute().as_uri()}?mode={mode}"
        made = sqlite3.connect(place, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
        made.execute("pragma foreign_keys = on")
        return made

    def _check(self, create: bool) -> None:
        """Ours, of a version we know; an empty file becomes an archive if one may be made."""
        (application,) = self.connection.execute("pragma application_id").fetchone()
        (version,) = self.connection.execute("pragma user_version").fetchone()
        (tables,) = self.connection.execute("select count(*) from sqlite_master").fetchone()
        if create and not application and not tables:
            self.connection.execute("pragma journal_mode = wal")
            self.connection.executescript(
                f"begin; {_SCHEMA} pragma application_id = {APPLICATION}; pragma user_version = {VERSION}; commit;"
            )
            return
        if application != APPLICATION:
            raise ArchiveError(str(self.path), "it is a database that hubbub did not make" if tables else "it is empty")
        if version > VERSION:
            raise ArchiveError(
                str(self.path), f"its version {version} is newer than this hubbub, which knows {VERSION}"
            )

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What SQLite says in an exception is said in a sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise ArchiveError(str(self.path), _spoken(error)) from error

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

    def close(self) -> None:
        self.connection.close()

    def contents(self) -> Contents:
        with self.guarded():
            chats, messages, conversations, vectors = (
                int(self.connection.execute(f"select count(*) from {table}").fetchone()[0])
                for table in ("chats", "messages", "conversations", "vectors")
            )
        return Contents(chats, messages, conversations, vectors)

    def conversation(self, number: int) -> list[Kept]:
        """Its messages in order."""
        return self.kept("where m.conversation = ? order by m.id", (number,))

    def kept(self, rest: str, values: tuple[object, ...] = ()) -> list[Kept]:
        """Messages by the rest of a query over `messages m` and `chats c`."""
        columns = "m.id, c.name, m.conversation, m.name, m.time, m.author, m.text, m.kind"
        with self.guarded():
            rows = self.connection.execute(
                f"select {columns} from messages m join chats c on c.id = m.chat {rest}", values
            ).fetchall()
        return [Kept(row[0], row[1], row[2], _message(*row[3:])) for row in rows]


def _message(name: str, time: str | None, author: str, text: str, kind: str) -> Message:
    when = datetime.fromisoformat(time) if time else None
    return Message(name, when, author, text, kind)  # type: ignore[arg-type]


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


def _spoken(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "") or ""
    for code, words in _SPOKEN.items():
        if name.startswith(code):
            return words
    return f"SQLite says: {error}"
