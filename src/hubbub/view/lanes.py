"""Conversations side by side: which column each one runs in, from its first message to its last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..layers import ReplyGraph
from .style import PALETTE, QUIET, Line, Span, Style

MOST = 8
_SAID, _RUNS, _ALONE = "●", "│", "·"


@dataclass(frozen=True, slots=True)
class Lanes:
    """For every position the conversations that run past it, column by column; None is a free column."""

    columns: tuple[tuple[int | None, ...], ...]
    conversation_of: tuple[int, ...]
    last: tuple[int, ...]

    @classmethod
    def of(cls, graph: ReplyGraph, most: int = MOST) -> Lanes:
        conversations = graph.conversations()
        conversation_of = [0] * len(graph.parents)
        for number, positions in enumerate(conversations):
            for position in positions:
                conversation_of[position] = number
        last = tuple(positions[-1] for positions in conversations)
        columns = _columns([positions[0] for positions in conversations], last, conversation_of, most)
        return cls(columns, tuple(conversation_of), last)

    def width(self) -> int:
        """How many terminal columns the gutter takes."""
        rows = zip(self.columns, self.conversation_of, strict=True)
        used = max((len(row) + (own not in row and None not in row) for row, own in rows), default=1)
        return 2 * used

    def gutter(self, position: int, height: int, is_system: bool = False) -> list[Line]:
        """The gutter beside a message that is so many lines high."""
        return [self._line(position, number, is_system) for number in range(height)]

    def _line(self, position: int, number: int, is_system: bool) -> Line:
        own = self.conversation_of[position]
        spans: list[Span] = []
        for conversation in self.columns[position]:
            letter = self._letter(conversation, own, position, number)
            spans.append(Span(letter + " ", Style(colour_of(conversation)) if conversation is not None else QUIET))
        if own not in self.columns[position] and number == 0 and not is_system:
            spans = _with_dot(spans, own)
        return tuple(spans)

    def _letter(self, conversation: int | None, own: int, position: int, number: int) -> str:
        if conversation is None:
            return " "
        if conversation != own:
            return _RUNS
        return _SAID if number == 0 else _RUNS if self.last[own] > position else " "


def _with_dot(spans: list[Span], conversation: int) -> list[Span]:
    """A message that runs in no column shows in the first free one, or behind the last."""
    dot = Span(_ALONE + " ", Style(colour_of(conversation)))
    free = next((place for place, span in enumerate(spans) if not span.text.strip()), len(spans))
    return [*spans[:free], dot, *spans[free + 1 :]]


def _columns(
    first: Sequence[int], last: Sequence[int], conversation_of: Sequence[int], most: int
) -> tuple[tuple[int | None, ...], ...]:
    """Each conversation of two or more messages takes the leftmost free column; beyond `most` it has none."""
    running: list[int | None] = []
    rows = []
    for position, conversation in enumerate(conversation_of):
        if first[conversation] == position < last[conversation]:
            place = next((n for n, other in enumerate(running) if other is None), len(running))
            if place < most:
                running[place : place + 1] = [conversation]
        rows.append(tuple(running))
        if last[conversation] == position and conversation in running:
            running[running.index(conversation)] = None
        while running and running[-1] is None:
            running.pop()
    return tuple(rows)


def colour_of(conversation: int) -> int:
    """Neighbours in number are far apart in colour."""
    return PALETTE[conversation * 5 % len(PALETTE)]
