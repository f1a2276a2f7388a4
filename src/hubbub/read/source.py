"""Where bytes come from: a file, a member of an archive, or standard input, decompressed by what they are."""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import shutil
import sys
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from backports import zstd

from ..errors import Broken, Empty, Missing, NoChats, Unreadable
from ..text import natural

HEAD = 1 << 16

_DAMAGE = (EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile, tarfile.TarError,
           NotImplementedError, RuntimeError)  # fmt: skip


@contextmanager
def guard(name: str) -> Iterator[None]:
    """Turns what the system and the archive libraries raise into hubbub's own errors."""
    try:
        yield
    except FileNotFoundError:
        raise Missing(name) from None
    except _DAMAGE as error:
        raise Broken(name, str(error) or type(error).__name__) from None
    except OSError as error:
        if error.errno is None:
            raise Broken(name, str(error)) from None
        raise Unreadable(name, error.strerror or str(error)) from None


class Source:
    """One stream of bytes with a name. `tree` is the folder or archive that it was found in."""

    def __init__(self, name: str, opener: Callable[[], BinaryIO], tree: Tree | None = None) -> None:
        self.name = name
        self.tree = tree
        self.opener = opener

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def open(self) -> BinaryIO:
        """The decompressed bytes from the beginning."""
        with guard(self.name):
            return _decompress(self.opener())

    @cached_property
    def head(self) -> bytes:
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
        return file_source(path) if path.is_file() else None


class StandardInput(Source):
    """Standard input: its head can be looked at, then it streams once; `rewind` makes it stay."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__("<stdin>", self._once)
        self._stream = stream
        with guard(self.name):
            self.raw_head = _read_exactly(stream, HEAD)

    @cached_property
    def head(self) -> bytes:
        return _head_of(self.raw_head)

    def _once(self) -> BinaryIO:
        return cast(BinaryIO, io.BufferedReader(_Chained(self.raw_head, self._stream)))

    def sibling(self, name: str) -> Source | None:
        return None

    def rewind(self) -> Source:
        """The same bytes as a source that can be opened again and again."""
        spool = self.spool()
        source = Source(self.name, lambda: cast(BinaryIO, io.BufferedReader(_Shared(spool))))
        weakref.finalize(source, spool.close)
        return source

    def spool(self) -> BinaryIO:
        """The raw bytes in a temporary file."""
        spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as what is made of it
        with guard(self.name), self._once() as stream:
            shutil.copyfileobj(stream, spool)
        spool.seek(0)
        return cast(BinaryIO, spool)


class _Chained(io.RawIOBase):
    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self._first = io.BytesIO(first)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._first.read(len(buffer)) or cast(io.BufferedReader, self._rest).read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Shared(io.RawIOBase):
    """A view of an open file, with a place of its own, that does not close it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._file.seek(self._at)
        data = self._file.read(len(buffer))
        self._at += len(data)
        buffer[: len(data)] = data
        return len(data)


def rewindable(source: Source) -> Source:
    """A source that can be opened more than once, for formats that look twice."""
    return source.rewind() if isinstance(source, StandardInput) else source


