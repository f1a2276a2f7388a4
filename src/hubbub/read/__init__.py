"""The first room: any chat export in, a Chat out. `hubbub.read(path)` is `hubbub.read.read(path)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, tzinfo
from itertools import chain, islice
from pathlib import Path

from .._rooms import callable_room
from ..chat import Chat, Chats, Message
from ..layers import Layers
from ..pipe import LayerRows
from .format import Options, Remark, Report
from .formats import FORMATS, format_named
from .gather import Reading, by_chat, readings
from .places import sources
from .table import check_roles, check_tables

__all__ = ["FORMATS", "ChatStream", "Remark", "Report", "read", "stream"]

Paths = str | Path | Iterable[str | Path]


@dataclass(slots=True)
class ChatStream:
    """A chat that passes by once: iterate it for its messages; then its report and layers are complete."""

    name: str
    format: str
    messages: Iterator[Message]
    report: Report = field(default_factory=Report)
    rows: LayerRows | None = None

    def layers(self) -> Layers:
        return self.rows.layers() if self.rows else Layers()

    def __iter__(self) -> Iterator[Message]:
        return self.messages

    def chat(self) -> Chat:
        return Chat(self.name, tuple(self.messages), self.format)


def read(
    path: Paths,
    *,
    format: str | None = None,
    date: date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
) -> Chat | Chats:
    """Reads chats from files, folders, globs, archives or "-": one Chat if there is one, else Chats."""
    passing = stream(path, format=format, date=date, timezone=timezone, columns=columns)
    chats = tuple(one.chat() for one in passing)
    return chats[0] if len(chats) == 1 else Chats(chats)


def stream(
    path: Paths,
    *,
    format: str | None = None,
    date: date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
) -> Iterator[ChatStream]:
    """The same, one chat after the other, one message after the other. Take each chat's messages before the next."""
    options = Options(date, timezone, columns or {})
    check_roles(options.columns)
    forced = format_named(format) if format else None
    paths = [path] if isinstance(path, str | Path) else list(path)
    strays = Report()
    found = readings(sources(paths), forced, options, strays)
    check_tables(options.columns, (reading.format.name for reading in found))
    for group in by_chat(found):
        report, strays = strays, Report()
        yield _passing(group, report)


def _passing(group: list[Reading], report: Report) -> ChatStream:
    first = group[0].stream
    format = group[0].format.name if first.format is None else first.format
    return ChatStream(first.name, format, _begun(_messages(group, report)), report, first.layers)


def _messages(group: list[Reading], report: Report) -> Iterator[Message]:
    """The parts of one chat, one after the other; one part passes as it is, with no step in between."""
    return group[0].stream.open(0, report) if len(group) == 1 else _chained(group, report)


def _begun(messages: Iterator[Message]) -> Iterator[Message]:
    """With the first message already read, so that a file that does not fit says so before anything is written."""
    return chain(list(islice(messages, 1)), messages)


def _chained(group: list[Reading], report: Report) -> Iterator[Message]:
    count = 0
    for reading in group:
        for message in reading.stream.open(count, report):
            count += 1
            yield message


callable_room(__name__)
