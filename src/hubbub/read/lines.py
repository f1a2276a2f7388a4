"""Bytes to lines of text: UTF-8, and per line Windows-1252 where that fails."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from ..errors import TooLarge
from ..text import clean
from .source import Source
from .unpack import guard

BLOCK = 1 << 18
LONGEST_LINE = 1 << 26  # bytes of a line, characters of a value in JSON: beyond it is no message, but memory would be
LARGEST_DOCUMENT = 1 << 30  # bytes of a document that is held in memory as a whole
LONGEST_CELL = 2**31 - 1  # what the csv module takes by default is less than some messages have

# Every byte but the control characters, and but the two lead bytes behind which further ones may hide.
_NEVER_CLEANED = bytes({9, 10, 13, *range(32, 256)} - {0x7F, 0xC2, 0xEF})
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def decode(raw: bytes) -> str:
    """One line. The few bytes that are neither UTF-8 nor Windows-1252 become the replacement character."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def decode_block(raw: bytes) -> list[str]:
    """Whole lines at once: the fast way if all is UTF-8, else line by line."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return [line[:-1] if line.endswith("\r") else line for line in map(decode, raw.split(b"\n"))]
    if "\r" in text:
        return [line[:-1] if line.endswith("\r") else line for line in text.split("\n")]
    return text.split("\n")


def ends_in_returns(beginning: bytes) -> bool:
    """Whether lines end as they did on the first Macintoshes, in a carriage return alone."""
    return b"\n" not in beginning and b"\r" in beginning


def batches(source: Source) -> Iterator[list[str]]:
    """The lines of a source in lists, so that a hot loop pays for no generator step per line.

    Only a newline ends a line (a carriage return before it goes too), or a carriage return where there is no newline at
    all; an empty last line is no line.
    """
    for raw in _blocks(source):
        yield decode_block(raw)


def clean_batches(source: Source) -> Iterator[list[str]]:
    """The same, each line as people see it. Whether a block needs any cleaning is asked of its bytes, once."""
    for raw in _blocks(source):
        found = decode_block(raw)
        if raw.translate(None, _NEVER_CLEANED):  # isprintable() spares most lines the call of clean()
            found = [line if line.isprintable() else clean(line) for line in found]
        yield found


def lines(source: Source) -> Iterator[str]:
    for batch in batches(source):
        yield from batch


def text_of(source: Source) -> str:
    """A whole source as one string, for formats that are one document."""
    parts, size = list[str](), 0
    for part in text_parts(source):
        parts.append(part)
        size += len(part)
        if size > LARGEST_DOCUMENT:
            raise TooLarge(source.name, LARGEST_DOCUMENT)
    return "".join(parts).removesuffix("\n")


def text_parts(source: Source) -> Iterator[str]:
    """The same string, with the newline at its end, in parts of bounded length, however long its lines are."""
    rest = b""
    for part in _utf8_parts(source):
        data = rest + part
        cut = data.rfind(b"\n") + 1 or _whole_characters(data)
        if cut:
            yield "\n".join(decode_block(data[:cut]))
        rest = data[cut:]
    if rest:
        yield "\n".join(decode_block(rest))


def _whole_characters(data: bytes) -> int:
    """How many bytes there are before a UTF-8 character that the end of the data cuts."""
    for back in range(1, min(4, len(data) + 1)):
        if data[-back] >= 0xC0:
            return len(data) - back
        if data[-back] < 0x80:
            break
    return len(data)


def _blocks(source: Source) -> Iterator[bytes]:
    """Bytes cut at newlines, without the newline at the cut, without a byte order mark, UTF-16 turned to UTF-8.

    A line beyond LONGEST_LINE ends the reading with an error: what lies before it has been given.
    """
    rest: list[bytes] = []
    waiting, count = 0, 0
    for part in _utf8_parts(source):
        cut = part.rfind(b"\n")
        if waiting + (len(part) if cut < 0 else part.find(b"\n")) > LONGEST_LINE:
            raise TooLarge(source.name, LONGEST_LINE, f"line {count + 1:,}")
        if cut < 0:
            rest.append(part)
            waiting += len(part)
            continue
        block = b"".join((*rest, part[:cut]))
        rest = [part[cut + 1 :]] if cut + 1 < len(part) else []
        waiting = len(part) - cut - 1
        count += block.count(b"\n") + 1
        yield block
        del block  # while the next one is put together
    if rest:
        yield b"".join(rest)


def _utf8_parts(source: Source) -> Iterator[bytes]:
    with source.open() as stream, guard(source.name):
        first = stream.read(BLOCK)
        name = _UTF16.get(first[:2])
        decoder = codecs.getincrementaldecoder(name)("replace") if name else None
        part = first[2:] if decoder else first.removeprefix(codecs.BOM_UTF8)
        returns_only = ends_in_returns(first)
        while part:
            told = decoder.decode(part).encode("utf-8", "replace") if decoder else part
            yield told.replace(b"\r", b"\n") if returns_only else told
            part = stream.read(BLOCK)
