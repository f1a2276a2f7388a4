"""What the user names: files, patterns, folders, archives and standard input, each as something that can be read."""

from __future__ import annotations

import contextlib
import glob
import io
import os
import re
import shutil
import stat
import sys
import tarfile
import tempfile
import weakref
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, cast

from ...errors import Empty, InputError, Missing, NoChats
from ...text import natural
from .decompression import guard, noted, unpacked
from .limits import Budget, Limit
from .source import Opener, Source, StandardInput, Tree, file_source


def sources(paths: Iterable[str | Path], limit: Limit | None = None) -> list[Source | Tree]:
    """Every path, glob, folder, archive and "-" as something that can be read."""
    listed, bound = [str(path) for path in paths], limit or Limit.of()
    return [place for path in listed for place in _tried(path, bound, is_only=len(listed) == 1)]


def _tried(path: str, limit: Limit, is_only: bool) -> list[Source | Tree]:
    """What a path names. One of several that names nothing is an error when it is read, so that the others are read."""
    try:
        return list(_places(path, limit))
    except InputError as error:
        if is_only:
            raise
        return [Source(path, partial(_failing, error))]


def _places(path: str, limit: Limit) -> Iterator[Source | Tree]:
    if path == "-":
        given = StandardInput(cast(io.BufferedReader, sys.stdin.buffer), limit)
        yield archive_in(given) or given
        return
    if not path:
        raise Missing('""')
    with guard(path):
        exists = os.path.lexists(path)
    if exists:
        yield _place(Path(path), limit)
        return
    matches = sorted(glob.glob(path, recursive=True), key=natural)
    if not matches:
        raise Missing(path)
    for match in matches:
        yield _place(Path(match), limit)


def _place(path: Path, limit: Limit) -> Source | Tree:
    """What lies at a path that is there, if only as a link."""
    with guard(str(path)):
        mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        return folder(path, limit)
    if stat.S_ISFIFO(mode):
        with guard(str(path)):
            pipe = StandardInput(path.open("rb"), limit, str(path))
        return archive_in(pipe) or pipe
    source = file_source(path, limit)
    try:
        return archive_of(source) or source
    except InputError as error:  # it is raised again when the file is read, so that other files are read all the same
        return Source(source.name, partial(_failing, error))


def _failing(error: InputError) -> IO[bytes]:
    raise error


def archive_in(given: StandardInput) -> Tree | None:
    """What is piped in as an archive, or None if it is none."""
    if _is_zip(given.raw_head):
        return _zip(given.spool(), given.name, given.budget)
    return _tar(given.spool(), given.name, given.budget) if _is_tar(given.head) else None


def folder(path: Path, limit: Limit | None = None) -> Tree:
    """The files below a folder. What cannot be read is refused by name; a folder that is seen again is a loop."""
    tree = Tree(path.as_posix().rstrip("/"))
    waiting, seen = [path], set[tuple[int, int]]()
    while waiting:
        here = waiting.pop()
        relative = here.relative_to(path).as_posix()
        try:
            at = here.stat()
            if (at.st_dev, at.st_ino) in seen:
                tree.refuse(relative, "a link to a folder that is read already")
                continue
            seen.add((at.st_dev, at.st_ino))
            entries = list(os.scandir(here))
        except OSError as error:
            tree.refuse(relative, f"cannot be read: {error.strerror or error}")
            continue
        for entry in entries:
            if (below := _entry(tree, path, Path(entry.path), limit)) is not None:
                waiting.append(below)
    tree.sort()
    if not tree.files and not tree.refused:
        raise NoChats(str(path), "the folder has no files")
    return tree


def _entry(tree: Tree, top: Path, path: Path, limit: Limit | None) -> Path | None:
    """Adds a file to the tree, or gives back a folder that is to be looked into."""
    member = path.relative_to(top).as_posix()
    if _hidden(member):
        tree.hidden.append(member)
        return None
    try:
        mode = path.stat().st_mode
    except OSError as error:
        tree.refuse(member, f"cannot be read: {error.strerror or error}")
        return None
    if stat.S_ISDIR(mode):
        return path
    if stat.S_ISREG(mode):
        tree.add(member, file_source(path).opener, Budget(limit))
    else:
        tree.refuse(member, "neither a file nor a folder")
    return None


