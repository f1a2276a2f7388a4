"""hubbub's own JSON lines: a header, messages, layers, chat after chat. Every field comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from ...chat import Message
from ...errors import WrongFormat
from ...jsonl import VERSION, LayerRows, message_of
from ..detect.file_head import CERTAIN, Clue, Sample
from ..format import Format, Options, Stream
from ..input.source import Source
from ..parsing.json_document import string
from ..parsing.sections import LineRange, Parts
from ..report import Report

_WRONG = (KeyError, TypeError, ValueError)


def _record(line: str) -> dict[str, Any]:
    """The JSON object on a line; an empty one in place of anything else."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_header(line: str) -> bool:
    return '"hubbub"' in line and type(_record(line).get("hubbub")) is int


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start == "{" and _is_header(sample.lines[0]):
        return Clue(CERTAIN, "has a hubbub header")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    parts = Parts(source, _is_header)
    if not parts.all:
        raise WrongFormat(source.name, "hubbub", "no line is a hubbub header")
    for part in parts.all:
        header = _record(part.heading)
        if header["hubbub"] > VERSION:
            reason = f"it is version {header['hubbub']}, and this hubbub knows no newer than {VERSION}"
            raise WrongFormat(source.name, "hubbub", reason)
        rows = LayerRows()
        opened = partial(_messages, source.name, parts, part, rows)
        yield Stream(string(header.get("name")), opened, string(header.get("format")), rows)


def _messages(
    where: str, parts: Parts, part: LineRange, rows: LayerRows, first: int, report: Report
) -> Iterator[Message]:
    rows.clear()
    begun = False
    for number, line in parts.lines(part):
        report.total += 1
        if not line.strip():
            report.skip(where, number, "blank line")
        elif not begun:
            begun = line == part.heading
            if begun:
                report.continued += 1
            else:
                report.unexplain(where, number, "it stands before the first header")
        elif message := _message(line, rows, where, number, report):
            rows.length += 1
            yield message


def _message(line: str, rows: LayerRows, where: str, number: int, report: Report) -> Message | None:
    """The message on a line; a row of a layer goes to `rows`, anything else to the report."""
    record = _record(line)
    try:
        if "layer" not in record:
            return message_of(record)
        rows.add(record)
        report.continued += 1
    except _WRONG:
        report.unexplain(where, number, "neither a message nor a layer of hubbub")
    return None


FORMAT = Format("hubbub", _sniff, _read)
