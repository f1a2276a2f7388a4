"""Archives of earlier versions of the schema, brought up to the current one step by step, in one transaction.

Step N brings an archive from version N to N + 1. Versions 1 and 2 exist on SQLite only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from .conversation_ids import conversation_ids
from .day_batches import day_of, ordinal_of
from .engine import DatabaseEngine
from .schema import VERSION, channels, conversations, days, messages, metadata, networks, replies, sources
from .threading_units import named_units

OLD_TABLES = ("words", "replies", "vectors", "messages", "conversations", "chats")
OLD_MODEL = (1, "model", "thread/hubbub", "")


def migrate(engine: DatabaseEngine) -> None:
    """Brings an archive up to date, whole or not at all."""
    engine.before_migration()
    engine.begin()
    try:
        while (version := engine.state().version or 0) < VERSION:
            STEPS[version](engine)
            engine.set_version(version + 1)
        engine.commit()
    except BaseException:
        if engine.in_transaction():
            engine.rollback()
        raise
    finally:
        engine.after_migration()


def _one_table_of_vectors(engine: DatabaseEngine) -> None:
    """Version 1 had no vectors."""
    engine.execute("drop table vectors")
    engine.execute(
        "create table vectors (last integer primary key, messages blob not null, scales blob not null,"
        " numbers blob not null)"
    )


def _channels_days_and_sources(engine: DatabaseEngine) -> None:
    """Version 2 had chats without networks, numbers for conversations, one source of links, and other vectors."""
    for name in OLD_TABLES[1:]:
        engine.execute(f"alter table {name} rename to old_{name}")
    for index in ("messages_of_conversation", "messages_of_chat", "replies_of_parent"):
        engine.execute(f"drop index if exists {index}")
    engine.execute("drop table words")
    metadata.create_all(engine.connection)
    _insert(engine, networks, [(1, "")])
    _insert(engine, sources, [OLD_MODEL])
    _insert(engine, channels, [(id, 1, name, form) for id, name, form in _all(engine, "select * from old_chats")])
    _copy_conversations(engine)
    _copy_messages(engine)
    _insert(
        engine,
        replies,
        [(*row[:2], 1, row[2]) for row in _all(engine, "select message, parent, score from old_replies")],
    )
    for name in OLD_TABLES[1:]:
        engine.execute(f"drop table old_{name}")
    engine.create()
    engine.add_words(0)


def _copy_conversations(engine: DatabaseEngine) -> None:
    """System lines alone are no conversations any more."""
    query = (
        "select t.id, t.chat, c.name, t.size, t.people, t.first, t.last, f.time, f.clock, f.author, f.text, l.time"
        " from old_conversations t join old_chats c on c.id = t.chat join old_messages f on f.id = t.first"
        " join old_messages l on l.id = t.last where exists"
        " (select 1 from old_messages m where m.conversation = t.id and m.kind <> 'system') order by t.id"
    )
    taken: set[str] = set()
    rows = []
    for id, chat, name, size, people, first, last, when, clock, author, text, ended in _all(engine, query):
        candidates = conversation_ids("", name, when or clock or "", author, text)
        public = next(candidate for candidate in candidates if candidate not in taken)
        taken.add(public)
        rows.append((id, public, chat, first, last, size, people, when, ended))
    _insert(engine, conversations, rows)


def _copy_messages(engine: DatabaseEngine) -> None:
    """Messages keep their numbers; those of a channel are divided into days."""
    known = {id for (id,) in _all(engine, "select id from conversations")}
    query = "select chat, id, name, time, clock, author, text, kind, conversation from old_messages order by chat, id"
    next_day = 1
    for chat, rows in groupby(_all(engine, query), key=lambda row: row[0]):
        listed = list(rows)
        table, placed = _divided(chat, listed, next_day)
        next_day += len(table)
        _insert(engine, days, table)
        _insert(
            engine,
            messages,
            (
                (id, chat, day, ordinal, *row, None, False, talk if talk in known else None)
                for (_, id, *row, talk), (day, ordinal) in zip(listed, placed, strict=True)
            ),
        )


def _divided(chat: int, rows: list[Any], next_day: int) -> tuple[list[Any], list[tuple[int, int]]]:
    """The days of a channel as rows, and for each message its day and ordinal."""
    keys = list(_day_keys(rows))
    ids = {key: next_day + place for place, key in enumerate(dict.fromkeys(keys))}
    sizes = dict.fromkeys(ids, 0)
    placed = []
    counts = dict.fromkeys(ids, 0)
    for key, row in zip(keys, rows, strict=True):
        placed.append((ids[key], ordinal_of(key[0], ids[key], counts[key])))
        counts[key] += 1
        sizes[key] += row[3] is not None
    units = named_units({key[0]: sizes[key] for key in ids if key[0]})
    table = []
    before: tuple[str | None, int] | None = None
    for key, id in ids.items():
        follows = ids[before] if before and key[0] is None and before[0] is None else None
        table.append((id, chat, key[0], follows, sizes[key], units.get(key[0] or "", "undated")))
        before = key
    return table, placed


def _day_keys(rows: list[Any]) -> Iterator[tuple[str | None, int]]:
    """The date of each message, or which undated day of the channel it belongs to."""
    date = next((day_of(row[3]) for row in rows if row[3]), None)
    number, last = 0, ""
    for row in rows:
        if row[3]:
            date = day_of(row[3])
        elif date is None and row[4]:
            number, last = number + (row[4] < last), row[4]
        yield date, (0 if date else number)


def _all(engine: DatabaseEngine, query: str) -> list[Any]:
    return list(engine.execute(query).fetchall())


def _insert(engine: DatabaseEngine, table: Any, rows: Any) -> None:
    names = [column.name for column in table.columns]
    listed = [dict(zip(names, row, strict=True)) for row in rows]
    if listed:
        engine.connection.execute(table.insert(), listed)


STEPS: dict[int, Callable[[DatabaseEngine], None]] = {1: _one_table_of_vectors, 2: _channels_days_and_sources}
