"""Short ways to read a text as a format."""

from __future__ import annotations

import io
from collections.abc import Mapping

from hubbub.chat import Message
from hubbub.read.format import Options, Report
from hubbub.read.formats import format_named
from hubbub.read.source import Source


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
