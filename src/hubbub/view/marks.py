"""Stretches of a message's text that are marked, each with a note behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    for start, end in zip(edges, [*edges[1:], len(text)], strict=True):
        for ended in shortest_first:
            if ended.end == start and ended.note:
                yield Span(ended.note, QUIET if ended.style.colour is None else Style(ended.style.colour))
        over = next((mark for mark in shortest_first if mark.start <= start < mark.end), None)
        look = style if over is None else over.style._replace(italic=style.italic, bold=style.bold)
        yield Span(drawable(text[start:end]), look)
