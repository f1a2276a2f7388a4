"""Marked spans of a message's text, each with a note behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from .style import PLAIN, QUIET, Line, Segment, Style
from .wrap import drawable


class Mark(NamedTuple):
    """A span of a text, its style, and the note that follows it."""

    start: int
    end: int
    style: Style
    note: str = ""


Marks = Mapping[int, Sequence[Mark]]
NO_MARKS: Marks = {}


def marked(text: str, marks: Sequence[Mark], style: Style = PLAIN) -> Line:
    """The text with its marks; where one lies inside another the inner shows, and notes stand where marks end."""
    valid = inside(text, marks) if marks else ()
    if not valid:
        return (Segment(drawable(text), style),)
    return tuple(segment for segment in _pieces(text, valid, style) if segment.text)


def inside(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """The marks that are spans of the text; files may bring others."""
    return [mark for mark in marks if 0 <= mark.start < mark.end <= len(text)]


def _pieces(text: str, marks: Sequence[Mark], style: Style) -> Iterator[Segment]:
    """Sweeps over the ends of marks with a heap of the open ones: n log n for n marks."""
    shortest_first = sorted(marks, key=lambda mark: mark.end - mark.start)
    edges = sorted({0, len(text), *(edge for mark in marks for edge in (mark.start, mark.end))})
    ending: dict[int, list[Mark]] = {}
    for mark in shortest_first:
        ending.setdefault(mark.end, []).append(mark)
    opening = sorted(range(len(marks)), key=lambda rank: -shortest_first[rank].start)
    open_ranks: list[int] = []  # a heap: the shortest mark over an offset is on top, once those that ended are gone
    for start, end in zip(edges, [*edges[1:], len(text)], strict=True):
        for ended in ending.get(start, ()):
            if ended.note:
                yield Segment(ended.note, Style(color=ended.style.color) if ended.style.color else QUIET)
        while opening and shortest_first[opening[-1]].start <= start:
            heappush(open_ranks, opening.pop())
        while open_ranks and shortest_first[open_ranks[0]].end <= start:
            heappop(open_ranks)
        over = shortest_first[open_ranks[0]] if open_ranks else None
        yield Segment(drawable(text[start:end]), style if over is None else style + over.style)
