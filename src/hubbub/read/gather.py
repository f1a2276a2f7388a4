"""From places to chats: each file finds its format, each chat its files, and the files their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from ..chat import Message
from ..errors import Empty, NoChats, NotText, UnknownFormat, WrongFormat
from ..text import natural
from .format import Format, Options, Report, Stream
from .names import date_in
from .places import archive
from .sniff import CONFIDENT, SURE, Candidate, candidates, choose, claim, hints
from .source import Source, Tree


@dataclass(frozen=True, slots=True)
class Reading:
    """One chat, or one part of it, found in one place. `whole` is the export it belongs to, if that is one thing."""

    stream: Stream
    format: Format
    place: str
    whole: str = ""


def readings(places: Iterable[Source | Tree], forced: Format | None, options: Options, strays: Report) -> list[Reading]:
    """Every chat and part of a chat in these places; files that are no chat are noted in `strays`."""
    found: list[Reading] = []
    loose: list[Source] = []
    for place in places:
        if isinstance(place, Source):
            loose.append(place)
        else:
            found += _in_tree(place, forced, options, strays)
    return found + _in_files(loose, forced, options, None)


def _in_tree(tree: Tree, forced: Format | None, options: Options, strays: Report) -> list[Reading]:
    whole = forced if forced and forced.read_tree else None if forced else claim(tree)
    if whole and whole.read_tree:
        return [Reading(stream, whole, tree.name, tree.name) for stream in whole.read_tree(tree, options)]
    claimed = [] if forced else list(_claimed_below(tree))
    nested = [archive for source in tree.files.values() if (archive := _archive(source))]
    taken = {source.name for below in claimed for source in below.files.values()} | {below.name for below in nested}
    files = [source for source in tree.files.values() if source.name not in taken]
    found = _in_files(files, forced, options, strays)
    for below in claimed + nested:
        found += _in_tree(below, forced, options, strays)
    if not found:
        raise NoChats(tree.name)
    return found


def _claimed_below(tree: Tree) -> Iterator[Tree]:
    """The folders at any depth that are exports as a whole."""
    for below in tree.folders():
        if claim(below):
            yield below
        else:
            yield from _claimed_below(below)


def _archive(source: Source) -> Tree | None:
    path = Path(source.name)
    return archive(path) if path.is_file() else None


def _in_files(files: list[Source], forced: Format | None, options: Options, strays: Report | None) -> list[Reading]:
    """`strays` is None where every file was named by the user, so that one that is no chat is an error."""
    if forced:
        return [r for source in files for r in _open_forced(source, forced, options)]
    clues: dict[Source, list[Candidate]] = {}
    likely: Format | None = None
    for source in files:
        if found := _clues(source, options, strays, likely):
            clues[source] = found
            likely = found[0][1] if found[0][0].score > CONFIDENT else likely
    usual = Counter(found[0][1].name for found in clues.values() if found[0][0].score > CONFIDENT)
    return [r for source, found in clues.items() for r in _open(source, _settle(source, found, usual), options)]


def _clues(source: Source, options: Options, strays: Report | None, likely: Format | None) -> list[Candidate]:
    """What speaks for which format; the one that the file before was sure to have is asked first."""
    try:
        found = candidates(source, options.columns, likely)
        choose(source, found)
        return found
    except (Empty, NotText, UnknownFormat) as error:
        if strays is None:
            raise
        note = strays.unexplain if isinstance(error, UnknownFormat) else strays.skip
        note(source.name, 0, str(error).removeprefix(f"{source.name}: ").rstrip("."))
        return []


def _settle(source: Source, found: list[Candidate], usual: Counter[str]) -> Format:
    """A file that no format is certain of, as a quiet day may be, is read like the files beside it."""
    fitting = [format for clue, format in found if clue.score >= SURE]
    alike = max(fitting, key=lambda format: usual[format.name])
    return alike if usual[alike.name] and found[0][0].score <= CONFIDENT else choose(source, found)


def _open(source: Source, format: Format, options: Options) -> Iterator[Reading]:
    for stream in format.read(source, options):
        yield Reading(stream, format, source.name)


def _open_forced(source: Source, format: Format, options: Options) -> list[Reading]:
    """A format that the user named: if it does not fit, the error says what would."""
    with _hinting(source):
        found = list(_open(source, format, options))
    return [replace(reading, stream=_hinted(source, reading.stream)) for reading in found]


def _hinted(source: Source, stream: Stream) -> Stream:
    def messages(first: int, report: Report) -> Iterator[Message]:
        with _hinting(source):
            yield from stream.open(first, report)

    return replace(stream, open=messages)


@contextmanager
def _hinting(source: Source) -> Iterator[None]:
    try:
        yield
    except WrongFormat as error:
        sure = [pair for pair in candidates(source) if pair[0].score >= SURE]
        raise WrongFormat(error.path, error.format, error.reason, hints(sure, 1)) from None


def by_chat(found: list[Reading]) -> list[list[Reading]]:
    """Readings of one chat together, its files in the order of time.

    A chat that carries layers stays by itself: they point at its own positions.
    """
    groups: dict[tuple[str, str, str, int], list[Reading]] = {}
    for place, reading in enumerate(found):
        apart = -1 if reading.stream.layers is None else place
        groups.setdefault((reading.stream.name, reading.format.name, reading.whole, apart), []).append(reading)
    return [group if len(group) == 1 or group[0].whole else sorted(group, key=_start) for group in groups.values()]


def _start(reading: Reading) -> tuple[datetime, tuple[tuple[int, int | str], ...]]:
    if day := date_in(reading.place):
        return datetime(day.year, day.month, day.day), natural(reading.place)
    times = (message.time for message in islice(reading.stream.open(0, Report()), 100))
    first = next((time for time in times if time), datetime.min)
    return (first.astimezone(UTC).replace(tzinfo=None) if first.tzinfo else first), natural(reading.place)
