"""Where bytes come from: a file, a member of a folder or an archive, or standard input."""

from __future__ import annotations

import io
import shutil
import tempfile
import weakref
from collections.abc import Callable
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from ...text import natural
from .decompression import guard, unpacked, unpacked_head
from .limits import Budget, Limit

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD = 1 << 16

Opener = Callable[[], IO[bytes]]


class CountedFile(io.FileIO):
    """A file that adds what is read of it to a count, from which programs show their progress."""

    total = 0  # bytes that this process has read of all such files

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        count = super().readinto(buffer)
        CountedFile.total += count or 0
        return count


def bytes_read() -> int:
    return CountedFile.total


class Source:
    """One stream of bytes with a name. `tree` is the folder or archive that it was found in.

    `budget` bounds what it may unpack to, together with whatever else the same file of the user holds.
    `is_live` says that it still grows: what has arrived is given out at once, and not in large blocks.
    """

    is_live = False

    def __init__(self, name: str, opener: Opener, tree: Tree | None = None, budget: Budget | None = None) -> None:
        self.name = name
        self.tree = tree
        self.opener = opener
        self.budget = budget or Budget()

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def open(self) -> IO[bytes]:
        """The decompressed bytes from the beginning."""
        with guard(self.name):
            return unpacked(self.opener(), self.name, self.budget)

    @property
    def head(self) -> bytes:
        """Its beginning, read anew each time: thousands of day files must not keep theirs in memory."""
        with self.open() as stream, guard(self.name):
            return _read_exactly(stream, HEAD)

    def bytes(self) -> bytes:
        with self.open() as stream, guard(self.name):
            return stream.read()

    def sibling(self, name: str) -> Source | None:
        """The file of that name that lies beside this one."""
        if self.tree is not None:
            here = PurePosixPath(self.name).relative_to(PurePosixPath(self.tree.name)).parent
            return self.tree.files.get(str(here / name))
        path = Path(self.name).parent / name
        return file_source(path, self.budget.limit) if path.is_file() else None


class StandardInput(Source):
    """Standard input or a named pipe: its head can be looked at, then it streams once; `rewind` makes it stay."""

    def __init__(self, stream: io.BufferedReader, limit: Limit | None = None, name: str = "<stdin>") -> None:
        super().__init__(name, self._once, budget=Budget(limit))
        self._stream = stream
        with guard(self.name):
            self.raw_head = _read_exactly(stream, HEAD)

    @cached_property
    def head(self) -> bytes:
        with guard(self.name):
            return unpacked_head(self.raw_head, HEAD)

    def _once(self) -> IO[bytes]:
        return io.BufferedReader(_Chained(self.raw_head, self._stream))

    def sibling(self, name: str) -> Source | None:
        return None

    def rewind(self) -> Source:
        """The same bytes as a source that can be opened again and again."""
        spool = self.spool()
        source = Source(self.name, lambda: io.BufferedReader(_Shared(spool)), budget=self.budget)
        weakref.finalize(source, spool.close)
        return source

    def spool(self) -> IO[bytes]:
        """The raw bytes in a temporary file."""
        spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as what is made of it
        with guard(self.name), self._once() as stream:
            shutil.copyfileobj(stream, spool)
        spool.seek(0)
        return spool


class _Chained(io.RawIOBase):
    def __init__(self, first: bytes, rest: io.BufferedReader) -> None:
        self._first = io.BytesIO(first)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        data = self._first.read(len(view)) or self._rest.read1(len(view))
        view[: len(data)] = data
        return len(data)


class _Shared(io.RawIOBase):
    """A view of an open file, with a place of its own, that does not close it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        self._file.seek(self._at)
        data = self._file.read(len(view))
        self._at += len(data)
        view[: len(data)] = data
        return len(data)


def rewindable(source: Source) -> Source:
    """A source that can be opened more than once, for formats that look twice."""
    return source.rewind() if isinstance(source, StandardInput) else source


class Tree:
    """A folder or an archive: names of its files, with / between the parts, and how to open each.

    `hidden` are files that begin with a dot or belong to the packing program; `refused` are those that are not read,
    with the reason.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.files: dict[str, Source] = {}
        self.hidden: list[str] = []
        self.refused: list[tuple[str, str]] = []

    def __repr__(self) -> str:
        return f"Tree({self.name!r}, {len(self.files)} files)"

    def add(self, member: str, opener: Opener, budget: Budget | None = None) -> None:
        if member in self.files:
            self.refuse(member, "another file of the same name follows in the archive, and that one is read")
        self.files[member] = Source(f"{self.name}/{member}", opener, self, budget)

    def refuse(self, member: str, reason: str) -> None:
        self.refused.append((member, reason))

    def sort(self) -> None:
        """Puts the files in the natural order of their names."""
        self.files = dict(sorted(self.files.items(), key=lambda pair: natural(pair[0])))

    def folders(self) -> list[Tree]:
        """The folders right below, each as a tree of its own."""
        below: dict[str, Tree] = {}
        for member, source in self.files.items():
            top, slash, rest = member.partition("/")
            if slash:
                below.setdefault(top, Tree(f"{self.name}/{top}")).add(rest, source.opener, source.budget)
        return list(below.values())

    def named(self, name: str) -> list[Source]:
        """The files of that name at any depth."""
        return [source for member, source in self.files.items() if PurePosixPath(member).name == name]


def is_blank(head: bytes) -> bool:
    """Whether there is nothing but blanks and line ends."""
    return not head.strip(b"\r\n\t \xef\xbb\xbf")


def file_source(path: Path, limit: Limit | None = None) -> Source:
    return Source(str(path), lambda: io.BufferedReader(CountedFile(str(path))), budget=Budget(limit))


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
