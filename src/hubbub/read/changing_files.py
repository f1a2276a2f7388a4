"""Files and folders that are read again whenever they have changed, and what was rotated away before it was read.

Other than in `growing_input`, each time the whole file or folder is read: dates, formats and names of chats depend on
it. Who stores the messages finds those it has.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO

from ..errors import Missing

POLL = 1.0  # seconds between two looks
SETTLED = 2  # looks without a change after which a file that ends within a line is read
SHARE = 0.1  # of the time that may go into reading again what was read before


@dataclass
class ChangingFiles:
    """Paths, each a file or a folder; files whose path begins with `ignored` do not count as changed.

    `pause` waits for so many seconds.
    """

    paths: Sequence[str]
    ignored: str = ""
    pause: Callable[[float], object] = time.sleep
    _handles: dict[str, IO[bytes]] = field(default_factory=dict)
    _read: dict[str, int] = field(default_factory=dict)  # file -> its size when it was read

    def rounds(self) -> Iterator[list[str]]:
        """The paths to read: at first all of them, then those that have changed, for ever."""
        for path in self.paths:
            if not Path(path).exists():
                raise Missing(path)
        try:
            yield from self._rounds()
        finally:
            for handle in self._handles.values():
                handle.close()

    def _rounds(self) -> Iterator[list[str]]:
        known: dict[str, object] = {}
        while True:
            now = self._states()
            changed = [path for path in self.paths if now[path] and now[path] != known.get(path)]
            if known and changed:
                now = self._settled()
                changed = [path for path in changed if now[path]]
            for path in changed:
                with self._rotated(path) as before:
                    if before:
                        yield [before]
            began = time.monotonic()
            self._keep(changed)
            if changed:
                yield changed
            known |= {path: now[path] for path in changed}
            self.pause(max(POLL, (time.monotonic() - began) / SHARE))

    def _settled(self) -> dict[str, object]:
        """The state when files end with a line, or have not changed for some time."""
        for _ in range(SETTLED):
            if all(_ends_with_line(path, self._ignored()) for path in self.paths):
                break
            self.pause(POLL)
        return self._states()

    def _states(self) -> dict[str, object]:
        return {path: _state(path, self._ignored()) for path in self.paths}

    def _ignored(self) -> str:
        return str(Path(self.ignored).absolute()) if self.ignored else ""

    def _keep(self, paths: Sequence[str]) -> None:
        """Holds files open, so that what is appended before they are rotated can be read after that."""
        for path in paths:
            if Path(path).is_file():
                if path in self._handles:
                    self._handles.pop(path).close()
                with suppress(OSError):
                    self._handles[path] = Path(path).open("rb")  # noqa: SIM115
                    self._read[path] = os.fstat(self._handles[path].fileno()).st_size

    def _rotated(self, path: str) -> _Rotated:
        handle = self._handles.get(path)
        if handle is None or not _is_other(path, handle) or os.fstat(handle.fileno()).st_size == self._read[path]:
            return _Rotated(path, None)
        return _Rotated(path, handle)


class _Rotated:
    """A file that another one has replaced, as a file of the same path below a temporary folder; "" for none."""

    def __init__(self, path: str, handle: IO[bytes] | None) -> None:
        self._path, self._handle = Path(path).absolute(), handle
        self._folder: TemporaryDirectory[str] | None = None

    def __enter__(self) -> str:
        if self._handle is None:
            return ""
        self._folder = TemporaryDirectory(prefix="hubbub-rotated-")
        place = Path(self._folder.name, *self._path.parts[1:])
        place.parent.mkdir(parents=True)
        self._handle.seek(0)
        with place.open("wb") as copy:
            copyfileobj(self._handle, copy)
        return str(place)

    def __exit__(self, *_: object) -> None:
        if self._folder:
            self._folder.cleanup()


def _state(path: str, ignored: str) -> object:
    """What changes when a file or anything in a folder does; None if it is missing, as it may be for a moment."""
    place = Path(path)
    try:
        if not place.is_dir():
            found = place.stat()
            return found.st_ino, found.st_size, found.st_mtime_ns
    except OSError:
        return None
    return {name: _state(name, ignored) for name in _files(place, ignored)}


def _files(folder: Path, ignored: str) -> Iterator[str]:
    for parent, _, names in os.walk(folder.absolute()):
        paths = (str(Path(parent, name)) for name in sorted(names))
        yield from (path for path in paths if not (ignored and path.startswith(ignored)))


def _ends_with_line(path: str, ignored: str) -> bool:
    """Of a folder, whether the files do that changed lately; a file that cannot be read is somebody else's concern."""
    place = Path(path)
    try:
        if place.is_dir():
            recent = time.time() - POLL * (SETTLED + 1)
            return all(
                _ends_with_line(name, "") for name in _files(place, ignored) if Path(name).stat().st_mtime > recent
            )
        with place.open("rb") as file:
            file.seek(max(place.stat().st_size - 1, 0))
            return file.read(1) in (b"", b"\n")
    except OSError:
        return True


def _is_other(path: str, handle: IO[bytes]) -> bool:
    try:
        there, own = Path(path).stat(), os.fstat(handle.fileno())
    except OSError:
        return False
    return (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino)
