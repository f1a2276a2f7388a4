"""Files and folders that appear whole or not at all, and errors of writing that name what could not be written.

Whatever stops a command (an error, Ctrl-C, a signal that asks it to end) removes what is not finished.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from .errors import LOOP, Unwritable, is_link_loop

_STOPPING = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]


class Output(io.FileIO):
    """A file whose write errors are Unwritable, so that they differ from all other errors.

    A reader that has gone away is left to `gone`, the exception to raise then, if there is one.
    """

    def __init__(self, file: Any, name: str, gone: type[OSError] | None = None, **options: Any) -> None:
        super().__init__(file, "wb", **options)
        self._shown, self._gone = name, gone

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if self._gone and isinstance(error, self._gone):
                raise
            raise Unwritable(self._shown, reason(error)) from None


def reason(error: OSError) -> str:
    return error.strerror or str(error)


@contextmanager
def placed_file(out: str) -> Iterator[TextIO]:
    """A file under another name until it is whole; a device or a pipe is written as it is."""
    path = _resolved(out)
    special = path.exists() and not path.is_file()
    partial = path if special else path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _opened(partial, out) as file:
            yield file
        if not special:
            with _write_errors(out):
                partial.replace(path)
    finally:
        if not special:
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def _resolved(out: str) -> Path:
    """The file itself where links point at one; a link that points at itself points nowhere."""
    if is_link_loop(out):
        raise Unwritable(out, LOOP)
    with _write_errors(out):
        return Path(out).resolve()


def _opened(path: Path, shown: str) -> TextIO:
    with _write_errors(shown):
        raw = Output(path, shown)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", newline="")


@contextmanager
def _write_errors(shown: str) -> Iterator[None]:
    """For steps that only write: whatever fails in them, this could not be written."""
    try:
        yield
    except OSError as error:
        raise Unwritable(shown, reason(error)) from None


class Folder:
    """A folder that is being written: `file` opens one below it."""

    def __init__(self, path: Path, shown: str) -> None:
        self._path, self._shown = path, shown

    def file(self, name: str) -> TextIO:
        with _write_errors(self._shown):
            (self._path / name).parent.mkdir(parents=True, exist_ok=True)
        return _opened(self._path / name, self._shown)


@contextmanager
def placed_folder(out: str) -> Iterator[Folder]:
    """A folder beside the wanted one until all of its files are written.

    A folder that is not there, or is empty, appears in one step. Into one that holds something the finished files
    are moved, over those of the same names; what else is in it stays.
    """
    folder = _resolved(out)
    if folder.exists() and not folder.is_dir():
        raise Unwritable(out, "it is a file, and a folder is to be written")
    made = [each for each in folder.parents if not each.exists()]
    try:
        with _write_errors(out):
            folder.parent.mkdir(parents=True, exist_ok=True)
            waiting = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
        try:
            yield Folder(waiting / "new", out)
            with _write_errors(out), uninterrupted():
                _move(waiting / "new", folder)
                made = []
        finally:
            shutil.rmtree(waiting, ignore_errors=True)
    finally:
        for parent in made:
            with suppress(OSError):
                parent.rmdir()


def _move(new: Path, folder: Path) -> None:
    new.mkdir(exist_ok=True)
    if folder.exists() and not any(folder.iterdir()):
        folder.rmdir()
    if not folder.exists():
        shutil.move(new, folder)
        return
    for file in sorted(each for each in new.rglob("*") if each.is_file()):
        target = folder / file.relative_to(new)
        target.parent.mkdir(parents=True, exist_ok=True)
        file.replace(target)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that stop a command wait until this is done, so that several files appear together."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
