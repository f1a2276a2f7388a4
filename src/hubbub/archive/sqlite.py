"""An archive in one SQLite file: WAL, so that readers never wait, and FTS5 for words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from sqlalchemy import Boolean, Float, Integer, LargeBinary, Table, Text, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from ..errors import LOOP, ArchiveError, Missing, is_link_loop
from .engine import DatabaseEngine, State, listed
from .match_expression import AllOf, AnyOf, MatchExpression, Phrase, Without
from .schema import metadata

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .privacy.erasure import SqliteErasure

APPLICATION = 0x68756262
WAIT_SECONDS = 10.0
STEPS_BETWEEN_CHECKS = 20_000  # instructions of SQLite, about a millisecond
ALMOST_NOTHING = 1 << 20  # bytes; the files beside an archive take less only while it is empty

# What the tokenizer cannot find is kept as further tokens (`search_tokens.py`), which are indexed behind the text.
TOKENIZER = "porter unicode61 remove_diacritics 2"
SEARCH = f"""
alter table messages add column search_tokens text;
create view searchable as select id, text || coalesce(' ' || search_tokens, '') as text from messages;
create virtual table words using fts5 (text, content='searchable', content_rowid='id', tokenize='{TOKENIZER}')
"""


class SqliteEngine(DatabaseEngine):
    """`create` makes a new file where there is none."""

    def __init__(self, path: Path, *, create: bool = False, write: bool = False) -> None:
        self.path, self.location = path, str(path)
        if not create and not path.exists():
            raise Missing(str(path))
        if path.exists() and not path.is_file():
            what = "a folder" if path.is_dir() else "a device or a pipe"
            raise ArchiveError(str(path), f"it is {what}, and an archive is a file")
        if create or write:
            _must_be_writable(path)
        self.driver = self._opened(create or write)
        self.engine = create_engine("sqlite://", creator=lambda: self.driver, poolclass=StaticPool)
        self.connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def _opened(self, write: bool) -> sqlite3.Connection:
        place = f"{self.path.absolute().as_uri()}?{'mode=rwc' if write else self._reading_mode()}"
        # a server hands a connection from thread to thread, one at a time
        driver = sqlite3.connect(place, uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            driver.execute("pragma foreign_keys = on")
            if not write:
                driver.execute("pragma query_only = on")
            driver.execute("pragma synchronous = normal")  # in WAL a crash loses no consistency, only the last commits
        except BaseException:
            driver.close()
            raise
        return driver

    def _reading_mode(self) -> str:
        """How SQLite opens a file for reading.

        Opened as read-only, it leaves the files beside it behind, owned by the reader, who may not remove them; later
        writers cannot use these. So the file is opened for writing and only read, if that is permitted. If it is not,
        the file is read as it is, unless there are files beside it: then it is being written, or a writer crashed.
        """
        if is_writable(self.path) and is_writable(self.path.absolute().parent):
            return "mode=rw"
        return "mode=ro" if self._has_log() else "mode=ro&immutable=1"

    def _has_log(self) -> bool:
        log = Path(f"{self.path}-wal")
        return log.exists() and log.stat().st_size > 0

    def limit_time(self, seconds: float) -> None:
        """SQLite has no limit of its own: a handler that it calls now and then says when to stop."""
        started = [monotonic()]

        def is_late() -> bool:
            return monotonic() > started[0] + seconds

        def restart(_: str) -> None:
            started[0] = monotonic()

        self.driver.set_trace_callback(restart)  # called when a statement begins
        self.driver.set_progress_handler(is_late, STEPS_BETWEEN_CHECKS)

    def state(self) -> State:
        (application,) = self.driver.execute("pragma application_id").fetchone()
        (version,) = self.driver.execute("pragma user_version").fetchone()
        (tables,) = self.driver.execute("select count(*) from sqlite_master").fetchone()
        return State(int(version) if application == APPLICATION else None, bool(tables))

    def prepare(self) -> None:
        """SQLite does not wait for others with this statement, so it is tried again."""
        until = monotonic() + WAIT_SECONDS
        while True:
            try:
                self.driver.execute("pragma journal_mode = wal")
            except sqlite3.OperationalError as error:
                if not _name(error).startswith("SQLITE_BUSY") or monotonic() > until:
                    raise
                sleep(0.02)
            else:
                return

    def create(self) -> None:
        for statement in SEARCH.strip().split(";\n"):
            self.driver.execute(statement)
        self.driver.execute(f"pragma application_id = {APPLICATION}")

    def set_version(self, version: int) -> None:
        self.driver.execute(f"pragma user_version = {version}")

    def before_migration(self) -> None:
        self.driver.execute("pragma foreign_keys = off")
        self.driver.execute("pragma legacy_alter_table = on")  # a renamed table stays what others refer to by name

    def after_migration(self) -> None:
        self.driver.execute("pragma legacy_alter_table = off")
        self.driver.execute("pragma foreign_keys = on")

    def begin(self) -> None:
        self.driver.execute("begin immediate")

    def begin_reading(self) -> None:
        self.driver.execute("begin")

    def in_transaction(self) -> bool:
        return bool(self.driver.in_transaction)

    def size(self) -> int:
        return sum(
            Path(f"{self.path}{end}").stat().st_size for end in ("", "-wal") if Path(f"{self.path}{end}").exists()
        )

    def vacuum(self) -> None:
        self.driver.execute("insert into words (words) values ('optimize')")
        self.driver.execute("vacuum")
        self.driver.execute("pragma wal_checkpoint(truncate)")

    def problems(self) -> list[str]:
        found = [str(row[0]) for row in self.driver.execute("pragma integrity_check(20)") if row[0] != "ok"]
        found += [f"a row of {row[0]} refers to a missing row of {row[2]}"
                  for row in self.driver.execute("pragma foreign_key_check").fetchmany(20)]  # fmt: skip
        for table in metadata.sorted_tables:
            (count,) = self.driver.execute(_wrong_types(table)).fetchone()
            if count:
                found.append(f"rows of {table.name} with values of a wrong type: {count:,}")
        if not self._words_match():
            found.append("the full-text index does not match the messages")
        return found

    def _words_match(self) -> bool:
        """FTS5 compares its index with the messages in a statement that writes; where that is refused, on a copy."""
        (is_reader,) = self.driver.execute("pragma query_only").fetchone()
        self.driver.execute("pragma query_only = off")
        try:
            return _is_consistent(self.driver)
        except sqlite3.OperationalError:
            with TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder, "copy.db"))) as copy:
                self.driver.backup(copy)
                return _is_consistent(copy)
        finally:
            self.driver.execute(f"pragma query_only = {is_reader}")

    def count(self, wanted: MatchExpression, limit: int) -> int:
        query = "select count(*) from (select 1 from words where words match ? limit ?)"
        return int(self.driver.execute(query, (fts_query(wanted), limit)).fetchone()[0])

    def ids_with_word(self, word: str, last: int) -> NDArray[np.int64]:
        import numpy as np

        query = "select group_concat(rowid) from (select rowid from words where words match ? and rowid <= ?)"
        found = self.driver.execute(query, (fts_query(Phrase(word)), last)).fetchone()[0]
        return np.array((found or "0").split(","), np.int64)

    def latest_matches(self, wanted: MatchExpression, condition: str, values: dict[str, Any], limit: int) -> str:
        values["fts"] = fts_query(wanted)
        # the cross join keeps the full-text index in front, which yields messages from the last one on
        return (
            "select m.id, -bm25(words) as score from words w cross join messages m on m.id = w.rowid"
            f" where words match :fts {condition} order by w.rowid desc limit {int(limit)}"
        )

    def add_words(self, first: int) -> None:
        self._tokenize(f"id >= {first}")
        self.driver.execute("insert into words (rowid, text) select id, text from searchable where id >= ?", (first,))

    def remove_words(self, ids: Sequence[int]) -> None:
        self.driver.execute(
            "insert into words (words, rowid, text)"
            f" select 'delete', id, text from searchable where id in ({listed(ids)})"
        )

    def renew_words(self, ids: Sequence[int]) -> None:
        self._tokenize(f"id in ({listed(ids)})")
        self.driver.execute(
            f"insert into words (rowid, text) select id, text from searchable where id in ({listed(ids)})"
        )

    def erasure(self) -> SqliteErasure:
        from .privacy.erasure import SqliteErasure

        return SqliteErasure(self)

    def reason(self, error: Exception) -> str:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        name = _name(cause)
        if name.startswith("SQLITE_CANTOPEN") and not _may(self.path, os.R_OK):
            return "there is no permission to read it"
        if name.startswith("SQLITE_CANTOPEN") and self._has_log():
            return "a program that wrote to it did not finish; open it once with permission to write"
        if name.startswith("SQLITE_IOERR") and _is_full(self.path.absolute().parent):
            return REASONS["SQLITE_FULL"]
        return next((words for code, words in REASONS.items() if name.startswith(code)), f"SQLite reports: {cause}")


def fts_query(wanted: MatchExpression) -> str:
    """In the query language of FTS5; everything that people typed stands in quotation marks."""
    match wanted:
        case Phrase(words, is_prefix):
            return f'"{words.replace(chr(34), " ")}"{" *" if is_prefix else ""}'
        case AllOf(parts):
            return f"({' AND '.join(map(fts_query, parts))})"
        case AnyOf(parts):
            return f"({' OR '.join(map(fts_query, parts))})"
        case Without(kept, excluded):
            return f"({fts_query(kept)} NOT {fts_query(excluded)})"


REASONS = {
    "SQLITE_NOTADB": "it is no database, so it is no archive",
    "SQLITE_CORRUPT": "it is damaged; use a copy, or index the chats again",
    "SQLITE_BUSY": "another program is writing to it; try again when that has finished",
    "SQLITE_LOCKED": "another program is writing to it; try again when that has finished",
    "SQLITE_READONLY": "it may only be read",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_PERM": "it may not be opened",
    "SQLITE_INTERRUPT": "the query took too long",
    "SQLITE_IOERR": "the disk does not work as it should",
}


def _name(error: BaseException) -> str:
    return str(getattr(error, "sqlite_errorname", "") or "")


def _wrong_types(table: Table) -> str:
    """A query that counts rows with values of another type than their column: SQLite does not refuse those."""
    conditions = []
    for column in table.columns:
        types = next(names for kind, names in TYPES if isinstance(column.type, kind))
        allowed = (*types, "null") if column.nullable else types
        conditions.append(f'typeof("{column.name}") not in ({", ".join(map(repr, allowed))})')
    return f"select count(*) from {table.name} where {' or '.join(conditions)}"


TYPES = (
    (Text, ("text",)),
    (LargeBinary, ("blob",)),
    (Float, ("real", "integer")),
    ((Integer, Boolean), ("integer",)),
)


def _is_consistent(driver: sqlite3.Connection) -> bool:
    try:
        driver.execute("insert into words (words, rank) values ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        if _name(error).startswith("SQLITE_CORRUPT"):
            return False
        raise
    return True


def _is_full(folder: Path) -> bool:
    """SQLite reports an input or output error where a disk has no space for the files beside an archive."""
    with suppress(OSError):
        return disk_usage(folder).free < ALMOST_NOTHING
    return False


def _must_be_writable(path: Path) -> None:
    """SQLite reports only that it cannot open a file, but not why."""
    home = path.absolute().parent
    if is_link_loop(path):
        raise ArchiveError(str(path), LOOP)
    if not home.is_dir():
        raise ArchiveError(str(path), f"the folder {path.parent} does not exist")
    if not path.exists():
        _must_take_files(str(path), home)
    if path.exists() and not is_writable(path):
        raise ArchiveError(str(path), "there is no permission to write to it")


def is_writable(path: Path) -> bool:
    return _may(path, os.W_OK)


def _may(path: Path, what: int) -> bool:
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _must_take_files(path: str, folder: Path) -> None:
    """Tried, because the permissions of a folder say nothing about a file system that may only be read."""
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ArchiveError(path, f"files cannot be made in {folder} ({error.strerror})") from None
