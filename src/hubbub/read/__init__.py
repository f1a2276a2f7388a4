"""The first room: any chat export in, a Chat out. `hubbub.read(path)` is `hubbub.read.read(path)`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, tzinfo
from itertools import chain, islice
from pathlib import Path

from .._rooms import callable_room
from ..chat import Chat, Chats, Message
from ..errors import InputError, PartlyRead
from ..layers import Layers
from ..pipe import LayerRows
from ..relays import Relays
from .bridges import unbridged
from .budget import Limit
from .format import Format, LeftOut, Options, Remark, Report
from .formats import FORMATS, format_named
from .gather import Reading, by_chat, readings
from .left_out import count_lines, leaving_out, reason_of
from .places import sources
from .table import check_roles, check_tables

__all__ = ["FORMATS", "ChatStream", "ChatStreams", "LeftOut", "Remark", "Report", "read", "stream"]

Paths = str | Path | Iterable[str | Path]


@dataclass(slots=True)
class ChatStream:
    """A chat that passes by once: iterate it for its messages; then its report and layers are complete."""

    name: str
    format: str
    messages: Iterator[Message]
    report: Report = field(default_factory=Report)
    rows: LayerRows | None = None
    found: Relays = field(default_factory=Relays)

    @property
    def relays(self) -> Relays:
        """What a bridge brought of the messages that have passed."""
        return self.rows.relays if self.rows else self.found

    def layers(self) -> Layers:
        return self.rows.layers() if self.rows else Layers(relays=self.found)

    def __iter__(self) -> Iterator[Message]:
        return self.messages

    def chat(self) -> Chat:
        messages = tuple(self.messages)
        return Chat(self.name, messages, self.format, self.relays)


class ChatStreams(Iterator[ChatStream]):
    """Chats one after the other. `report` notes the files that belong to no chat: skipped, or left out with a reason.

    It is complete when the last chat has passed.
    """

    def __init__(self, chats: Iterator[ChatStream], report: Report) -> None:
        self.report = report
        self._chats = chats

    def __next__(self) -> ChatStream:
        return next(self._chats)


def read(
    path: Paths,
    *,
    format: str | None = None,
    date: date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
) -> Chat | Chats:
    """Reads chats from files, folders, globs, archives or "-": one Chat if there is one, else Chats.

    With `bridges`, messages that came through a bridge have their real authors (see `hubbub.read.bridges`). A file that
    cannot be read, or breaks before its end, is left out with a `PartlyRead` warning if anything else can be read.
    `max_unpacked`, in bytes or as "20G", is how far each packed file may unpack (see `hubbub.read.budget`).
    """
    passing = stream(
        path, format=format, date=date, timezone=timezone, columns=columns, bridges=bridges, max_unpacked=max_unpacked
    )
    total, chats = Report(), []
    for one in passing:
        chats.append(one.chat())
        total.merge(one.report)
    total.merge(passing.report)
    for each in total.left_out:
        warnings.warn(PartlyRead(each.where, each.reason, each.lines), stacklevel=3)
    return chats[0] if len(chats) == 1 else Chats(tuple(chats))


def stream(
    path: Paths,
    *,
    format: str | None = None,
    date: date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
) -> ChatStreams:
    """The same, one chat after the other, one message after the other. Take each chat's messages before the next."""
    options = Options(date, timezone, columns or {})
    check_roles(options.columns)
    forced = format_named(format) if format else None
    paths = [path] if isinstance(path, str | Path) else list(path)
    report = Report()
    limit = Limit.of(max_unpacked)
    return ChatStreams(_streams(paths, limit, forced, options, bridges, report), report)


def _streams(
    paths: list[str | Path], limit: Limit, forced: Format | None, options: Options, bridges: bool, strays: Report
) -> Iterator[ChatStream]:
    found = readings(sources(paths, limit), forced, options, strays)
    check_tables(options.columns, (reading.format.name for reading in found))
    given, failed = 0, list[InputError]()
    for group in by_chat(found):
        report = Report()
        try:
            chat = _passing(group, report, bridges)
        except InputError as error:
            failed.append(error)
            _leave_out(strays, report, group[0], error)
            continue
        given += 1
        yield chat
    if failed and not given:
        raise failed[0]


def _leave_out(strays: Report, report: Report, reading: Reading, error: InputError) -> None:
    """Notes a chat whose file cannot be read, and all that its report has beside the lines that were to be messages."""
    report.total -= report.unaccounted(0)
    strays.merge(report)
    lines = count_lines(reading.source) if reading.source else None
    strays.leave_out(reading.place, reason_of(error, reading.place), lines)


def _passing(group: list[Reading], report: Report, bridges: bool) -> ChatStream:
    """hubbub's own files, which are the ones that may carry layers, are as bridges left them when they were written."""
    first, relays = group[0].stream, Relays()
    format = group[0].format.name if first.format is None else first.format
    messages = _messages(group, report)
    if bridges and first.layers is None:
        messages = unbridged(messages, relays)
    return ChatStream(first.name, format, _begun(messages), report, first.layers, relays)


def _messages(group: list[Reading], report: Report) -> Iterator[Message]:
    """The parts of one chat, one after the other."""
    return _part(group[0], 0, report) if len(group) == 1 else _chained(group, report)


def _begun(messages: Iterator[Message]) -> Iterator[Message]:
    """With the first message already read, so that a file that does not fit says so before anything is written."""
    return chain(list(islice(messages, 1)), messages)


def _part(reading: Reading, first: int, report: Report) -> Iterator[Message]:
    """The messages of one part. Where it breaks after the first, the rest is noted as left out."""
    messages = reading.stream.open(first, report)
    yield from islice(messages, 1)
    with leaving_out(report, reading.place):
        yield from messages


def _chained(group: list[Reading], report: Report) -> Iterator[Message]:
    """Parts in order. One that cannot be read at all is left out; if none can, the last error is raised."""
    count, unread = 0, 0
    for reading in group:
        try:
            for message in _part(reading, count, report):
                count += 1
                yield message
        except InputError as error:
            unread += 1
            if unread == len(group):
                raise
            report.leave_out(reading.place, reason_of(error, reading.place))


callable_room(__name__)
