"""CSV out: every table that hubbub writes goes through here.

Control characters other than tab and newline, and those that reverse the order of a text, are written as \\x1b and
\\u202e, a lone surrogate as U+FFFD. With `spreadsheet_safe`, a text that a spreadsheet would run as a formula gets an
apostrophe before it, as OWASP recommends; that changes the data, so it happens only where it is asked for.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

from .text import controls_escaped, whole

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class CsvWriter:
    """Writes rows of texts, numbers and None."""

    def __init__(self, out: TextIO, *, ending: str = "\n", spreadsheet_safe: bool = False) -> None:
        self._table = csv.writer(out, lineterminator=ending)
        self._spreadsheet_safe = spreadsheet_safe

    def row(self, cells: Iterable[object]) -> None:
        self._table.writerow([self._cell(cell) if isinstance(cell, str) else cell for cell in cells])

    def rows(self, rows: Iterable[Iterable[object]]) -> None:
        for cells in rows:
            self.row(cells)

    def _cell(self, text: str) -> str:
        shown = controls_escaped(whole(text))
        return f"'{shown}" if self._spreadsheet_safe and text.startswith(FORMULA) else shown
