"""Tables of figures as aligned text, Markdown or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TextIO

from ..csv_output import CsvWriter
from ..text import printable, whole

Cell = str | int | float | None


class DataTable(NamedTuple):
    """A heading, the names of the columns, and rows; None is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]

    def text(self) -> str:
        """Aligned columns, numbers to the right; the last column is not padded."""
        shown = [self.columns, *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        right = [self._is_number(place) for place in range(len(self.columns))]
        return "\n".join(_aligned(row, widths, right) for row in shown)

    def markdown(self) -> str:
        marks = ("--:" if self._is_number(place) else "---" for place in range(len(self.columns)))
        rows = [self.columns, tuple(marks), *(tuple(markdown_text(_shown(cell)) for cell in row) for row in self.rows)]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def write_csv(self, out: TextIO, *, spreadsheet_safe: bool = False) -> None:
        CsvWriter(out, spreadsheet_safe=spreadsheet_safe).rows([self.columns, *self.rows])

    def _is_number(self, place: int) -> bool:
        cells = [row[place] for row in self.rows if row[place] is not None]
        return bool(cells) and all(isinstance(cell, int | float) for cell in cells)


def markdown_text(text: str) -> str:
    """A text on one line in which nothing is markup: of Markdown, of HTML, or of a table."""
    marked = "\\`*_[]<>|#~"
    return "".join(f"\\{each}" if each in marked else each for each in " ".join(text.split()))


def _shown(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:,.2f}".rstrip("0").rstrip(".")
    return f"{cell:,}" if isinstance(cell, int) else printable(whole(" ".join((cell or "").split())))


def _aligned(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [
        f"{cell:>{width}}" if is_right else f"{cell:<{width}}"
        for cell, width, is_right in zip(row, widths, right, strict=True)
    ]
    return "  ".join(cells).rstrip()
