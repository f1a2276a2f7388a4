"""The CSV shape: a row a message, with commas or, in older exports, semicolons between the cells."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from ....chat import Message
from ....errors import Broken, WrongFormat
from ....text import clean
from ...format import Options, Stream
from ...input.lines import LONGEST_CELL, lines
from ...input.source import Source, rewindable
from ...report import Report
from ...times.dates import Dates
from .rendering import attachment_at, channel_of_file, id_of_file, person, runs_backwards, told, when

_COLUMNS = {"author", "date", "content", "attachments"}

Row = dict[str, str]


def _cells(header: str) -> list[str]:
    comma = ";" if header.count(";") > header.count(",") else ","
    return [cell.strip().strip('"').lower() for cell in header.split(comma)]


def is_header(line: str) -> bool:
    return set(_cells(line)) >= _COLUMNS


def stream(source: Source, options: Options) -> Stream:
    source = rewindable(source)
    return Stream(
        channel_of_file(source.name),
        lambda first, report: _messages(source, options, first, report),
        identity=id_of_file(source.name),
    )


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    dates = Dates(options.timezone)
    ends: list[str] = []
    for _, row in _rows(source, Report()):
        dates.see(row["date"])
        ends = [ends[0] if ends else row["date"], row["date"]]
    found = (_message(row, dates) for _, row in _rows(source, report))
    if ends and runs_backwards(when(dates, ends[0]), when(dates, ends[1])):
        found = (message for message in list(found)[::-1])
    for count, message in enumerate(found, first):
        yield message._replace(id=str(count))


def _rows(source: Source, report: Report) -> Iterator[tuple[int, Row]]:
    csv.field_size_limit(LONGEST_CELL)
    text = (line.replace("\0", "") + "\n" for line in lines(source))
    header = next(text, "").removesuffix("\n")
    if not is_header(header):
        raise WrongFormat(source.name, "discord", "its first line does not name the columns Author, Date and Content")
    names = _cells(header)
    rows = csv.reader(text, delimiter=";" if header.count(";") > header.count(",") else ",")
    try:
        for cells in rows:
            report.total += 1
            row = dict(zip(names, cells, strict=False))
            if "content" in row and "date" in row:
                yield rows.line_num + 1, row
            elif any(cell.strip() for cell in cells):
                report.unexplain(source.name, rows.line_num + 1, "a row with too few cells")
            else:
                report.skip(source.name, rows.line_num + 1, "blank line")
    except csv.Error as error:
        raise Broken(source.name, f"line {rows.line_num + 1}: {error}") from None


def _message(row: Row, dates: Dates) -> Message:
    files = [attachment_at(url) for url in row.get("attachments", "").split(",") if url.strip()]
    text = "\n".join(part for part in (row["content"].strip("\r\n"), *files) if part)
    return told(Message("", when(dates, row["date"].strip()), clean(person(row.get("author", ""))), clean(text)))
