"""Messages into an archive, batch by batch, each batch whole or not at all."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ..chat import Message
from ..text import whole
from .archive import Archive

BATCH = 2_000
REACH = 20_000


class Judged(NamedTuple):
    """A message, how many messages back those are that it answers (0: none), and how sure each is."""

    message: Message
    back: tuple[int, ...]
    scores: tuple[float, ...]


def add(archive: Archive, name: str, format: str, judged: Iterable[Judged]) -> Iterator[tuple[int, int]]:
    """Adds what the archive does not have yet; after each batch, how many passed and how many of them were new."""
    name = whole(name)
    with archive.transaction() as connection:
        connection.execute("insert or ignore into chats (name, format) values (?, ?)", (name, format))
        (chat,) = connection.execute("select id from chats where name = ?", (name,)).fetchone()
    pen = _Pen(chat, name)
    stream = (each._replace(message=_storable(each.message)) for each in judged)
    while batch := list(islice(stream, BATCH)):
        with archive.transaction() as connection:
            new = sum(pen.write(connection, each) for each in batch)
        yield len(batch), new


def _storable(message: Message) -> Message:
    """SQLite holds UTF-8, which a broken half of a character is not."""
    if message.id.isascii() and message.author.isascii() and message.text.isascii():
        return message
    return message._replace(id=whole(message.id), author=whole(message.author), text=whole(message.text))


class _Pen:
    """Writes one chat. It remembers where the last messages went, to which those to come may answer."""

    def __init__(self, chat: int, name: str) -> None:
        self.chat, self.name = chat, name
        self.seen: Counter[bytes] = Counter()
        self.rows: deque[tuple[int, int]] = deque(maxlen=REACH)

    def write(self, connection: sqlite3.Connection, judged: Judged) -> bool:
        digest = self._digest(judged.message)
        found = connection.execute("select id, conversation from messages where digest = ?", (digest,)).fetchone()
        self.rows.append(found or self._insert(connection, judged, digest))
        return found is None

    def _digest(self, message: Message) -> bytes:
        """The same for the same message in every run; equal messages are told apart by their order."""
        when = message.time or message.clock
        parts = (self.name, when.isoformat() if when else "", message.author, message.kind, message.text)
        body = hashlib.blake2b("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=12).digest()
        self.seen[body] += 1
        return body + self.seen[body].to_bytes(4, "big")

    def _insert(self, connection: sqlite3.Connection, judged: Judged, digest: bytes) -> tuple[int, int]:
        message = judged.message
        parents = [self.rows[-distance] for distance in judged.back if 0 < distance <= len(self.rows)]
        conversation = parents[0][1] if parents else self._begin(connection)
        time, clock = (each.isoformat() if each else None for each in (message.time, message.clock))
        values = (self.chat, digest, message.id, time, clock, message.author, message.text, message.kind, conversation)
        place = connection.execute(
            "insert into messages (chat, digest, name, time, clock, author, text, kind, conversation)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        ).lastrowid
        assert place is not None
        connection.execute("insert into words (rowid, text) values (?, ?)", (place, message.text))
        connection.executemany(
            "insert or ignore into replies (message, parent, score) values (?, ?, ?)",
            [(place, parent, score) for (parent, _), score in zip(parents, judged.scores, strict=False)],
        )
        self._grow(connection, conversation, place, message)
        return place, conversation

    def _begin(self, connection: sqlite3.Connection) -> int:
        made = connection.execute(
            "insert into conversations (chat, first, last, size, people) values (?, 0, 0, 0, 0)", (self.chat,)
        ).lastrowid
        assert made is not None
        return made

    def _grow(self, connection: sqlite3.Connection, conversation: int, place: int, message: Message) -> None:
        """One message more, and one person more if nobody of that name spoke in it before."""
        known = connection.execute(
            "select 1 from messages where conversation = ? and author = ? and id <> ? limit 1",
            (conversation, message.author, place),
        ).fetchone()
        connection.execute(
            "update conversations set first = case size when 0 then :place else first end, last = :place,"
            " size = size + 1, people = people + :newcomers where id = :conversation",
            {"place": place, "newcomers": 0 if known else 1, "conversation": conversation},
        )
