"""Spans of a text that are not natural language: addresses, paths, options of commands and channels.

A text is processed chunk by chunk between its spaces, so that time is linear in its length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ...text import Span

_PATH = re.compile(r"[~\[(\"]*/[\w.]")
_OPTION = re.compile(r"-[a-z]\b")
_INSIDE = re.compile(r"#\w+|www\.\S+")
_DOMAIN = re.compile(r"\.\w+")


def code_places(text: str, spans: Sequence[Span]) -> frozenset[int]:
    """Which of the words that stand there begin where there is no speech; whoever's name they hold, nobody is meant."""
    found, starts = set[int](), [start for start, _ in spans]
    for start, end in code_spans(text):
        found.update(range(bisect_left(starts, start), bisect_left(starts, end)))
    return frozenset(found)


def code_spans(text: str) -> list[Span]:
    """Where there is no speech in a text, in order."""
    if "/" not in text and "#" not in text and "@" not in text and "-" not in text and "www." not in text:
        return []
    return [span for chunk in re.finditer(r"\S+", text) for span in _in_chunk(chunk[0], chunk.start())]


def _in_chunk(chunk: str, at: int) -> Iterator[Span]:
    """The same for a chunk without spaces that begins at a place of the text."""
    if chunk.count("/") > 1 or _PATH.match(chunk):
        yield at, at + len(chunk)
        return
    here = 0
    if option := _OPTION.match(chunk):
        here = option.end()
        yield at, at + here
    # Where the last @ of an address stands that has a domain behind it, and where that ends; -1 if there is none.
    name_end = mail_end = -1
    if domains := list(_DOMAIN.finditer(chunk)) if "@" in chunk else []:
        name_end, mail_end = chunk.rfind("@", 0, max(0, domains[-1].start() - 1)), domains[-1].end()
    while here < len(chunk):
        found = _INSIDE.match(chunk, here)
        if not found and name_end > here:
            yield at + here, at + mail_end
            here = mail_end
            continue
        found = found or _INSIDE.search(chunk, here)
        if not found:
            return
        yield at + found.start(), at + found.end()
        here = found.end()
