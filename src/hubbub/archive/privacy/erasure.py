"""Deleted rows out of the files of a database, and what these files hold, byte by byte.

Each engine has an `Erasure`. What it cannot reach is named, so that a report does not promise too much.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..postgresql import PostgresqlEngine
    from ..sqlite import SqliteEngine

CHUNK = 8 << 20  # bytes that are read at once
SEGMENT = 1 << 30  # bytes; PostgreSQL cuts a relation into files of this size
_EXTERNAL_CONTENT = re.compile(r"(?i)content\s*=\s*'\w")


class StoredFile(NamedTuple):
    """A file of a database by name, and its content in chunks."""

    name: str
    chunks: Iterator[bytes]


class Erasure(ABC):
    """How an engine gets rid of what was deleted. `not_scanned` names places that a byte scan does not reach."""

    not_scanned: list[str]

    def prepare(self) -> None:  # noqa: B027
        """To be called before rows are deleted."""

    @abstractmethod
    def rewrite(self) -> list[str]:
        """Writes the database anew without deleted rows; returns what could not be done, as sentences."""

    @abstractmethod
    def files(self) -> Iterator[StoredFile]: ...

    def structure(self) -> str:
        """What the engine itself writes into the files in words, such as the names of tables."""
        return ""


class SqliteErasure(Erasure):
    def __init__(self, engine: SqliteEngine) -> None:
        self._path, self._driver = engine.path, engine.driver
        self.not_scanned = ["copies, exports and backups of the file", "space that the file system has freed"]

    def prepare(self) -> None:
        self._driver.execute("pragma secure_delete = on")

    def rewrite(self) -> list[str]:
        """Full-text indexes are built anew: they keep deleted words until segments are merged."""
        tables = self._driver.execute("select name, sql from sqlite_master where sql like '%using fts5%'").fetchall()
        for name, sql in tables:
            step = "rebuild" if _EXTERNAL_CONTENT.search(sql) else "optimize"
            self._driver.execute(f"insert into {name} ({name}) values ('{step}')")
        self._driver.execute("vacuum")
        is_busy = self._driver.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        return ["another program reads the archive, so that its write-ahead log was not emptied"] if is_busy else []

    def structure(self) -> str:
        rows = self._driver.execute("select sql from sqlite_master where sql is not null").fetchall()
        return "\n".join(["SQLite format version", *(sql for (sql,) in rows)])

    def files(self) -> Iterator[StoredFile]:
        for ending in ("", "-wal", "-shm", "-journal"):
            path = Path(f"{self._path}{ending}")
            if path.exists():
                yield StoredFile(path.name, _chunks(path))


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


class PostgresqlErasure(Erasure):
    """Files are read through the server, which allows it to superusers and members of pg_read_server_files."""

    def __init__(self, engine: PostgresqlEngine) -> None:
        self._engine = engine
        self.not_scanned = [
            "the write-ahead log of the server, where changes stay until it is recycled",
            "backups, replicas, exports and logs of the server",
            "space that the file system has freed",
        ]

    def rewrite(self) -> list[str]:
        """Statistics of columns have their most frequent values: they are made anew and their table is rewritten."""
        self._engine.vacuum()
        failed = []
        steps = {"vacuum full pg_catalog.pg_statistic": "statistics of the server", "checkpoint": "files of the server"}
        for statement, what in steps.items():
            if not self._try(statement):
                failed.append(f"the user may not rewrite the {what}")
        return failed

    def _try(self, statement: str) -> bool:
        from sqlalchemy.exc import DBAPIError

        try:
            self._engine.connection.exec_driver_sql(statement)
        except DBAPIError as error:
            if str(getattr(error.orig, "sqlstate", "")) == "42501":  # insufficient privilege
                return False
            raise
        return True

    def files(self) -> Iterator[StoredFile]:
        """Tables and indexes of the schema with their long values, and the statistics."""
        if not self._may_read():
            self.not_scanned.insert(0, "the files of the server, which the user may not read (all rows were read)")
            return
        query = (
            "select c.oid, c.relname, pg_relation_filepath(c.oid), pg_relation_size(c.oid) from pg_class c"
            " where c.relkind in ('r', 'i', 't', 'm') and pg_relation_filepath(c.oid) is not null and (c.relnamespace ="
            " current_schema()::regnamespace or c.relname like 'pg_statistic%' or c.oid in (select t.reltoastrelid"
            " from pg_class t where t.relnamespace = current_schema()::regnamespace)) order by c.relname"
        )
        for _, name, path, size in list(self._engine.execute(query).fetchall()):
            yield StoredFile(str(name), self._relation(str(path), int(size)))

    def _may_read(self) -> bool:
        query = (
            "select pg_has_role('pg_read_server_files', 'member') or usesuper from pg_user where usename = current_user"
        )
        return bool(self._engine.execute(query).scalar())

    def _relation(self, path: str, size: int) -> Iterator[bytes]:
        for start in range(0, size, CHUNK):
            segment, offset = divmod(start, SEGMENT)
            name = f"{path}.{segment}" if segment else path
            query = "select pg_read_binary_file(:name, :offset, :length, true)"
            found: Any = self._engine.execute(query, name=name, offset=offset, length=CHUNK).scalar()
            yield bytes(found or b"")
