"""An archive in a PostgreSQL database, version 15 or later, by psycopg 3."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from ..errors import ArchiveError, NeedsExtra
from ..ml.bm25 import K1, B
from .engine import DatabaseEngine, State, listed
from .match_expression import AllOf, AnyOf, MatchExpression, Phrase, Without, wanted_phrases

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .privacy.erasure import PostgresqlErasure

OLDEST_SERVER = 150_000
WAIT_SECONDS = 10
WRITER_LOCK = 0x68756262  # an advisory lock; one writer at a time, as SQLite has it
MEAN_LENGTH = 60  # characters of a chat message; the true mean would take a scan, and changes little
COUNTED = 2_000  # messages; more are estimated
COMMON = 20_000  # messages; what more of them have is equally common to a ranking
MAX_COUNTS = 1_000  # that are remembered until a message is added
WALKED_SHARE = 0.04  # of all messages; if more than these match, the latest are found by walking back
MAX_INDEXED = 200_000  # characters; a tsvector holds at most a megabyte

# Punctuation separates words, as it does in FTS5: the parser of PostgreSQL would keep paths and addresses whole. Stems
# without stop words, because a word that no message has counts as missing in a question. Diacritics go by normal
# form KD, so that the extension unaccent is not needed.
PUNCTUATION = string.punctuation.replace("'", "''")
SPACES = str.maketrans(dict.fromkeys(string.punctuation, " "))
MARKS = re.compile("[\u0300-\u036f]")
INDEXED = (
    f"translate(regexp_replace(normalize(left(text, {MAX_INDEXED}) || coalesce(' ' || search_tokens, ''), NFKD),"
    f" '{MARKS.pattern}', '', 'g'), '{PUNCTUATION}', '{' ' * len(string.punctuation)}')"
)
SEARCH = f"""
create text search dictionary hubbub_stem (template = snowball, language = english);
create text search configuration hubbub (copy = simple);
alter text search configuration hubbub alter mapping for asciiword, word, numword, int, uint with hubbub_stem;
alter table messages add column search_tokens text;
alter table messages add column words tsvector generated always as (to_tsvector('hubbub', {INDEXED})) stored;
create index messages_words on messages using gin (words);
create table hubbub_archive (version integer not null);
insert into hubbub_archive values (0);
"""


class PostgresqlEngine(DatabaseEngine):
    """The tables lie in the first schema of the search path of whoever connects."""

    placeholder = "%s"

    def __init__(self, url: str, *, write: bool = False) -> None:
        self._counts: dict[tuple[MatchExpression, int, int], int] = {}
        try:
            address = make_url(url).set(drivername="postgresql+psycopg")
        except (ArgumentError, ValueError):
            raise ArchiveError(url, "the address of a database is postgresql://user:password@host:port/name") from None
        self.location = address.set(drivername="postgresql").render_as_string(hide_password=True)
        try:
            self.engine = create_engine(address, connect_args={"connect_timeout": WAIT_SECONDS})
        except ImportError:
            raise NeedsExtra("An archive in PostgreSQL", "postgresql") from None
        self.connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self.driver = self.connection.connection.driver_connection
        if self.driver.info.server_version < OLDEST_SERVER:
            raise ArchiveError(self.location, "the server is older than PostgreSQL 15")
        self.execute(f"set lock_timeout = '{WAIT_SECONDS}s'")
        self.execute("set random_page_cost = 1.1")  # few rows of large tables are read, most of them from memory
        self.execute("set jit = off")  # compiling takes longer than any query of an archive
        if not write:
            self.execute("set default_transaction_read_only = on")

    def limit_time(self, seconds: float) -> None:
        self.execute(f"set statement_timeout = {int(seconds * 1000)}")

    def state(self) -> State:
        tables = self.execute("select count(*) from pg_tables where schemaname = current_schema()").scalar()
        if self.execute("select to_regclass('hubbub_archive')").scalar() is None:
            return State(None, bool(tables))
        return State(int(self.execute("select version from hubbub_archive").scalar()), bool(tables))

    def create(self) -> None:
        for statement in SEARCH.strip().rstrip(";").split(";\n"):
            self.execute(statement)

    def set_version(self, version: int) -> None:
        self.execute("update hubbub_archive set version = :version", version=version)

    def begin(self) -> None:
        self.connection.exec_driver_sql("begin")
        self.execute("select pg_advisory_xact_lock(:key)", key=WRITER_LOCK)

    def begin_reading(self) -> None:
        self.connection.exec_driver_sql("begin isolation level repeatable read read only")

    def in_transaction(self) -> bool:
        """Not if the connection is lost: then the server has ended the transaction."""
        from psycopg.pq import TransactionStatus

        return self.driver.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)

    def size(self) -> int:
        query = "select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c where c.relkind = 'r'"
        return int(self.execute(f"{query} and c.relnamespace = current_schema()::regnamespace").scalar())

    def vacuum(self) -> None:
        self.connection.exec_driver_sql("vacuum full analyze")

    def problems(self) -> list[str]:
        """Foreign keys are always checked by the server, and the full-text column is generated by it."""
        return []

    def count(self, wanted: MatchExpression, limit: int) -> int:
        """What is common is estimated by the statistics of the planner; counting it would fetch every message."""
        key = wanted, limit, self._last()
        if key not in self._counts:
            given: dict[str, Any] = {}
            query = ts_query(wanted, given)
            found = self._estimate(query, given)
            if found <= COUNTED:
                some = f"select 1 from messages where words @@ ({query}) limit {int(limit)}"
                found = int(self.execute(f"select count(*) from ({some}) found", **given).scalar())
            if len(self._counts) >= MAX_COUNTS:
                self._counts.clear()
            self._counts[key] = min(found, limit)
        return self._counts[key]

    def _last(self) -> int:
        return int(self.execute("select coalesce(max(id), 0) from messages").scalar())

    def _estimate(self, query: str, given: dict[str, Any]) -> int:
        plan = self.execute(f"explain (format json) select 1 from messages where words @@ ({query})", **given).scalar()
        return int(plan[0]["Plan"]["Plan Rows"])

    def ids_with_word(self, word: str, last: int) -> NDArray[np.int64]:
        import numpy as np

        given: dict[str, Any] = {}
        query = f"select id from messages where words @@ ({ts_query(Phrase(word), given)}) and id <= :last"
        ids = [row[0] for row in self.execute(query, last=last, **given)]
        return np.array(ids or [0], np.int64)

    def latest_matches(self, wanted: MatchExpression, condition: str, values: dict[str, Any], limit: int) -> str:
        """BM25 with each word counted once in a message: chat messages seldom repeat a word."""
        given: dict[str, Any] = {}
        query = ts_query(wanted, given)
        # `+ 0` keeps the planner from walking back through all messages in search of words that few of them have
        total = self._last()
        order = "m.id" if self._estimate(query, given) > WALKED_SHARE * total else "m.id + 0"
        score = self._score(wanted, given, total)
        values.update(given)
        return (
            f"select m.id, {score} as score from messages m where m.words @@ ({query}) {condition}"
            f" order by {order} desc limit {int(limit)}"
        )

    def _score(self, wanted: MatchExpression, given: dict[str, Any], total: int) -> str:
        """SQL for the score of a message. Where there is one phrase only, its rarity makes no difference."""
        phrases = list(dict.fromkeys(wanted_phrases(wanted)))
        weights = (
            [log(1 + total / (1 + self.count(phrase, total))) for phrase in phrases] if len(phrases) > 1 else [1.0]
        )
        gained = " + ".join(
            f"case when m.words @@ {ts_query(phrase, given)} then float8 '{weight:.6f}' else 0 end"
            for phrase, weight in zip(phrases, weights, strict=True)
        )
        length = f"float8 '{B / MEAN_LENGTH}' * length(m.text)"
        return f"({gained}) / (1 + float8 '{K1}' * (float8 '{1 - B}' + {length}))"

    def add_words(self, first: int) -> None:
        self._tokenize(f"id >= {first}")

    def remove_words(self, ids: Sequence[int]) -> None:
        """The server does it."""

    def renew_words(self, ids: Sequence[int]) -> None:
        self._tokenize(f"id in ({listed(ids)})")

    def erasure(self) -> PostgresqlErasure:
        from .privacy.erasure import PostgresqlErasure

        return PostgresqlErasure(self)

    def reason(self, error: Exception) -> str:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        state = str(getattr(cause, "sqlstate", "") or "")
        known = next((words for code, words in REASONS.items() if state.startswith(code)), "")
        return known or f"PostgreSQL reports: {' '.join(str(cause).split())}"


def ts_query(wanted: MatchExpression, given: dict[str, Any]) -> str:
    """As SQL that makes a tsquery; what people typed becomes a bound value in `given`."""
    match wanted:
        case Phrase(words, is_prefix):
            name, bare = f"phrase{len(given)}", _normalised(words)
            given[name] = " <-> ".join(f"'{word}'" for word in bare.split()) + ":*" if is_prefix else bare
            return f"{'to_tsquery' if is_prefix else 'phraseto_tsquery'}('hubbub', :{name})"
        case AllOf(parts):
            return f"({' && '.join(ts_query(part, given) for part in parts)})"
        case AnyOf(parts):
            return f"({' || '.join(ts_query(part, given) for part in parts)})"
        case Without(kept, excluded):
            return f"({ts_query(kept, given)} && !! {ts_query(excluded, given)})"


def _normalised(words: str) -> str:
    """As `INDEXED` does it: without diacritics, spaces for punctuation."""
    return MARKS.sub("", unicodedata.normalize("NFKD", words)).translate(SPACES)


REASONS = {
    "25006": "it may only be read",
    "28": "the server refuses the user or the password",
    "3D000": "the server has no database of that name; createdb makes one",
    "42501": "the user may not do that",
    "53100": "the disk of the server is full",
    "55P03": "another program is writing to it; try again when that has finished",
    "57014": "the query took too long",
    "57P": "the server was shut down",
    "08": "the connection to the server was lost",
}
