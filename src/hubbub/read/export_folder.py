"""Folders and archives that are one export: chats beside the pictures, styles and lists that came with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ..chat import Message
from ..errors import NoChats
from ..text import natural
from .format import Clue, Options, Report, Sample, Stream
from .source import Source, Tree

_ASSET = re.compile(
    r"(?i)\.(css|js|jpe?g|png|gif|webp|svg|ico|heic|tgs|mp4|3gp|mov|avi|mkv|webm|opus|ogg|oga|m4a|aac|amr|mp3|wav|flac"
    r"|vcf|vcard|pdf|docx?|xlsx?|pptx?|zip|apk|was|woff2?|ttf)$"
)
_NUMBERLESS = re.compile(r"(\D)(\.\w+)$")


@dataclass(frozen=True, slots=True)
class ExportFolder:
    """How a format takes such a folder: `asset` are names of files that belong to it and are never a chat."""

    sniff: Callable[[Sample], Clue | None]
    read: Callable[[Source, Options], Iterator[Stream]]
    asset: re.Pattern[str] = _ASSET

    def claim(self, tree: Tree) -> Clue | None:
        """Only if there are both chats and assets, and nothing else."""
        others = [name for name in tree.files if not self._is_asset(name)]
        if not others or len(others) == len(tree.files) or len(self._chats(tree)) < len(others):
            return None
        return Clue(0.95, "chats beside their media")

    def read_tree(self, tree: Tree, options: Options) -> Iterator[Stream]:
        chats = self._chats(tree)
        if not chats:
            raise NoChats(tree.name)
        streams = [stream for source in chats for stream in self.read(source, options)]
        yield _noting(streams[0], [source.name for source in tree.files.values() if source not in chats])
        yield from streams[1:]

    def _is_asset(self, name: str) -> bool:
        return is_asset(name) or bool(self.asset.search(name))

    def _chats(self, tree: Tree) -> list[Source]:
        names = sorted((name for name in tree.files if not self._is_asset(name)), key=_place)
        return [tree.files[name] for name in names if self._is_chat(tree.files[name])]

    def _is_chat(self, source: Source) -> bool:
        clue = self.sniff(Sample(source)) if source.head.strip() else None
        return clue is not None and clue.score >= 0.5


def is_asset(name: str) -> bool:
    """Whether a file is a picture, a document or the like by its ending."""
    return bool(_ASSET.search(name))


def _place(name: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key under which "messages.html" comes before "messages2.html"."""
    return natural(_NUMBERLESS.sub(r"\g<1>1\2", name))


def _noting(stream: Stream, assets: list[str]) -> Stream:
    def messages(first: int, report: Report) -> Iterator[Message]:
        for name in assets:
            report.skip_file(name, "belongs to the export, but is no chat")
        yield from stream.open(first, report)

    return replace(stream, open=messages)


def covers(tree: Tree, found: Sequence[Source]) -> bool:
    """Whether the whole tree lies in the folder of the topmost of these: an export alone, not one among others."""
    tops = [PurePosixPath(member).parent for member, source in tree.files.items() if source in found]
    root = min(tops, key=lambda path: len(path.parts), default=None)
    return root is not None and all(root in PurePosixPath(member).parents for member in tree.files)
