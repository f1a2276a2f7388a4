"""Tables in text: cells between commas, semicolons, bars or tabs, as the content tells.

The first line names the columns; where it is a row like any other, their content tells what they are.
"""

from __future__ import annotations

import csv
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from ....csv_output import restored_cell
from ....errors import OptionError, WrongFormat
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.lines import LONGEST_CELL, lines
from ...input.source import HEAD, Source, rewindable
from ...report import Report
from . import headless
from .table import (
    OWN,
    OWN_SAFE,
    ColumnRoles,
    Numbered,
    ParsedTable,
    chats,
    no_such_column,
    plain_name,
    skip,
    table_clue,
    unexplain,
)

DELIMITERS = ",;|\t"
_WHOLE = 0.9  # the share of rows of one width from which on lines without a heading may be a table
_UNNAMED = 0.6  # what a table without heading scores: less than one whose columns say what they are
_UNFIT = 0.4  # what rows without heading score that lack a column which the user named
_CUT_LINES = 3  # of a cell in quotes that does not end; a quote that is a mark in the text takes all lines after it
_LOG = logging.getLogger("hubbub")


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How cells are separated, and how much of a sample fits that.

    `heading`: whether the first row names the columns; if not, `guess` is what the columns are, if that is known, and
    `assumed` tells that nothing but the user's numbers of columns is against a heading.
    """

    delimiter: str
    quoted: bool
    columns: tuple[str, ...]
    share: float
    heading: bool = True
    guess: headless.Guess | None = None
    assumed: bool = False

    def fit(self, requested: Iterable[str]) -> tuple[bool, bool, float, int]:
        """The larger, the better: it has the columns that the user named, one of text, and rows as wide as them."""
        named = all(self.column(each) for each in requested)
        return named, "text" in ColumnRoles().of(self.columns), self.share, len(self.columns)

    def column(self, requested: str) -> str:
        """The column that the user means, by its name or else by its number, counted from 1; "" if there is none."""
        by_name = {plain_name(column): column for column in reversed(self.columns)}
        if found := by_name.get(plain_name(requested), ""):
            return found
        return self.columns[int(requested) - 1] if headless.is_place(requested, len(self.columns)) else ""


def cells(
    source_lines: Iterable[str], delimiter: str, quoted: bool, strict: bool = False
) -> Iterator[tuple[int, int, list[str] | None]]:
    """Rows with the number of their first line and how many lines they have; None for one that is no row.

    A NUL is dropped.
    """
    csv.field_size_limit(LONGEST_CELL)
    whole = (line.replace("\0", "") + "\n" for line in source_lines)
    reader = csv.reader(
        whole, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, strict=strict
    )
    while True:
        before = reader.line_num
        row: list[str] | None = None
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            pass
        yield before + 1, reader.line_num - before, row


def layout(sample_lines: list[str], delimiters: str, requested: Mapping[str, str]) -> CsvLayout:
    """The layout that fits a sample best; cells in quotes unless quotes are no more than marks in the text."""
    tried = [_try(sample_lines, delimiter, quoted) for delimiter in delimiters for quoted in (True, False)]
    best = max(tried, key=lambda one: one.fit(requested.values()))
    if _has_heading(sample_lines, best, requested):
        return best
    found = [one for each in tried if (one := _without_heading(sample_lines, each, requested))]
    otherwise = replace(
        best, heading="text" not in ColumnRoles().of(best.columns) and not headless.is_data(best.columns)
    )
    return max(found, key=lambda one: (one.guess is not None and one.guess.sure, len(one.columns)), default=otherwise)


def _has_heading(sample_lines: list[str], tried: CsvLayout, requested: Mapping[str, str]) -> bool:
    """Whether the first row names the columns: as the user says, else by the rows below it, else by its words."""
    by_number = bool(requested) and all(each.isdecimal() for each in requested.values())
    if requested and not by_number and all(tried.column(each) for each in requested.values()):
        return True
    is_row = headless.is_first_row(_whole_rows(sample_lines, tried))
    if is_row is not None:
        return not is_row
    roles = ColumnRoles().of(tried.columns)
    return bool(roles) if by_number else "text" in roles


def _whole_rows(sample_lines: list[str], tried: CsvLayout) -> list[list[str] | None]:
    return [row for _, _, row in cells(sample_lines, tried.delimiter, tried.quoted, strict=True) if row != []]


def _try(sample_lines: list[str], delimiter: str, quoted: bool) -> CsvLayout:
    found = [(size, row) for _, size, row in cells(sample_lines, delimiter, quoted, strict=True) if row != []]
    if len(found) > 2 and found[-1][1] is None and found[-1][0] <= _CUT_LINES:
        found.pop()  # the end of the sample, or of a file that was cut short, is inside quotes
    rows = [row for _, row in found]
    if not rows or not rows[0]:
        return CsvLayout(delimiter, quoted, (), 0.0)
    columns = _names(rows[0])
    fitting = sum(1 for row in rows[1:] if row and len(row) == len(columns))
    return CsvLayout(delimiter, quoted, columns, fitting / (len(rows) - 1) if rows[1:] else 1.0)


def _without_heading(sample_lines: list[str], tried: CsvLayout, requested: Mapping[str, str]) -> CsvLayout | None:
    """The same as a table whose first line is a row, if its content or the user says what its columns are."""
    if len(tried.columns) < 2 or tried.share < _WHOLE:
        return None
    rows = _whole_rows(sample_lines, tried)
    guess = headless.guess(rows)
    guess = headless.named(len(tried.columns), requested, guess) if requested else guess
    assumed = headless.is_first_row(rows) is None
    return replace(tried, columns=guess.columns, heading=False, guess=guess, assumed=assumed) if guess else None


def _names(row: list[str]) -> tuple[str, ...]:
    """Column names, each its own: a name that is missing or comes again gets its place."""
    names: dict[str, None] = {}
    for place, cell in enumerate(row, 1):
        name = cell.strip().lstrip("\ufeff")
        names[name if name and name not in names else f"{name or 'column'} {place}"] = None
    return tuple(names)


def sniff(delimiters: str, sample: Sample) -> Clue | None:
    if sample.json_start or not sample.lines:
        return None
    if not (sample.columns or _has_text_column(sample.lines[0]) or _has_columns(sample.lines[:3])):
        return None
    found = layout(sample.lines, DELIMITERS, sample.columns)
    if found.delimiter not in delimiters:
        return None
    if found.guess:
        why = "rows of one width with times or ids, names and texts, but without a heading"
        return Clue(_UNNAMED * found.share, why) if found.guess.sure else None
    if not found.heading:  # reading it says which of the columns that the user named it lacks
        is_table = sample.columns and len(found.columns) > 1 and found.share >= _WHOLE
        return Clue(_UNFIT * found.share, "a table, though without a column that --columns names") if is_table else None
    if len(sample.lines) == 1 and len(sample.head) < HEAD and found.columns not in (OWN, OWN_SAFE):
        return None
    return table_clue(found.columns, found.share, sample.columns)


def _has_text_column(line: str) -> bool:
    return any("text" in ColumnRoles().of(_names(line.split(delimiter))) for delimiter in DELIMITERS)


def _has_columns(first_lines: list[str]) -> bool:
    """Whether the first lines may be rows: a cheap look before every line is cut into cells."""
    return any(sum(each in line for line in first_lines) > 1 for each in DELIMITERS)


def read(format: str, delimiters: str, source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    beginning = Sample(source).lines
    found = layout(beginning, delimiters, options.columns)
    if not found.columns:
        raise WrongFormat(source.name, format, "it has no row of column names")
    options = replace(options, columns=_named(source.name, format, found, options.columns))
    sample = [each.row for each in _rows(source.name, beginning, found, Report())]
    yield from chats(
        ParsedTable(source.name, format, found.columns, sample, partial(_all_rows, source, found)), options
    )


def _named(where: str, format: str, found: CsvLayout, requested: Mapping[str, str]) -> Mapping[str, str]:
    """The columns that the user named, by their names in the table. What is guessed about a table is told."""
    if found.guess:
        if not found.guess.roles().keys() <= requested.keys():
            _LOG.warning("%s %s", where, found.guess.sentence())
        elif found.assumed:
            _LOG.warning("%s: nothing tells whether the first line is a heading, so that it is read as a row", where)
        return {}
    if found.heading:
        return {role: found.column(column) or column for role, column in requested.items()}
    if requested:
        places = [str(place) for place in range(1, len(found.columns) + 1)]
        what, column = next(
            (pair for pair in requested.items() if not headless.is_place(pair[1], len(places))), ("", "")
        )
        if what:
            raise no_such_column(where, what, column, places)
        shown = ",".join("=".join(pair) for pair in requested.items())
        raise OptionError("--columns", shown, f"{where} has no heading, so that its columns are {', '.join(places)}")
    reason = "its first line is a row, and not clear is which column is what; --columns author=1,text=2 says so"
    raise WrongFormat(where, format, reason)


def _all_rows(source: Source, found: CsvLayout, report: Report) -> Iterator[Numbered]:
    return _rows(source.name, lines(source), found, report)


def _rows(where: str, source_lines: Iterable[str], found: CsvLayout, report: Report) -> Iterator[Numbered]:
    width, header, own = len(found.columns), found.guess is None, found.columns in (OWN, OWN_SAFE)
    for number, size, row in cells(_counted(source_lines, report), found.delimiter, found.quoted):
        places = range(number, number + size)
        if row is None:
            unexplain(report, where, places, "a row that is broken")
        elif not row or not any(row):
            skip(report, where, places, "blank line")
        elif header:
            header = False
            skip(report, where, places, "the names of the columns")
        elif len(row) != width:
            wrong = f"{'more' if len(row) > width else 'fewer'} cells than there are columns"
            unexplain(report, where, places, wrong)
        else:
            restored = [restored_cell(cell, found.columns == OWN_SAFE) for cell in row] if own else row
            yield Numbered(places, dict(zip(found.columns, restored, strict=True)))


def _counted(source_lines: Iterable[str], report: Report) -> Iterator[str]:
    for line in source_lines:
        report.total += 1
        yield line


FORMAT = Format("csv", partial(sniff, ",;|"), partial(read, "csv", DELIMITERS))
