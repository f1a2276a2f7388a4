"""Folders and archives that are one export: chats beside the pictures, styles and lists that came with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ...chat import Message
from ...errors import NoChats
from ...text import natural
from ..detect.file_head import Clue, Sample
from ..format import Options, Stream
from ..input.source import Source, Tree, is_blank
from ..report import Report, count_lines, leaving_out

_ASSET = re.compile(
    r"(?i)\.(css|js|jpe?g|png|gif|webp|svg|ico|heic|tgs|mp4|3gp|mov|avi|mkv|webm|opus|ogg|oga|m4a|aac|amr|mp3|wav|flac"
    r"|vcf|vcard|pdf|docx?|xlsx?|pptx?|zip|apk|was|woff2?|ttf)$"
)
_PACKED = re.compile(r"(?i)\.zip$")
_NUMBERLESS = re.compile(r"(\D)(\.\w+)$")


@dataclass(frozen=True, slots=True)
class ExportFolder:
    """How a format takes such a folder: `asset` are names of files that belong to it and are never a chat."""

    sniff: Callable[[Sample], Clue | None]
    read: Callable[[Source, Options], Iterator[Stream]]
    asset: re.Pattern[str] = _ASSET

    def claim(self, tree: Tree) -> Clue | None:
        """Only if there are both chats and assets, and nothing else."""
        others = self._in_order(tree)
        if not others or len(others) == len(tree.files) or not all(map(self._is_chat, others)):
            return None
        return Clue(0.95, "chats beside their media")

    def read_tree(self, tree: Tree, options: Options) -> Iterator[Stream]:
        strays, streams = Report(), list[Stream]()
        for source in self._in_order(tree):
            with leaving_out(strays, source.name, source):
                if self._is_chat(source):
                    streams += (replace(stream, source=source) for stream in self.read(source, options))
                elif is_blank(source.head):
                    strays.skip_file(source.name, "an empty file")
                else:
                    strays.leave_out(source.name, "not a chat of this export", count_lines(source))
        if not streams:
            raise NoChats(tree.name, *(f"{each.where}: {each.reason}" for each in strays.left_out[:1]))
        for name, source in tree.files.items():
            if self._is_asset(name):
                strays.skip_file(source.name, "belongs to the export, but is no chat")
        yield noting(streams[0], strays)
        yield from streams[1:]

    def _is_asset(self, name: str) -> bool:
        return is_asset(name) or bool(self.asset.search(name))

    def _in_order(self, tree: Tree) -> list[Source]:
        """The files that may be chats; "messages2.html" comes after "messages.html"."""
        names = sorted((name for name in tree.files if not self._is_asset(name)), key=_place)
        return [tree.files[name] for name in names]

    def _is_chat(self, source: Source) -> bool:
        clue = self.sniff(Sample(source)) if source.head.strip() else None
        return clue is not None and clue.score >= 0.5


def is_media(name: str) -> bool:
    """Whether a file's name says that it is a picture, a sound, a style or a document, which no reader takes."""
    return bool(_ASSET.search(name)) and not _PACKED.search(name)


def is_asset(name: str) -> bool:
    """Whether a file is a picture, a document or the like by its ending."""
    return bool(_ASSET.search(name))


def _place(name: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key under which "messages.html" comes before "messages2.html"."""
    return natural(_NUMBERLESS.sub(r"\g<1>1\2", name))


def noting(stream: Stream, strays: Report) -> Stream:
    """The same chat, whose report has also what belongs to no chat."""

    def messages(first: int, report: Report) -> Iterator[Message]:
        report.merge(strays)
        yield from stream.open(first, report)

    return replace(stream, open=messages)


def covers(tree: Tree, found: Sequence[Source]) -> bool:
    """Whether the whole tree lies in the folder of the topmost of these: an export alone, not one among others."""
    tops = [PurePosixPath(member).parent for member, source in tree.files.items() if source in found]
    root = min(tops, key=lambda path: len(path.parts), default=None)
    return root is not None and all(root in PurePosixPath(member).parents for member in tree.files)
