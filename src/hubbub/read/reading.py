"""Reading: paths in, chats out, whole or as streams."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, tzinfo
from itertools import chain, islice
from pathlib import Path

from ..chat import Chat, Chats, Message
from ..errors import InputError, PartlyRead, SeveralChats
from ..jsonl import LayerRows
from ..layers import Layers
from ..relays import Relays
from .assembly.author_names import without_marks
from .assembly.file_groups import by_chat
from .assembly.steps import STEP, in_steps
from .bridges.restore import unbridged
from .detect.discovery import Reading, readings
from .format import Format, Options
from .formats import format_named
from .formats.tables.table import TABLES, check_roles, check_tables
from .growing_input import LiveMode, live_place
from .input.limits import Limit
from .input.paths import sources
from .input.source import Source, Tree
from .report import Report, count_lines, leaving_out, reason_of

Paths = str | Path | Sequence[str | Path]


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
) -> Chat:
    """The one chat at a path; SeveralChats if there are more."""
    chats = read_all(
        path, format=format, date=date, timezone=timezone, columns=columns, bridges=bridges, max_unpacked=max_unpacked
    )
    if len(chats) != 1:
        raise SeveralChats(str(path), chats.names())
    return chats[0]


def read_all(
    path: Paths,
    *,
    format: str | None = None,
    date: date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
) -> Chats:
    """Every chat at a path. A file that cannot be read, or breaks before its end, is left out with a warning."""
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
    return Chats(tuple(chats))


def stream(
    path: Paths,
    *,
    format: str | None = None,
    date: date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
    live: LiveMode | None = None,
) -> ChatStreams:
    """The same, one chat after the other, one message after the other. Take each chat's messages before the next.

    `live` is for input that still grows: messages are given out as they arrive, without the look-ahead of bridges.
    """
    options = Options(date, timezone, columns or {})
    check_roles(options.columns)
    forced = format_named(format) if format else None
    paths = [path] if isinstance(path, str | Path) else list(path)
    report = Report()
    limit = Limit.of(max_unpacked)
    if live:
        return ChatStreams(_live_streams(paths, limit, forced, options, bridges, report, live), report)
    return ChatStreams(_streams(sources(paths, limit), forced, options, bridges, report), report)


def _live_streams(
    paths: list[str | Path],
    limit: Limit,
    forced: Format | None,
    options: Options,
    bridges: bool,
    strays: Report,
    live: LiveMode,
) -> Iterator[ChatStream]:
    place = live_place(str(paths[0]), limit, live, options.columns, forced)
    yield from _streams([place], forced, options, bridges and not (isinstance(place, Source) and place.is_live), strays)


def _streams(
    places: Iterable[Source | Tree], forced: Format | None, options: Options, bridges: bool, strays: Report
) -> Iterator[ChatStream]:
    found = readings(places, forced, options, strays)
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
    steps = chain([list(islice(messages, 1))], _after_first(reading, messages, report))
    # Programs on IRC write no marks; hubbub's own files and other tables are as somebody wrote them.
    has_marks = reading.format.family != "irc" and reading.format.name not in (*TABLES, "hubbub")
    return chain.from_iterable(map(without_marks, steps) if has_marks else steps)


def _after_first(reading: Reading, messages: Iterator[Message], report: Report) -> Iterator[list[Message]]:
    is_live = reading.source is not None and reading.source.is_live
    with leaving_out(report, reading.place, begun=True):
        yield from in_steps(messages, 1 if is_live else STEP)


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
