"""From places to chats: each file finds its format, each chat its files, and the files their order.

One rule for what cannot be read: everything else is read, and each file that is left out is named with its reason.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ...chat import Message
from ...errors import Empty, InputError, NoChats, NotText, UnknownFormat, WrongFormat
from ..assembly.export_folder import is_media
from ..format import Format, Options, Stream
from ..input.paths import archive_of
from ..input.source import Source, StandardInput, Tree, is_blank
from ..report import Report, count_lines, leaving_out, reason_of
from .sniff import CONFIDENT, SURE, Candidate, candidates, choose, claim, hints

MAX_FOLDER_DEPTH = 20  # folders around an export: backups have a few, a chain of thousands is an attack
MAX_NESTING = 3  # archives within archives: exports have one level, a chain of many is an attack


@dataclass(frozen=True, slots=True)
class Reading:
    """One chat, or one part of it, found in one place. `whole` is the export it belongs to, if that is one thing.

    `source` is its file, if it has one of its own.
    """

    stream: Stream
    format: Format
    place: str
    whole: str = ""
    source: Source | None = None


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
            try:
                return [_of_tree(stream, whole, tree) for stream in whole.read_tree(tree, self.options)]
            except (NoChats, WrongFormat):
                if not self.forced:
                    raise
                # No export of that format, but its files may be: they are read one by one below.
        claimed = [] if self.forced else list(_claimed_below(tree))
        taken = {source.name for below in claimed for source in below.files.values()}
        nested, files = self._nested([s for s in tree.files.values() if s.name not in taken], nesting)
        found = self.files(files)
        for below in claimed:
            with leaving_out(self.report, below.name):
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
            if not self.forced.read_tree:
                return None
            self._drop_unopenable(tree)
            return self.forced
        try:
            return claim(tree)
        except InputError:  # a file of it cannot even be opened: the others decide
            self._drop_unopenable(tree)
            return claim(tree) if tree.files else None

    def _drop_unopenable(self, tree: Tree) -> None:
        for member, source in list(tree.files.items()):
            with leaving_out(self.report, source.name, source):
                _ = source.head
                continue
            del tree.files[member]

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
            return [Reading(stream, format, source.name, "", source) for stream in format.read(source, self.options)]
        with _hinting(source):
            streams = list(format.read(source, self.options))
        return [Reading(_hinted(source, stream), format, source.name, "", source) for stream in streams]


def _of_tree(stream: Stream, format: Format, tree: Tree) -> Reading:
    return Reading(stream, format, stream.source.name if stream.source else tree.name, tree.name, stream.source)


def readings(places: Iterable[Source | Tree], forced: Format | None, options: Options, report: Report) -> list[Reading]:
    """Every chat and part of a chat in these places; what is left out or skipped is noted in `report`.

    Without any chat, the error is that of the only place, or names the first reason.
    """
    gathering = _Gathering(forced, options, report)
    places = _once(list(places), report)
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


def _once(places: list[Source | Tree], report: Report) -> list[Source | Tree]:
    """The places without those that were named before."""
    found: dict[str, Source | Tree] = {}
    for place in places:
        if found.setdefault(os.path.realpath(place.name), place) is not place:
            report.skip_file(place.name, "named twice, and read once")
    return list(found.values())


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
    """The folders below that are exports as a whole, in order.

    Every file is looked at once for each of the folders around it, hence the limit on their number.
    """
    waiting = [(below, 1) for below in reversed(tree.folders())]
    while waiting:
        below, depth = waiting.pop()
        if claim(below):
            yield below
        elif depth < MAX_FOLDER_DEPTH:
            waiting += [(deeper, depth + 1) for deeper in reversed(below.folders())]


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
