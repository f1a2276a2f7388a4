"""Queries on standard input, one a line, as they come."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from typing import BinaryIO, cast

from ..errors import Broken, Empty, NotText, TooLong

CHUNK = 1 << 16
LONGEST = 100_000
STDIN = "<stdin>"

_HEADER = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"hubbub"\s*:')


def is_hubbub_pipe() -> bool:
    """Whether what comes in is a chat from another verb; nothing of it is used up."""
    return bool(_HEADER.match(cast(io.BufferedReader, sys.stdin.buffer).peek(64)))


def query_batches(stream: BinaryIO) -> Iterator[list[str]]:
    """The lines of each piece that arrives, blank ones too, so that answers come as soon as queries do."""
    rest, count, anything = b"", 0, False
    while chunk := cast(io.BufferedReader, stream).read1(CHUNK):
        anything = True
        *lines, rest = (rest + chunk).split(b"\n")
        if lines:
            yield [_query(line, number) for number, line in enumerate(lines, count + 1)]
        count += len(lines)
        if len(rest) > 4 * LONGEST:
            raise TooLong(f"{STDIN}, line {count + 1}", LONGEST)
    if not anything:
        raise Empty(STDIN)
    if rest:
        yield [_query(rest, count + 1)]


def _query(line: bytes, number: int) -> str:
    if b"\0" in line:
        raise NotText(STDIN)
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\r")
    except UnicodeDecodeError:
        raise Broken(STDIN, f"line {number} is no text in UTF-8") from None
    if len(text) > LONGEST:
        raise TooLong(f"{STDIN}, line {number}", LONGEST)
    return text