class Tree:
    """A folder or an archive: names of its files, with / between the parts, and how to open each."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.files: dict[str, Source] = {}

    def __repr__(self) -> str:
        return f"Tree({self.name!r}, {len(self.files)} files)"

    def add(self, member: str, opener: Callable[[], BinaryIO]) -> None:
        self.files[member] = Source(f"{self.name}/{member}", opener, self)

    def folders(self) -> list[Tree]:
        """The folders right below, each as a tree of its own."""
        below: dict[str, Tree] = {}
        for member, source in self.files.items():
            top, slash, rest = member.partition("/")
            if slash:
                below.setdefault(top, Tree(f"{self.name}/{top}")).add(rest, source.opener)
        return list(below.values())

    def named(self, name: str) -> list[Source]:
        """The files of that name at any depth."""
        return [source for member, source in self.files.items() if PurePosixPath(member).name == name]


def sources(paths: Iterable[str | Path]) -> list[Source | Tree]:
    """Every path, glob, folder, archive and "-" as something that can be read."""
    return [place for path in paths for place in _places(str(path))]


def _places(path: str) -> Iterator[Source | Tree]:
    if path == "-":
        given = StandardInput(sys.stdin.buffer)
        yield _zip(given.spool(), given.name) if _is_zip(given.raw_head) else given
        return
    here = Path(path)
    with guard(path):
        exists = here.exists()
    if not exists:
        matches = sorted(glob.glob(path, recursive=True), key=natural)
        if not matches:
            raise Missing(path)
        for match in matches:
            yield from _places(match)
    elif here.is_dir():
        yield folder(here)
    else:
        yield archive(here) or file_source(here)


def file_source(path: Path) -> Source:
    return Source(str(path), lambda: cast(BinaryIO, path.open("rb")))


def folder(path: Path) -> Tree:
    tree = Tree(path.as_posix().rstrip("/"))
    for file in sorted(path.rglob("*"), key=lambda p: natural(p.as_posix())):
        relative = file.relative_to(path)
        if file.is_file() and not _hidden(relative.as_posix()):
            tree.add(relative.as_posix(), lambda file=file: cast(BinaryIO, file.open("rb")))  # type: ignore[misc]
    if not tree.files:
        raise NoChats(str(path), "the folder has no files")
    return tree


def archive(path: Path) -> Tree | None:
    """The members of a zip or tar file, or None if it is neither."""
    with guard(str(path)):
        with path.open("rb") as stream:
            magic = stream.read(512)
        if _is_zip(magic):
            return _zip(path.open("rb"), path.as_posix())
        if _is_tar(path, magic):
            return _tar(path)
    return None


def _is_zip(magic: bytes) -> bool:
    return magic[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _zip(stream: BinaryIO, name: str) -> Tree:
    tree = Tree(name)
    weakref.finalize(tree, stream.close)
    with guard(name):
        file = zipfile.ZipFile(stream)
    for info in sorted(file.infolist(), key=lambda info: natural(info.filename)):
        if not info.is_dir() and not _hidden(info.filename):
            tree.add(info.filename, lambda info=info: cast(BinaryIO, file.open(info)))  # type: ignore[misc]
    if not tree.files:
        raise Empty(name)
    return tree


def _hidden(member: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(member).parts)


def _is_tar(path: Path, magic: bytes) -> bool:
    if magic[257:262] == b"ustar":
        return True
    if not path.name.endswith((".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")):
        return False
    with _decompress(cast(BinaryIO, path.open("rb"))) as stream:
        return stream.read(512)[257:262] == b"ustar"


def _tar(path: Path) -> Tree:
    tree = Tree(path.as_posix())
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - stays open for the members
    weakref.finalize(tree, spool.close)
    with _decompress(path.open("rb")) as stream:
        shutil.copyfileobj(stream, spool)
    spool.seek(0)
    file = tarfile.open(fileobj=spool)  # noqa: SIM115
    for info in sorted(file.getmembers(), key=lambda info: natural(info.name)):
        if info.isfile() and not _hidden(info.name):
            tree.add(info.name, lambda info=info: cast(BinaryIO, file.extractfile(info)))  # type: ignore[misc]
    if not tree.files:
        raise Empty(str(path))
    return tree


_MAGIC: tuple[tuple[bytes, Callable[[BinaryIO], object]], ...] = (
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"\x28\xb5\x2f\xfd", zstd.ZstdFile),
)


class _Unpacked(io.BufferedReader):
    """A decompressed stream that closes the packed one with itself."""

    def __init__(self, stream: Any, packed: io.BufferedReader) -> None:
        super().__init__(stream)
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


def _decompress(raw: BinaryIO) -> BinaryIO:
    stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
    start = stream.peek(6)[:6]
    for magic, wrap in _MAGIC:
        if start.startswith(magic):
            return cast(BinaryIO, _Unpacked(wrap(cast(BinaryIO, stream)), stream))
    return cast(BinaryIO, stream)


def _head_of(raw_head: bytes) -> bytes:
    stream = _decompress(cast(BinaryIO, io.BytesIO(raw_head)))
    parts: list[bytes] = []
    try:
        while sum(map(len, parts)) < HEAD and (part := stream.read(4096)):
            parts.append(part)
    except _DAMAGE:
        pass
    return b"".join(parts)[:HEAD]


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
