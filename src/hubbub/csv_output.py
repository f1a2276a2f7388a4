"""CSV out: every table that hubbub writes goes through here.

Control characters other than tab and newline, and those that reverse the order of a text, are written as \\x1b and
\\u202e, a lone surrogate as U+FFFD. With `spreadsheet_safe`, a text that a spreadsheet would run as a formula gets an
apostrophe before it, as OWASP recommends; that changes the data, so it happens only where it is asked for. A text that
begins with apostrophes and such a sign gets another one, so that `restored_cell` is exact.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import TextIO

from .text import controls_escaped, controls_restored, whole

SAFE_COLUMN = "spreadsheet_safe"  # an empty column of this name, the last, says that apostrophes were put before texts
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")


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
        return f"'{shown}" if self._spreadsheet_safe and _FORMULA.match(text) else shown


def restored_cell(cell: str, spreadsheet_safe: bool) -> str:
    """The text that was written as this cell."""
    text = controls_restored(cell)
    return text[1:] if spreadsheet_safe and text.startswith("'") and _FORMULA.match(text) else text
