"""What the user names: files, patterns, folders, archives and standard input, each as something that can be read."""

from __future__ import annotations

import glob
import io
import shutil
import sys
import tarfile
import tempfile
import weakref
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, cast

from ..errors import Empty, Missing, NoChats, Unreadable
from ..text import natural
from .source import Source, StandardInput, Tree, file_source
from .unpack import guard, unpacked


def sources(paths: Iterable[str | Path]) -> list[Source | Tree]:
    """Every path, glob, folder, archive and "-" as something that can be read."""
    return [place for path in paths for place in _places(str(path))]


def _places(path: str) -> Iterator[Source | Tree]:
    if path == "-":
        given = StandardInput(cast(io.BufferedReader, sys.stdin.buffer))
        yield _archive_in(given) or given
        return
    here = Path(path)
    with guard(path):
        exists = here.exists()
    if not exists:
        if here.is_symlink():
            raise Unreadable(path, "it is a symbolic link to nothing or to itself")
        matches = sorted(glob.glob(path, recursive=True), key=natural)
        if not matches:
            raise Missing(path)
        for match in matches:
            yield from _places(match)
    elif here.is_dir():
        yield folder(here)
    else:
        yield archive(here) or file_source(here)


def _archive_in(given: StandardInput) -> Tree | None:
    """What is piped in as an archive, or None if it is none."""
    if _is_zip(given.raw_head):
        return _zip(given.spool(), given.name)
    return _tar(given.spool(), given.name) if _is_tar(given.head) else None


def folder(path: Path) -> Tree:
    tree = Tree(path.as_posix().rstrip("/"))
    for file in sorted(path.rglob("*"), key=lambda p: natural(p.as_posix())):
        relative = file.relative_to(path)
        if file.is_file() and not _hidden(relative.as_posix()):
            tree.add(relative.as_posix(), file_source(file).opener)
    if not tree.files:
        raise NoChats(str(path), "the folder has no files")
    return tree


def archive(path: Path) -> Tree | None:
    """The members of a zip or tar file, or None if it is neither."""
    with guard(str(path)):
        with path.open("rb") as stream:
            magic = stream.read(4)
        if _is_zip(magic):
            return _zip(path.open("rb"), path.as_posix())
        with unpacked(path.open("rb")) as stream:
            start = stream.read(512)
        return _tar(path.open("rb"), path.as_posix()) if _is_tar(start) else None


def _is_zip(magic: bytes) -> bool:
    return magic[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _zip(stream: IO[bytes], name: str) -> Tree:
    tree = Tree(name)
    weakref.finalize(tree, stream.close)
    with guard(name):
        file = zipfile.ZipFile(stream)
    for info in sorted(file.infolist(), key=lambda info: natural(info.filename)):
        if not info.is_dir() and not _hidden(info.filename):
            tree.add(info.filename, partial(file.open, info))
    if not tree.files:
        raise Empty(name)
    return tree


def _hidden(member: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(member).parts)


def _is_tar(start: bytes) -> bool:
    return start[257:262] == b"ustar"


def _tar(packed: IO[bytes], name: str) -> Tree:
    tree = Tree(name)
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - stays open for the members
    weakref.finalize(tree, spool.close)
    with guard(name):
        with unpacked(packed) as stream:
            shutil.copyfileobj(stream, spool)
        spool.seek(0)
        file = tarfile.open(fileobj=spool)  # noqa: SIM115
        members = file.getmembers()
    for info in sorted(members, key=lambda info: natural(info.name)):
        if info.isfile() and not _hidden(info.name):
            tree.add(info.name, partial(_member, file, info))
    if not tree.files:
        raise Empty(name)
    return tree


def _member(file: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    return file.extractfile(info) or io.BytesIO()
