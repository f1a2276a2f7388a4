"""Queries on standard input, one a line, as they come."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO, cast

from ..errors import Empty, InputError, NotText, TooLong

CHUNK = 1 << 16
LONGEST = 100_000
STDIN = "<stdin>"

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
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
        yield from _queries(lines, count + 1)
        count += len(lines)
        if len(rest) > 4 * LONGEST:
            raise TooLong(f"{STDIN}, line {count + 1}", LONGEST)
    if not anything:
        raise Empty(STDIN)
    if rest:
        yield from _queries([rest], count + 1)


def _queries(lines: Sequence[bytes], first: int) -> Iterator[list[str]]:
    """The lines in one batch; if there is a bad one, those before it get their answers first."""
    good: list[str] = []
    try:
        for number, line in enumerate(lines, first):
            good.append(_query(line, number))
    except InputError:
        if good:
            yield good
        raise
    if good:
        yield good


def _query(line: bytes, number: int) -> str:
    """A line as it was meant: UTF-8, or what Windows wrote."""
    if _CONTROL.search(line):
        raise NotText(STDIN)
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\r")
    except UnicodeDecodeError:
        text = line.decode("cp1252", "replace").removesuffix("\r")
    if len(text) > LONGEST:
        raise TooLong(f"{STDIN}, line {number}", LONGEST)
    return text
