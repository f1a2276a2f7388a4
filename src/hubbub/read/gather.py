"""From places to chats: each file finds its format, each chat its files, and the files their order.

One rule for what cannot be read: everything else is read, and each file that is left out is named with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import PurePosixPath

from ..chat import Message
from ..errors import Empty, HubbubError, InputError, NoChats, NotText, UnknownFormat, WrongFormat
from ..text import natural
from .assembly import distinct
from .export_folder import is_media
from .format import Format, Options, Report, Stream
from .left_out import count_lines, leaving_out, reason_of
from .names import date_in, network_of
from .places import archive_of
from .sniff import CONFIDENT, SURE, Candidate, candidates, choose, claim, hints
from .source import Source, StandardInput, Tree, is_blank

MAX_NESTING = 3  # archives within archives: exports have one level, a chain of many is an attack


@dataclass(frozen=True, slots=True)
class Reading:
    """One chat, or one part of it, found in one place. `whole` is the export it belongs to, if that is one thing."""

    stream: Stream
    format: Format
    place: str
    whole: str = ""


class _Gathering:
    """Looks through places for chats; what is left out or skipped goes into `report`."""

    def __init__(self, forced: Format | None, options: Options, report: Report) -> None:
        self.forced = forced
        self.options = options
        self.report = report

    def tree(self, tree: Tree, nesting: int = 0) -> list[Reading]:
        for member in tree.hidden:
            self.report.skip_file(f"{tree.name}/{member}", "a hidden file")
        for member, reason in tree.refused:
            self.report.leave_out(f"{tree.name}/{member}", reason)
        whole = self._format_of(tree)
        if whole and whole.read_tree:
            return [Reading(stream, whole, tree.name, tree.name) for stream in whole.read_tree(tree, self.options)]
        claimed = [] if self.forced else list(_claimed_below(tree))
        taken = {source.name for below in claimed for source in below.files.values()}
        nested, files = self._nested([s for s in tree.files.values() if s.name not in taken], nesting)
        found = self.files(files)
        for below in claimed:
            found += self.tree(below, nesting)
        for below in nested:
            with leaving_out(self.report, below.name):
                found += self.tree(below, nesting + 1)
        if not found:
            raise NoChats(tree.name, *_first_reason(self.report))
        return found

    def _format_of(self, tree: Tree) -> Format | None:
        """The format that takes the tree as a whole, if one does."""
        if self.forced:
            return self.forced if self.forced.read_tree else None
        try:
            return claim(tree)
        except InputError:  # a file of it cannot even be opened: the others decide
            for member, source in list(tree.files.items()):
                with leaving_out(self.report, source.name, source):
                    _ = source.head
                    continue
                del tree.files[member]
            return claim(tree) if tree.files else None

    def _nested(self, sources: list[Source], nesting: int) -> tuple[list[Tree], list[Source]]:
        """The archives among the files of a tree, and the other files."""
        trees: list[Tree] = []
        files: list[Source] = []
        for source in sources:
            if is_media(source.name):
                files.append(source)
                continue
            with leaving_out(self.report, source.name, source):
                tree = archive_of(source)
                if tree and nesting >= MAX_NESTING:
                    self.report.leave_out(source.name, f"an archive within more than {MAX_NESTING} archives")
                elif tree:
                    trees.append(tree)
                else:
                    files.append(source)
        return trees, files

    def files(self, files: list[Source]) -> list[Reading]:
        """The chats in files, each read by its own format; one that is no chat is noted."""
        clues: dict[Source, list[Candidate]] = {}
        likely: Format | None = None
        for source in files:
            with self._noting(source):
                if self.forced:
                    clues[source] = self._forced(source)
                else:
                    found = candidates(source, self.options.columns, likely)
                    choose(source, found)
                    clues[source] = found
                    likely = found[0][1] if found[0][0].score > CONFIDENT else likely
        usual = Counter(found[0][1].name for found in clues.values() if found and found[0][0].score > CONFIDENT)
        readings: list[Reading] = []
        for source, found in clues.items():
            with self._noting(source):
                format = self.forced or _settle(source, found, usual)
                readings += self.open(source, format)
        return readings

    def _forced(self, source: Source) -> list[Candidate]:
        if not isinstance(source, StandardInput) and is_blank(source.head):
            raise Empty(source.name)
        return []

    @contextmanager
    def _noting(self, source: Source) -> Iterator[None]:
        """Notes a file that is empty or a picture as skipped, and any other that is no chat as left out."""
        try:
            with leaving_out(self.report, source.name, source, unless=(Empty, NotText, UnknownFormat)):
                yield
        except Empty:
            self.report.skip_file(source.name, "an empty file")
        except (NotText, UnknownFormat) as error:
            if is_media(source.name):
                self.report.skip_file(source.name, "a media file or a part of a web page")
            else:
                lines = count_lines(source) if isinstance(error, UnknownFormat) else None
                self.report.leave_out(source.name, reason_of(error, source.name), lines)

    def open(self, source: Source, format: Format) -> list[Reading]:
        """A format that the user named and that does not fit says what would."""
        if not self.forced:
            return [Reading(stream, format, source.name) for stream in format.read(source, self.options)]
        with _hinting(source):
            streams = list(format.read(source, self.options))
        return [Reading(_hinted(source, stream), format, source.name) for stream in streams]


def readings(places: Iterable[Source | Tree], forced: Format | None, options: Options, report: Report) -> list[Reading]:
    """Every chat and part of a chat in these places; what is left out or skipped is noted in `report`.

    Without any chat, the error is that of the only place, or names the first reason.
    """
    gathering = _Gathering(forced, options, report)
    places = list(places)
    if len(places) == 1 and isinstance(places[0], Source):
        return _only(places[0], gathering)
    found: list[Reading] = []
    for place in places:
        if isinstance(place, Tree):
            if len(places) == 1:
                return gathering.tree(place)
            with leaving_out(report, place.name):
                found += gathering.tree(place)
    found += gathering.files([place for place in places if isinstance(place, Source)])
    if not found:
        raise NoChats(", ".join(place.name for place in places[:3]), *_first_reason(report))
    return found


def _only(source: Source, gathering: _Gathering) -> list[Reading]:
    """The one file that the user named: if it is no chat, that is an error."""
    format = gathering.forced or choose(source, candidates(source, gathering.options.columns))
    return gathering.open(source, format)


def _first_reason(report: Report) -> tuple[str, ...]:
    if not report.left_out:
        return ()
    first = report.left_out[0]
    return (f"{first.where}: {first.reason}",)


def _claimed_below(tree: Tree) -> Iterator[Tree]:
    """The folders at any depth that are exports as a whole."""
    for below in tree.folders():
        if claim(below):
            yield below
        else:
            yield from _claimed_below(below)


def _settle(source: Source, found: list[Candidate], usual: Counter[str]) -> Format:
    """A file that no format is certain of, as a quiet day may be, is read like the files beside it."""
    fitting = [format for clue, format in found if clue.score >= SURE]
    alike = max(fitting, key=lambda format: usual[format.name])
    return alike if usual[alike.name] and found[0][0].score <= CONFIDENT else choose(source, found)


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
    return (*network_of(reading.place), *((PurePosixPath(reading.place).name,) if reading.whole else ()))


def _hints(names: list[str], networks: list[tuple[str, ...]]) -> list[str]:
    """What the path of each chat has that not all chats of the same name have."""
    found = []
    for name, network in zip(names, networks, strict=True):
        same = [set(other) for other, of in zip(networks, names, strict=True) if of == name]
        shared = set.intersection(*same)
        found.append("/".join(part for part in network if part not in shared))
    return found


def _start(reading: Reading) -> tuple[datetime, tuple[tuple[int, int | str], ...]]:
    if day := date_in(reading.place):
        return datetime(day.year, day.month, day.day), natural(reading.place)
    try:
        times = [message.time for message in islice(reading.stream.open(0, Report()), 100)]
    except HubbubError:
        times = []  # it breaks again, and is noted, when it is read
    first = next((time for time in times if time), datetime.min)
    return (first.astimezone(UTC).replace(tzinfo=None) if first.tzinfo else first), natural(reading.place)
