"""Stretches of a message's text that are marked, each with a note behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from .style import PLAIN, QUIET, Line, Span, Style
from .wrap import drawable


class Mark(NamedTuple):
    """From where to where, what it looks like, and what is to be said of it."""

    start: int
    end: int
    style: Style
    note: str = ""


Marks = Mapping[int, Sequence[Mark]]
NO_MARKS: Marks = {}


def marked(text: str, marks: Sequence[Mark], style: Style = PLAIN) -> Line:
    """The text with its marks; where one lies inside another the inner shows, and notes stand where marks end."""
    inside = [mark for mark in marks if 0 <= mark.start < mark.end <= len(text)]
    if not inside:
        return (Span(drawable(text), style),)
    return tuple(span for span in _pieces(text, inside, style) if span.text)


def _pieces(text: str, marks: Sequence[Mark], style: Style) -> Iterator[Span]:
    shortest_first = sorted(marks, key=lambda mark: mark.end - mark.start)
    edges = sorted({0, len(text), *(edge for mark in marks for edge in (mark.start, mark.end))})
    ending: dict[int, list[Mark]] = {}
    for mark in shortest_first:
        ending.setdefault(mark.end, []).append(mark)
    opening = sorted(range(len(marks)), key=lambda rank: -shortest_first[rank].start)
    open_ranks: list[int] = []  # a heap: the shortest mark over a place is on top, once those that ended are gone
    for start, end in zip(edges, [*edges[1:], len(text)], strict=True):
        for ended in ending.get(start, ()):
            if ended.note:
                yield Span(ended.note, QUIET if ended.style.colour is None else Style(ended.style.colour))
        while opening and shortest_first[opening[-1]].start <= start:
            heappush(open_ranks, opening.pop())
        while open_ranks and shortest_first[open_ranks[0]].end <= start:
            heappop(open_ranks)
        over = shortest_first[open_ranks[0]] if open_ranks else None
        look = style if over is None else over.style._replace(italic=style.italic, bold=style.bold)
        yield Span(drawable(text[start:end]), look)
