"""Tables for people: aligned columns that fit the terminal; a pipe gets every row as one line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence

NARROWEST_COLUMN = 20  # a last column with less room than this stands below its row instead
GAP = "  "


def table(rows: Sequence[Sequence[str]], indent: int = 0) -> str:
    """Rows with aligned columns; the last column is not padded, but wrapped where the terminal ends."""
    return "\n".join(lines(rows, shutil.get_terminal_size().columns if sys.stdout.isatty() else None, indent))


def lines(rows: Sequence[Sequence[str]], width: int | None, indent: int = 0) -> Iterator[str]:
    from ..view.wrap import display_width

    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)][:-1]
    start = indent + sum(widths) + len(GAP) * len(widths)
    longest = max(display_width(row[-1]) for row in rows)
    for row in rows:
        cells = [cell + " " * (size - display_width(cell)) for cell, size in zip(row, widths, strict=False)]
        if width is None or start + longest <= width:
            yield (" " * indent + GAP.join([*cells, row[-1]])).rstrip()
        elif width - start >= NARROWEST_COLUMN:
            yield from _hanging(GAP.join([*cells, ""]), row[-1], width, indent, start)
        else:
            yield from _hanging("", GAP.join(filter(None, map(str.strip, row[:-1]))), width, indent, indent)
            yield from _hanging("", row[-1], width, indent + 2, indent + 2)


def _hanging(before: str, text: str, width: int, indent: int, start: int) -> Iterator[str]:
    """A text wrapped in the columns from `start` on, with something before its first line."""
    from ..view.style import Segment, plain
    from ..view.wrap import wrap

    for number, line in enumerate(wrap((Segment(text),), max(width - start, 1)) if text else []):
        yield (" " * indent + before if number == 0 else " " * start) + plain(line)
