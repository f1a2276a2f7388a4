"""Files of one chat put together, in the order of time, and names that no two chats share."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import PurePosixPath

from ...errors import HubbubError
from ...text import natural
from ..detect.discovery import Reading
from ..parsing.path_names import date_in, network_of
from ..report import Report
from .chat_streams import distinct


def by_chat(found: list[Reading]) -> list[list[Reading]]:
    """Readings of one chat together, its files in the order of time, and names that no two chats share.

    A chat is known by its name and by what tells it from others of that name: its identity on the platform, or else the
    network or folder in its path. A chat that carries layers stays by itself: they point at its own positions.
    """
    groups: dict[tuple[str, ...], list[Reading]] = {}
    for position, reading in enumerate(found):
        stream = reading.stream
        apart = "" if stream.layers is None else str(position)
        where = (stream.identity,) if stream.identity else _network(reading)
        key = (stream.name, reading.format.family or reading.format.name, reading.whole, apart, *where)
        groups.setdefault(key, []).append(reading)
    ordered = [group if len(group) == 1 or group[0].whole else sorted(group, key=_start) for group in groups.values()]
    return _distinctly_named(ordered)


def _distinctly_named(groups: list[list[Reading]]) -> list[list[Reading]]:
    """hubbub's own files keep their names: they come back exactly as they were written."""
    names = [group[0].stream.name for group in groups]
    if len(set(names)) == len(names) or any(group[0].stream.layers is not None for group in groups):
        return groups
    shown = distinct(names, _hints(names, [_network(group[0]) for group in groups]))
    return [
        [replace(reading, stream=replace(reading.stream, name=name)) for reading in group]
        for name, group in zip(shown, groups, strict=True)
    ]


def _network(reading: Reading) -> tuple[str, ...]:
    """What the path says of where a chat comes from; an export that is one thing adds its own name."""
    if not reading.whole:
        return network_of(reading.place)
    return (*network_of(reading.whole), PurePosixPath(reading.whole).name)


def _hints(names: list[str], networks: list[tuple[str, ...]]) -> list[str]:
    """What the path of each chat has that not all chats of the same name have."""
    shared: dict[str, set[str]] = {}
    for name, network in zip(names, networks, strict=True):
        shared.setdefault(name, set(network)).intersection_update(network)
    return [
        "/".join(part for part in network if part not in shared[name])
        for name, network in zip(names, networks, strict=True)
    ]


def _start(reading: Reading) -> tuple[datetime, tuple[tuple[int, int | str], ...]]:
    if day := date_in(reading.place):
        return datetime(day.year, day.month, day.day), natural(reading.place)
    try:
        times = [message.time for message in islice(reading.stream.open(0, Report()), 100)]
    except HubbubError:
        times = []  # it breaks again, and is noted, when it is read
    first = next((time for time in times if time), datetime.min)
    return (first.astimezone(UTC).replace(tzinfo=None) if first.tzinfo else first), natural(reading.place)
