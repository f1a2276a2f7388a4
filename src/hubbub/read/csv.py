"""Tables in text: cells between commas, semicolons, bars or tabs, as the content tells; the first line names them."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from ..errors import WrongFormat
from ..text import controls_restored
from .format import Clue, Format, Options, Report, Sample, Stream
from .lines import LONGEST_CELL, lines
from .source import HEAD, Source, rewindable
from .table import OWN, Columns, Row, Table, chats, plain_name, table_clue

DELIMITERS = ",;|\t"


@dataclass(frozen=True, slots=True)
class Layout:
    """How cells are told apart, and how much of a sample fits that."""

    delimiter: str
    quoted: bool
    columns: tuple[str, ...]
    share: float

    def fit(self, said: Iterable[str]) -> tuple[bool, bool, float, int]:
        """The larger, the better: it has the columns that the user named, one of text, and rows as wide as them."""
        plain = set(map(plain_name, self.columns))
        named = all(plain_name(column) in plain for column in said)
        return named, "text" in Columns().of(self.columns), self.share, len(self.columns)


def cells(
    source_lines: Iterable[str], delimiter: str, quoted: bool, strict: bool = False
) -> Iterator[tuple[int, list[str] | None]]:
    """Rows with the number of their first line; None for one that is no row. A NUL is dropped."""
    csv.field_size_limit(LONGEST_CELL)
    whole = (line.replace("\0", "") + "\n" for line in source_lines)
    reader = csv.reader(
        whole, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, strict=strict
    )
    while True:
        number = reader.line_num + 1
        try:
            yield number, next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield number, None


def layout(sample_lines: list[str], delimiters: str, said: Collection[str] = ()) -> Layout:
    """The layout that fits a sample best; cells in quotes unless quotes are no more than marks in the text."""
    tried = [_try(sample_lines, delimiter, quoted) for delimiter in delimiters for quoted in (True, False)]
    return max(tried, key=lambda one: one.fit(said))


def _try(sample_lines: list[str], delimiter: str, quoted: bool) -> Layout:
    rows = [row for _, row in cells(sample_lines, delimiter, quoted, strict=True) if row != []]
    if not rows or not rows[0]:
        return Layout(delimiter, quoted, (), 0.0)
    columns = _names(rows[0])
    fitting = sum(1 for row in rows[1:] if row and len(row) == len(columns))
    return Layout(delimiter, quoted, columns, fitting / (len(rows) - 1) if rows[1:] else 1.0)


def _names(row: list[str]) -> tuple[str, ...]:
    """Column names, each its own: a name that is missing or comes again gets its place."""
    names: dict[str, None] = {}
    for place, cell in enumerate(row, 1):
        name = cell.strip().lstrip("\ufeff")
        names[name if name and name not in names else f"{name or 'column'} {place}"] = None
    return tuple(names)


def sniff(delimiters: str, sample: Sample) -> Clue | None:
    if sample.json_start or not sample.lines or not (sample.columns or _has_text_column(sample.lines[0])):
        return None
    found = layout(sample.lines, DELIMITERS, sample.columns.values())
    if len(sample.lines) == 1 and len(sample.head) < HEAD and found.columns != OWN:
        return None
    return table_clue(found.columns, found.share, sample.columns) if found.delimiter in delimiters else None


def _has_text_column(line: str) -> bool:
    return any("text" in Columns().of(_names(line.split(delimiter))) for delimiter in DELIMITERS)


def read(format: str, delimiters: str, source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    beginning = Sample(source).lines
    found = layout(beginning, delimiters, options.columns.values())
    if not found.columns:
        raise WrongFormat(source.name, format, "it has no row of column names")
    sample = [row for _, row in _rows(source.name, beginning, found, Report())]
    yield from chats(Table(source.name, format, found.columns, sample, partial(_all_rows, source, found)), options)


def _all_rows(source: Source, found: Layout, report: Report) -> Iterator[tuple[int, Row]]:
    return _rows(source.name, lines(source), found, report)


class Counted:
    """Lines that are counted as they are taken."""

    def __init__(self, source_lines: Iterable[str]) -> None:
        self.count = 0
        self._lines = iter(source_lines)

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.count += 1
            yield line


def _rows(where: str, source_lines: Iterable[str], found: Layout, report: Report) -> Iterator[tuple[int, Row]]:
    width, header, own, taken = len(found.columns), True, found.columns == OWN, Counted(source_lines)
    for number, row in cells(taken, found.delimiter, found.quoted):
        further = taken.count - number  # the lines of a row whose cells have line breaks in them, but the first
        report.total += further
        report.continued += further
        fits = row is not None and len(row) == width and any(row) and not header
        report.total += not fits  # a row that fits is counted where it becomes a message
        if row is None:
            report.unexplain(where, number, "a row that is broken")
        elif not row or not any(row):
            report.skip(where, number, "blank line")
        elif header:
            header = False
            report.skip(where, number, "the names of the columns")
        elif len(row) != width:
            report.unexplain(where, number, f"{'more' if len(row) > width else 'fewer'} cells than there are columns")
        else:
            yield number, dict(zip(found.columns, map(controls_restored, row) if own else row, strict=True))


FORMAT = Format("csv", partial(sniff, ",;|"), partial(read, "csv", DELIMITERS))
