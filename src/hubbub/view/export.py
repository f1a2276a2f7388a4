"""Chats out: JSON lines, CSV, Parquet, plain text, or a summary. A file appears whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from ..pipe import dump, header, message_line
from ..read import ChatStream

Streams = Iterable[ChatStream]


def _jsonl(streams: Streams, out: TextIO) -> None:
    for stream in streams:
        out.write(header(stream.name, stream.format) + "\n")
        out.writelines(message_line(message) + "\n" for message in stream)


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
        "unexplained": {
            "count": stream.report.unexplained.total(),
            "first": [
                {"where": r.where, "line": r.line, "reason": r.reason} for r in stream.report.first_unexplained()
            ],
        },
        "skipped": dict(stream.report.skipped),
    }


WRITERS: dict[str, Callable[[Streams, TextIO], None]] = {"jsonl": _jsonl, "summary": _summary}


def write(streams: Streams, to: str, out: str | None) -> None:
    with _place(out) as file:
        WRITERS[to](streams, file)


@contextmanager
def _place(out: str | None) -> Iterator[TextIO]:
    if out is None:
        yield sys.stdout
        return
    path = Path(out)
    partial = path.with_name(f".{path.name}.part")
    try:
        with partial.open("w", encoding="utf-8", newline="") as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
