"""Bytes to lines of text: UTF-8, and per line Windows-1252 where that fails."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import cast

from ...errors import TooLarge
from ...text import clean
from .decompression import guard
from .source import Source

BLOCK = 1 << 18
MAX_HELD_RETURNS = 1 << 16  # carriage returns that wait for their newline: more are blank lines, not one line end
LONGEST_LINE = 1 << 26  # bytes of a line, characters of a value in JSON: beyond it is no message, but memory would be
LARGEST_DOCUMENT = 1 << 30  # bytes of a document that is held in memory as a whole
LONGEST_CELL = 2**31 - 1  # what the csv module takes by default is less than some messages have

# 1 for the bytes of what `clean` may remove: control characters, and the lead bytes of those that UTF-8 writes in two.
_MAY_BE_CLEANED = bytes(int((byte < 32 and byte not in (9, 10)) or byte in (0x7F, 0xC2, 0xEF)) for byte in range(256))
_RETURNS = re.compile(rb"(?<!\r)\r++\n")  # tried once a run of carriage returns, so that a long run takes linear time
_ZEROS = 0.1  # of all characters in UTF-16; spaces, digits and line ends alone are as many in any script
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def utf16_of(beginning: bytes) -> str:
    """The kind of UTF-16 that a text is in, by its byte order mark or its zero bytes; "" if it is in none."""
    if named := _UTF16.get(beginning[:2]):
        return named
    sample = beginning[: len(beginning) // 2 * 2]
    low, high = sample[::2].count(0), sample[1::2].count(0)
    pairs = len(sample) // 2
    if high > _ZEROS * pairs and not low and b"\n\0" in sample:
        return "utf-16-le"
    return "utf-16-be" if low > _ZEROS * pairs and not high and b"\0\n" in sample else ""


def decode(raw: bytes) -> str:
    """One line. The few bytes that are neither UTF-8 nor Windows-1252 become the replacement character."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def decode_block(raw: bytes) -> list[str]:
    """Whole lines at once: the fast way if all is UTF-8, else line by line."""
    try:
        return raw.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return [decode(line) for line in raw.split(b"\n")]


def with_newlines(raw: bytes) -> bytes:
    """The same text with a newline at every line end: CR LF, of which some programs write several CR, or CR alone.

    One file may have all of them, if several programs or systems wrote it.
    """
    if b"\r" not in raw:
        return raw
    raw = raw.replace(b"\r\n", b"\n")
    return _RETURNS.sub(b"\n", raw).replace(b"\r", b"\n") if b"\r" in raw else raw


def batches(source: Source) -> Iterator[list[str]]:
    """The lines of a source in lists, so that a hot loop pays for no generator step per line.

    A newline, a carriage return or both end a line; an empty last line is no line.
    """
    for raw in _blocks(source):
        yield decode_block(raw)


def clean_batches(source: Source) -> Iterator[list[str]]:
    """The same, each line as people see it. Only lines with a byte that may be cleaned are looked at."""
    for raw in _blocks(source):
        found = decode_block(raw)
        marks = raw.translate(_MAY_BE_CLEANED)
        place = marks.find(1)
        number = begin = 0
        while place >= 0:
            number += raw.count(b"\n", begin, place)
            found[number] = clean(found[number])
            begin = raw.find(b"\n", place)
            place = marks.find(1, begin) if begin >= 0 else -1
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
    """Blocks without a byte order mark, in UTF-8, with a newline at every line end."""
    with source.open() as stream, guard(source.name):
        read = cast(io.BufferedReader, stream).read1 if source.is_live else stream.read
        part = read(BLOCK)
        encoding = utf16_of(part)
        decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) if encoding else (codecs.BOM_UTF8,):
            part = part.removeprefix(mark)
        returns = b""  # at the end of a block: the newline of the same line end may come with the next one
        while part:
            text = returns + (decoder.decode(part).encode("utf-8", "replace") if decoder else part)
            ended = len(text) - len(text.rstrip(b"\r"))
            returns = text[-ended:] if 0 < ended < MAX_HELD_RETURNS else b""
            if text := with_newlines(text[: len(text) - len(returns)]):
                yield text
            part = read(BLOCK)
        if returns:
            yield with_newlines(returns)
