"""Tables as JSON lines: each line an object, its keys the columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from ....errors import WrongFormat
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.lines import lines
from ...input.source import Source, rewindable
from ...report import Report
from .table import Numbered, ParsedTable, Row, chats, table_clue


def _record(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line.replace("\0", ""), strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _sample(sample: Sample) -> list[Row]:
    return [record for line in sample.lines if (record := _record(line))]


def _columns(rows: Iterable[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in row))


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start != "{":
        return None
    rows = _sample(sample)
    return table_clue(_columns(rows), len(rows) / len(sample.lines), sample.columns) if rows else None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    sample = _sample(Sample(source))
    if not sample:
        raise WrongFormat(source.name, "jsonl", "no line of its beginning is a JSON object")
    yield from chats(ParsedTable(source.name, "jsonl", _columns(sample), sample, partial(_rows, source)), options)


def _rows(source: Source, report: Report) -> Iterator[Numbered]:
    for number, line in enumerate(lines(source), 1):
        report.total += 1
        if not line.strip("\0 \t\r"):
            report.skip(source.name, number, "blank line")
        elif (record := _record(line)) is None:
            report.unexplain(source.name, number, "not a JSON object")
        else:
            yield Numbered(range(number, number + 1), record)


FORMAT = Format("jsonl", _sniff, _read)
