"""The store of an archive: one schema, read and written the same way on SQLite and PostgreSQL.

Everything is written in transactions: after a crash the archive holds whole days of messages with their conversations,
and the next run goes on. An archive of an earlier version is brought up to date when it is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time
from itertools import islice
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Table
from sqlalchemy.exc import SQLAlchemyError

from ..chat import Message
from ..errors import ArchiveError
from .engine import DatabaseEngine, listed, located, open_engine
from .migrations import migrate
from .schema import VERSION, metadata

NAME = re.compile(r":(\w+)")
SYMPTOMS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
INSERTED_AT_ONCE = 5_000  # rows; bounds the memory of a statement


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as the archive has it: its number, its channel, and the conversation it belongs to.

    `conversation` is a number inside the archive, `conversation_id` the permanent id that people see.
    """

    id: int
    chat: str
    conversation: int | None
    message: Message
    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive holds."""

    chats: int
    messages: int
    conversations: int


class ArchiveStore:
    """An open archive: a file, or postgresql://user@host/database. `create` makes a new one where there is none."""

    def __init__(self, path: str | Path, *, create: bool = False, write: bool = False) -> None:
        self.path = located(path)
        self.location = str(path)
        self.engine = self._opened(create, write)

    def _opened(self, create: bool, write: bool) -> DatabaseEngine:
        """The engine, with the schema of this version."""
        with self._reported(None):
            engine = open_engine(self.path, create=create, write=write)
        self.location = engine.location
        try:
            with self._reported(engine):
                is_older = self._is_older(engine, create)
            if is_older and not (create or write):
                engine.close()
                self._may_be_written()
                engine = self._opened(False, True)  # brought up to date, then opened for reading again
                engine.close()
                return self._opened(False, False)
            if is_older:
                with self._reported(engine):
                    migrate(engine)
        except BaseException:
            engine.close()
            raise
        return engine

    def _is_older(self, engine: DatabaseEngine, create: bool) -> bool:
        """Whether it is of an earlier version; an empty database becomes an archive if one may be made."""
        version, has_tables = engine.state()
        if version is None and create and not has_tables:
            self._make(engine)
            return False
        if version is None:
            found = "it is a database that hubbub did not make" if has_tables else "it is empty and no archive yet"
            raise ArchiveError(engine.location, found)
        if version > VERSION:
            known = f"its version {version} is newer than this hubbub, which knows {VERSION}"
            raise ArchiveError(engine.location, known)
        if version < 1:
            raise ArchiveError(engine.location, f"it is damaged: there is no version {version}")
        return version < VERSION

    def _make(self, engine: DatabaseEngine) -> None:
        engine.prepare()
        engine.begin()
        if engine.state().version is None:  # another program may have made it meanwhile
            metadata.create_all(engine.connection)
            engine.create()
            engine.set_version(VERSION)
        engine.commit()

    def _may_be_written(self) -> None:
        if isinstance(self.path, Path) and not os.access(self.path, os.W_OK):
            raise ArchiveError(
                self.location, "it is of an earlier version, and cannot be brought up to date: read only"
            )

    @contextmanager
    def _reported(self, engine: DatabaseEngine | None) -> Iterator[None]:
        """An exception of the driver becomes a sentence."""
        from sqlite3 import Error

        try:
            yield
        except (SQLAlchemyError, Error) as error:
            raise ArchiveError(self.location, (engine or _reasons(self.path)).reason(error)) from error
        except UnicodeDecodeError as error:  # SQLite quotes what it cannot read
            raise ArchiveError(self.location, "it is damaged") from error

    @contextmanager
    def guarded(self) -> Iterator[None]:
        with self._reported(self.engine):
            yield

    @contextmanager
    def transaction(self) -> Iterator[DatabaseEngine]:
        """All of it or nothing, as the only writer."""
        with self.guarded():
            self.engine.begin()
            try:
                yield self.engine
                self.engine.commit()
            except BaseException:
                if self.engine.in_transaction():
                    self.engine.rollback()
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several queries see the same state, whatever others write; inside a transaction they do so anyway."""
        if self.engine.in_transaction():
            yield
            return
        with self.guarded():
            self.engine.begin_reading()
            try:
                yield
            finally:
                if self.engine.in_transaction():
                    self.engine.rollback()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """A value that hubbub would not have written makes some function fail; that is said if it is the case."""
        try:
            if isinstance(error, SYMPTOMS) and (found := self._problems()):
                raise ArchiveError(self.location, f"it is damaged: {'; '.join(found)}") from error
        finally:
            self.close()

    def _problems(self) -> list[str]:
        from .housekeeping import check

        return check(self)

    def close(self) -> None:
        self.engine.close()

    def rows(self, query: str, **values: Any) -> list[Any]:
        with self.guarded():
            return list(self.engine.execute(query, **values).fetchall())

    def number(self, query: str, **values: Any) -> int:
        return int(self.rows(query, **values)[0][0])

    def insert(self, table: Table, rows: Iterable[Sequence[Any]]) -> None:
        """Rows in the order of the table's columns."""
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        statement = f"insert into {table.name} ({names}) values ({', '.join('?' * len(table.columns))})"
        waiting = iter(rows)
        while part := [tuple(row) for row in islice(waiting, INSERTED_AT_ONCE)]:
            self.engine.execute_many(statement, part)

    def execute_many(self, statement: str, values: Sequence[dict[str, Any]]) -> None:
        """A statement with names such as :id for values, for many rows."""
        names = NAME.findall(statement)
        self.engine.execute_many(NAME.sub("?", statement), [tuple(row[name] for name in names) for row in values])

    def next_id(self, table: str) -> int:
        return self.number(f"select coalesce(max(id), 0) + 1 from {table}")

    def contents(self) -> Contents:
        tables = ("channels", "messages", "conversations")
        return Contents(*(self.number(f"select count(*) from {name}") for name in tables))

    def last(self) -> int:
        """The number of the last message, 0 if there is none."""
        return self.number("select coalesce(max(id), 0) from messages")

    def revision(self) -> tuple[int, ...]:
        """Numbers that are others after messages were added, removed or forgotten, or conversations changed."""
        query = (
            "select (select coalesce(max(id), 0) from messages), count(*), coalesce(sum(size), 0),"
            " coalesce(max(id), 0), (select count(*) from tombstones) from conversations"
        )
        return tuple(int(each) for each in self.rows(query)[0])

    def covered(self) -> int:
        """Until which message vectors were made, 0 for none."""
        return self.number("select coalesce(max(last), 0) from vectors")

    def has_vectors(self) -> bool:
        return self.covered() >= self.last()

    def channel_names(self) -> list[str]:
        return [name for (name,) in self.rows("select name from channels order by name")]

    def conversation(self, number: int) -> list[StoredMessage]:
        """Its messages in order."""
        return self.kept("where m.conversation_id = :number order by m.ordinal", number=number)

    def by_ids(self, ids: Iterable[int]) -> dict[int, StoredMessage]:
        return {each.id: each for each in self.kept(f"where m.id in ({listed(list(ids))})")}

    def kept(self, rest: str, **values: Any) -> list[StoredMessage]:
        """Messages by the rest of a query over `messages m`, `channels c` and `conversations t`."""
        columns = (
            "m.id, c.name, m.conversation_id, t.public_id, m.platform_id, m.time, m.clock, m.author, m.text, m.kind"
        )
        rows = self.rows(
            f"select {columns} from messages m join channels c on c.id = m.channel_id"
            f" left join conversations t on t.id = m.conversation_id {rest}",
            **values,
        )
        return [StoredMessage(row[0], row[1], row[2], message_of(*row[4:]), row[3] or "") for row in rows]


def message_of(name: str, when: str | None, clock: str | None, author: str, text: str, kind: str) -> Message:
    moment, hour = datetime.fromisoformat(when) if when else None, time.fromisoformat(clock) if clock else None
    return Message(name, moment, author, text, kind, clock=hour)  # type: ignore[arg-type]


def _reasons(path: str | Path) -> Any:
    """An engine that was not opened, for its table of reasons."""
    if isinstance(path, str):
        from .postgresql import PostgresqlEngine

        return PostgresqlEngine.__new__(PostgresqlEngine)
    from .sqlite import SqliteEngine

    closed = SqliteEngine.__new__(SqliteEngine)
    closed.path = path
    return closed