def archive_of(source: Source) -> Tree | None:
    """The members of a zip or tar archive that a source holds, or None if it holds none."""
    with guard(source.name):
        with source.opener() as stream:
            magic = stream.read(4)
        if _is_zip(magic):
            return _zip(_seekable(source), source.name, source.budget)
        with source.open() as stream:
            start = stream.read(512)
        return _tar(source.opener(), source.name, source.budget) if _is_tar(start) else None


def _seekable(source: Source) -> IO[bytes]:
    """The packed bytes of a source as a file in which one can go back: a copy, unless it is a file already."""
    stream = source.opener()
    if isinstance(getattr(stream, "raw", None), io.FileIO):
        return stream
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - stays open for the members
    with stream:
        shutil.copyfileobj(stream, spool)
    spool.seek(0)
    return spool


def _is_zip(magic: bytes) -> bool:
    return magic[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _zip(stream: IO[bytes], name: str, budget: Budget) -> Tree:
    tree = Tree(name)
    _know_size(budget, stream)
    weakref.finalize(tree, stream.close)
    with guard(name):
        file = zipfile.ZipFile(stream)
    for member, info in sorted(_named(file.infolist()), key=lambda pair: natural(pair[0])):
        if not info.is_dir():
            _add_member(tree, member, partial(_zipped, file, info, f"{name}/{member}", budget), budget)
    if not tree.files and not tree.refused:
        raise Empty(name)
    return tree


def _know_size(budget: Budget, stream: IO[bytes]) -> None:
    """The archive that the user named is what all that is packed in it, at any depth, is compared with."""
    if budget.packed is None and stream.seekable():
        budget.packed = stream.seek(0, io.SEEK_END)
        stream.seek(0)


def _zipped(file: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget) -> IO[bytes]:
    """A member, refused by the size that it declares; zipfile gives no more than that."""
    budget.check(name, "member", info.file_size, info.compress_size)
    return noted(file.open(info), name, "member", info.compress_size, budget)


def _add_member(tree: Tree, member: str, opener: Opener, budget: Budget) -> None:
    if _leads_out(member):
        tree.refuse(member, "its name leads out of the archive")
    elif _hidden(member):
        tree.hidden.append(member)
    else:
        tree.add(member, opener, budget)


def _leads_out(member: str) -> bool:
    """Whether a member would be written elsewhere than below the archive if somebody unpacked it by its name."""
    parts = member.replace("\\", "/").split("/")
    return ".." in parts or not parts[0] or bool(re.match(r"[A-Za-z]:$", parts[0]))


def _named(members: Iterable[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Members by name. Many packers write UTF-8 without the flag that says so, and zipfile then reads code page 437."""
    for info in members:
        name = info.filename
        if not info.flag_bits & 0x800 and not name.isascii():
            with contextlib.suppress(UnicodeError):
                name = name.encode("cp437").decode("utf-8")
        yield name, info


def _hidden(member: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(member).parts)


def _is_tar(start: bytes) -> bool:
    return start[257:262] == b"ustar"


def _tar(packed: IO[bytes], name: str, budget: Budget) -> Tree:
    tree = Tree(name)
    _know_size(budget, packed)
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - stays open for the members
    weakref.finalize(tree, spool.close)
    with guard(name):
        with unpacked(packed, name, budget) as stream:
            shutil.copyfileobj(stream, spool)
        spool.seek(0)
        file = tarfile.open(fileobj=spool)  # noqa: SIM115
        members = file.getmembers()
    for info in sorted(members, key=lambda info: natural(info.name)):
        if info.isfile():
            _add_member(tree, info.name, partial(_member, file, info, f"{name}/{info.name}", budget), budget)
        elif not info.isdir():
            tree.refuse(info.name, "neither a file nor a folder")
    if not tree.files and not tree.refused:
        raise Empty(name)
    return tree


def _member(file: tarfile.TarFile, info: tarfile.TarInfo, name: str, budget: Budget) -> IO[bytes]:
    """A member. The archive is unpacked already, but a sparse member has any number of zeros that are not in it."""
    stream = file.extractfile(info) or io.BytesIO()
    if not info.issparse():
        return stream
    stored = sum(size for _, size in cast(list[tuple[int, int]], info.sparse or []))
    budget.check(name, "member", info.size, stored)
    return noted(stream, name, "member", stored, budget)
