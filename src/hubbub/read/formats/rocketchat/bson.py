"""BSON, as mongodump writes it: documents one after the other, every length checked."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from ....errors import Broken

_DEEPEST = 100
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def documents(data: bytes, name: str) -> Iterator[dict[str, Any]]:
    """Every document of a dump."""
    position = 0
    while position < len(data):
        cursor = _Cursor(data, position, name)
        yield dict(cursor.document(0))
        position = cursor.position


def looks_like(head: bytes) -> bool:
    """Whether this starts as a BSON document: a length, then an element of a known type with a name."""
    if len(head) < 7 or head[4] not in _READERS:
        return False
    length: int = struct.unpack_from("<i", head)[0]
    end = head.find(b"\x00", 5, 200)
    return 5 <= length <= 1 << 24 and end > 5 and head[5:end].isascii() and head[5:end].decode("ascii").isprintable()


class _Cursor:
    def __init__(self, data: bytes, position: int, name: str) -> None:
        self.data = data
        self.position = position
        self.name = name

    def broken(self, reason: str) -> Broken:
        return Broken(self.name, f"byte {self.position}: {reason}")

    def take(self, length: int) -> bytes:
        end = self.position + length
        if length < 0 or end > len(self.data):
            raise self.broken("a value reaches past the end")
        taken = self.data[self.position : end]
        self.position = end
        return taken

    def number(self, shape: str) -> Any:
        return struct.unpack(shape, self.take(struct.calcsize(shape)))[0]

    def key(self) -> str:
        end = self.data.find(b"\x00", self.position)
        if end < 0:
            raise self.broken("a name has no end")
        raw = self.take(end - self.position)
        self.position += 1
        return raw.decode("utf-8", "replace")

    def text(self) -> str:
        length = self.number("<i")
        if length < 1:
            raise self.broken("a text of no length")
        return self.take(length)[:-1].decode("utf-8", "replace")

    def document(self, depth: int) -> Iterator[tuple[str, Any]]:
        if depth > _DEEPEST:
            raise self.broken("documents are nested too deep")
        end = self.position + self.number("<i")
        if end > len(self.data) or end < self.position + 1:
            raise self.broken("a document of a wrong length")
        while (code := self.number("<B")) != 0:
            if code not in _READERS:
                raise self.broken(f"no value has the type {code}")
            key = self.key()
            yield key, _READERS[code](self, depth)
        if self.position != end:
            raise self.broken("a document does not end where it says")


def _embedded(cursor: _Cursor, depth: int) -> dict[str, Any]:
    return dict(cursor.document(depth + 1))


def _array(cursor: _Cursor, depth: int) -> list[Any]:
    return [value for _, value in cursor.document(depth + 1)]


def _binary(cursor: _Cursor, depth: int) -> bytes:
    length = cursor.number("<i")
    cursor.take(1)
    return cursor.take(length)


def _date(cursor: _Cursor, depth: int) -> datetime | None:
    try:
        return _EPOCH + timedelta(milliseconds=cursor.number("<q"))
    except OverflowError:
        return None


def _expression(cursor: _Cursor, depth: int) -> str:
    return f"/{cursor.key()}/{cursor.key()}"


def _scoped_code(cursor: _Cursor, depth: int) -> str:
    cursor.take(4)
    code = cursor.text()
    _embedded(cursor, depth)
    return code


def _pointer(cursor: _Cursor, depth: int) -> str:
    return f"{cursor.text()}/{cursor.take(12).hex()}"


def _text(cursor: _Cursor, depth: int) -> str:
    return cursor.text()


def _nothing(cursor: _Cursor, depth: int) -> None:
    return None


_READERS: dict[int, Callable[[_Cursor, int], Any]] = {
    0x01: lambda cursor, depth: cursor.number("<d"),
    0x02: _text,
    0x03: _embedded,
    0x04: _array,
    0x05: _binary,
    0x06: _nothing,
    0x07: lambda cursor, depth: cursor.take(12).hex(),
    0x08: lambda cursor, depth: cursor.take(1) != b"\x00",
    0x09: _date,
    0x0A: _nothing,
    0x0B: _expression,
    0x0C: _pointer,
    0x0D: _text,
    0x0E: _text,
    0x0F: _scoped_code,
    0x10: lambda cursor, depth: cursor.number("<i"),
    0x11: lambda cursor, depth: cursor.number("<Q"),
    0x12: lambda cursor, depth: cursor.number("<q"),
    0x13: lambda cursor, depth: cursor.take(16).hex(),
    0x7F: _nothing,
    0xFF: _nothing,
}
