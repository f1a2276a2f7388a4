"""Chats out: JSON lines, CSV, Parquet, plain text, or a summary. A file appears whole or not at all.

Only JSON lines carry layers. CSV and Parquet have the columns of `COLUMNS`, and hubbub reads them back exactly.
Control characters are escaped in JSON, CSV and text, so that none of them reaches a terminal.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import islice
from typing import Any, TextIO

from ..chat import Message
from ..csv_output import SAFE_COLUMN, CsvWriter
from ..errors import NeedsExtra, OptionError
from ..jsonl import dump, header, layer_lines, message_line
from ..output_files import placed_file
from ..read import ChatStream, Report
from ..read.formats.tables.table import OWN as COLUMNS
from ..text import printable, whole

Streams = Iterable[ChatStream]

BATCH = 4096


def _jsonl(streams: Streams, out: TextIO) -> None:
    for stream in streams:
        out.write(header(stream.name, stream.format) + "\n")
        out.writelines(message_line(message) + "\n" for message in stream)
        out.writelines(line + "\n" for line in layer_lines(stream.layers()))


def _cells(chat: str, message: Message) -> tuple[str | None, ...]:
    """A message as a row, all but its reply_to; a lone surrogate becomes U+FFFD."""
    when = message.time.isoformat() if message.time else None
    clock = message.clock.isoformat() if message.clock else None
    return whole(chat), whole(message.id), when, clock, whole(message.author), whole(message.text), message.kind


def _csv(streams: Streams, out: TextIO, spreadsheet_safe: bool = False) -> None:
    table = CsvWriter(out, ending="\r\n", spreadsheet_safe=spreadsheet_safe)
    marker = ("",) if spreadsheet_safe else ()
    table.row((*COLUMNS, SAFE_COLUMN) if spreadsheet_safe else COLUMNS)
    for stream in streams:
        for message in stream:
            replies = json.dumps(message.reply_to) if message.reply_to else ""
            table.row((*_cells(stream.name, message), replies, *marker))


def _parquet(streams: Streams, out: TextIO) -> None:
    """Parquet needs to look back at what it wrote, which a pipe does not allow: it is made beside and then copied."""
    if out.isatty():
        raise OptionError("--to", "parquet", "Parquet is no text for a terminal; name a file with --out or use a pipe")
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise NeedsExtra("Writing Parquet", "parquet") from None
    text = pyarrow.string()
    schema = pyarrow.schema([*((name, text) for name in COLUMNS[:-1]), (COLUMNS[-1], pyarrow.list_(text))])
    with tempfile.TemporaryFile() as made:
        with parquet.ParquetWriter(made, schema) as table:
            rows = _rows(streams)
            while batch := list(islice(rows, BATCH)):
                table.write_batch(pyarrow.RecordBatch.from_pylist(batch, schema))
        made.seek(0)
        shutil.copyfileobj(made, out.buffer)


def _rows(streams: Streams) -> Iterator[dict[str, Any]]:
    for stream in streams:
        for message in stream:
            replies = [whole(answered) for answered in message.reply_to]
            yield dict(zip(COLUMNS, (*_cells(stream.name, message), replies), strict=True))


def _text(streams: Streams, out: TextIO) -> None:
    for number, stream in enumerate(streams):
        out.write(f"{chr(10) if number else ''}=== {_one_line(stream.name)} ===\n")
        day = None
        for message in stream:
            if message.time and message.time.date() != day:
                day = message.time.date()
                out.write(_day_heading(day))
            out.write(_readable(message))


def _day_heading(day: date) -> str:
    return f"\n--- {day.isoformat()} ---\n"


def _readable(message: Message) -> str:
    """Plain lines of one message; its second and further lines stand under its first."""
    stamp = _stamp(message)
    first, *more = _printed_lines(message.text) or [""]
    author = _one_line(message.author)
    said = {"message": f"<{author}> {first}", "action": f"* {author} {first}", "system": f"*** {first}"}[message.kind]
    return "".join(f"{line}\n" for line in (stamp + said, *(f"{' ' * len(stamp)}  {line}" for line in more)))


def _stamp(message: Message) -> str:
    if message.time:
        return f"{message.time.date().isoformat()} {message.time:%H:%M} "
    return f"{message.clock:%H:%M} " if message.clock else ""


def _one_line(text: str) -> str:
    return " ".join(_printed_lines(text))


def _printed_lines(text: str) -> list[str]:
    return [printable(line, keep="\t") for line in whole(text).splitlines()]


def _summary(streams: Streams, out: TextIO) -> None:
    for stream in streams:
        out.write(dump(summary(stream)) + "\n")


def summary(stream: ChatStream) -> dict[str, Any]:
    """What a chat holds, in one pass and without keeping it."""
    count, kinds, authors = 0, {"system": 0, "action": 0, "message": 0}, set()
    first = last = None
    for message in stream:
        count += 1
        kinds[message.kind] += 1
        if message.kind != "system" and message.author:
            authors.add(message.author)
        if message.time:
            first, last = first or message.time, message.time
    return {
        "name": stream.name,
        "format": stream.format,
        "messages": count,
        "system": kinds["system"],
        "actions": kinds["action"],
        "authors": len(authors),
        "first": first.isoformat() if first else None,
        "last": last.isoformat() if last else None,
        "total": stream.report.total,
        "continued": stream.report.continued,
        "unexplained": _unexplained(stream.report),
        "skipped": dict(stream.report.skipped),
    }


def _unexplained(report: Report) -> dict[str, Any]:
    first = [{"where": each.where, "line": each.line, "reason": each.reason} for each in report.first_unexplained()]
    return {"count": report.unexplained.total(), "first": first}


WRITERS: dict[str, Callable[..., None]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "parquet": _parquet,
    "text": _text,
    "summary": _summary,
}


def write(streams: Streams, to: str, out: str | None, **options: bool) -> None:
    with placed(out) as file:
        WRITERS[to](streams, file, **options)


@contextmanager
def placed(out: str | None) -> Iterator[TextIO]:
    """Standard output, also written as -, or a file that is put in place when all is written."""
    if out in (None, "-"):
        yield sys.stdout
        return
    with placed_file(out) as file:
        yield file
