"""What the store needs of a database engine: connections, transactions, full-text search and errors as sentences."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Engine, text

from ..errors import ArchiveError
from .match_expression import MatchExpression, Phrase
from .search_tokens import search_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .privacy.erasure import Erasure

POSTGRESQL = ("postgresql", "postgres")
ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+)://(.*)", re.IGNORECASE | re.DOTALL)


class State(NamedTuple):
    """What a database holds: the version of its schema, None if hubbub did not make it, and whether it has tables."""

    version: int | None
    has_tables: bool


class DatabaseEngine(ABC):
    """One open database. Statements outside `begin` and `commit` are transactions of their own."""

    engine: Engine
    connection: Connection
    driver: Any  # the connection of the driver
    location: str  # as errors name it, without a password
    placeholder = "?"  # of a value in a statement of the driver

    @abstractmethod
    def state(self) -> State: ...
    @abstractmethod
    def limit_time(self, seconds: float) -> None:
        """From now on a statement that takes longer than this fails."""

    @abstractmethod
    def create(self) -> None:
        """Makes what the engine keeps by itself: full-text search and the mark that hubbub made the database."""

    def prepare(self) -> None:  # noqa: B027
        """What must be set before the first transaction of a new database."""

    @abstractmethod
    def set_version(self, version: int) -> None: ...
    @abstractmethod
    def begin(self) -> None:
        """Begins a transaction as the only writer."""

    @abstractmethod
    def begin_reading(self) -> None:
        """Begins a transaction that sees the database as it is now, whatever others write."""

    @abstractmethod
    def reason(self, error: Exception) -> str:
        """What an exception of the driver means to the user."""

    @abstractmethod
    def size(self) -> int:
        """The size of the archive in bytes."""

    @abstractmethod
    def vacuum(self) -> None:
        """Gives unused space back."""

    @abstractmethod
    def problems(self) -> list[str]:
        """What the engine itself finds wrong with its files and its full-text index."""

    @abstractmethod
    def count(self, wanted: MatchExpression, limit: int) -> int:
        """How many messages match; it counts no further than the limit."""

    def count_word(self, word: str, limit: int) -> int:
        return self.count(Phrase(word), limit)

    @abstractmethod
    def ids_with_word(self, word: str, last: int) -> NDArray[np.int64]:
        """The messages up to the last that have a word."""

    @abstractmethod
    def latest_matches(self, wanted: MatchExpression, condition: str, values: dict[str, Any], limit: int) -> str:
        """SQL for (id, BM25 score) of the latest messages that match and meet a condition about `messages m`.

        Values that it needs are added to `values`.
        """

    @abstractmethod
    def add_words(self, first: int) -> None:
        """Makes messages from this id on searchable."""

    @abstractmethod
    def remove_words(self, ids: Sequence[int]) -> None:
        """To be called before these messages are changed or removed."""

    @abstractmethod
    def renew_words(self, ids: Sequence[int]) -> None:
        """To be called after these messages were changed."""

    def _tokenize(self, condition: str) -> None:
        """Writes the further tokens of full-text search beside the texts of some messages."""
        rows = self.execute(f"select id, text, search_tokens from messages where {condition}").fetchall()
        tokens = [{"id": id, "tokens": search_tokens(text) or None} for id, text, _ in rows]
        changed = [new for new, row in zip(tokens, rows, strict=True) if new["tokens"] != row[2]]
        if changed:
            self.connection.execute(text("update messages set search_tokens = :tokens where id = :id"), changed)

    @abstractmethod
    def erasure(self) -> Erasure:
        """How deleted rows get out of the files of the database."""

    def before_migration(self) -> None:  # noqa: B027
        """Migrations move tables around; whatever watches over references meanwhile is turned off."""

    def after_migration(self) -> None:  # noqa: B027
        """The opposite."""

    def commit(self) -> None:
        self.connection.exec_driver_sql("commit")

    def rollback(self) -> None:
        self.connection.exec_driver_sql("rollback")

    @abstractmethod
    def in_transaction(self) -> bool: ...

    def close(self) -> None:
        self.connection.close()
        self.engine.dispose()

    def execute(self, statement: str, **values: Any) -> Any:
        """Statements without values are passed on as they are: lists of ids would take long to compile."""
        if values or "%" in statement or "\\" in statement:
            return self.connection.execute(text(statement), values)
        return self.connection.exec_driver_sql(statement)

    def execute_many(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """A statement with a question mark for each value, for many rows: SQLAlchemy takes 4 times as long for them."""
        if rows:
            self.connection.exec_driver_sql(statement.replace("?", self.placeholder), list(rows))


def listed(ids: Sequence[int]) -> str:
    """Ids as a list in SQL; they are numbers, and drivers bound how many values a statement may have."""
    return ",".join(map(str, ids)) or "null"


def located(location: str | Path) -> str | Path:
    """The path of a file, or the address of a database on a server; sqlite:///FILE is a path as well."""
    address = ADDRESS.fullmatch(location) if isinstance(location, str) else None
    if address is None:
        return Path(location)
    scheme, rest = address[1].lower().partition("+")[0], address[2]
    if scheme in POSTGRESQL:
        return str(location)
    if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return Path(rest[1:])
    known = "an archive is a file, sqlite:///FILE or postgresql://user@host/database"
    raise ArchiveError(str(location), known if scheme == "sqlite" else f"{known}, and {address[1]} is not supported")


def open_engine(location: str | Path, *, create: bool, write: bool) -> DatabaseEngine:
    """SQLite for a path, PostgreSQL for an address (see `located`)."""
    if isinstance(location, str):
        from .postgresql import PostgresqlEngine

        return PostgresqlEngine(location, write=create or write)
    from .sqlite import SqliteEngine

    return SqliteEngine(location, create=create, write=write)
