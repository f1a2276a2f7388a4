"""Files that hold several chats one after the other, each under a heading line of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..input.lines import lines
from ..input.source import Source, rewindable


class LineRange(NamedTuple):
    """The lines of one chat: from line `start`, which counts from 1, up to but without line `end`."""

    heading: str
    start: int
    end: int | None


class Parts:
    """Cuts a file at its headings. What stands before the first heading belongs to the first part.

    Parts that are taken in order are read in one pass; any other order begins the file again.
    """

    def __init__(self, source: Source, is_heading: Callable[[str], bool]) -> None:
        self._source = rewindable(source)
        self._rest: Iterator[str] = iter(())
        self._next = 0
        found = [(number, line) for number, line in enumerate(lines(self._source), 1) if is_heading(line)]
        starts = [1, *(number for number, _ in found[1:])]
        ends = [*starts[1:], None]
        self.all = [LineRange(line, start, end) for (_, line), start, end in zip(found, starts, ends, strict=False)]

    def lines(self, part: LineRange) -> Iterator[tuple[int, str]]:
        """The numbered lines of one part."""
        if self._next != part.start:
            self._rest, self._next = lines(self._source), 1
        for line in self._rest:
            number = self._next
            self._next += 1
            if number >= part.start:
                yield number, line
            if self._next == part.end:
                return
