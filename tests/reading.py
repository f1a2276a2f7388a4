"""Short ways to read: a text as a format, a document that is saved first, whatever lies at a place."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hubbub.chat import Chat, Message
from hubbub.read import stream
from hubbub.read.format import Options
from hubbub.read.formats import format_named
from hubbub.read.input.source import Source
from hubbub.read.report import Report


def source_of(data: str | bytes, name: str = "sample") -> Source:
    raw = data.encode() if isinstance(data, str) else data
    return Source(name, lambda: io.BytesIO(raw))


def read_all(
    format: str, data: str | bytes, columns: Mapping[str, str] | None = None
) -> tuple[dict[str, list[Message]], Report]:
    """Every chat of a text read as this format, by name, and what became no message."""
    report = Report()
    streams = format_named(format).read(source_of(data), Options(columns=columns or {}))
    return {stream.name: list(stream.open(0, report)) for stream in streams}, report


def read_one(format: str, data: str | bytes, columns: Mapping[str, str] | None = None) -> list[Message]:
    found, _ = read_all(format, data, columns)
    assert len(found) == 1
    return next(iter(found.values()))


def said(messages: list[Message]) -> list[tuple[str, str]]:
    return [(message.author, message.text) for message in messages]


def unexplained(report: Report) -> list[tuple[int, str]]:
    return [(remark.line, remark.reason) for remark in report.remarks if remark.reason in report.unexplained]


def save(path: Path, document: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def read_place(path: Path, format: str | None = None) -> tuple[list[Chat], Report]:
    """Every chat of a place, and all that became no message."""
    chats, report = [], Report()
    for one in stream(path, format=format):
        chats.append(one.chat())
        report.merge(one.report)
    return chats, report


def read_document(folder: Path, document: Any, format: str, name: str = "chat.json") -> list[Message]:
    """The messages of a document with one chat, none of its records left unexplained."""
    chats, report = read_place(save(folder / name, document), format)
    assert not report.unexplained
    assert len(chats) == 1
    return list(chats[0])
