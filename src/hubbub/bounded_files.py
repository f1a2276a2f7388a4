"""Files that are read whole, such as examples and annotations: of bounded size, with clear errors."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from .errors import Missing, TooLarge, Unreadable

MAX_FILE_BYTES = 256 << 20  # bytes; the largest published set of examples of any task has a tenth of it
MAX_LINE_BYTES = 16 << 20  # a line without end would fill the memory


def read_bytes(path: Path, most: int = MAX_FILE_BYTES) -> bytes:
    """The whole file, if it has at most `most` bytes."""
    must_be_finite(path)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(content) > most:
        raise TooLarge(str(path), most)
    return content


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file of any size, read as they are needed; a line has at most MAX_LINE_BYTES bytes."""
    must_be_finite(path)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            while line := file.readline(MAX_LINE_BYTES):
                if len(line) == MAX_LINE_BYTES:
                    raise TooLarge(str(path), MAX_LINE_BYTES, "a line in it")
                yield line
    except OSError as error:
        raise unreadable(path, error) from None


def must_be_finite(path: Path) -> None:
    """Refuses devices other than /dev/null: they may never end, or wait for input."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise unreadable(path, error) from None
    if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and path != Path("/dev/null"):
        raise Unreadable(str(path), "it is a device, not a file")


def unreadable(path: Path, error: OSError) -> Missing | Unreadable:
    if isinstance(error, FileNotFoundError):
        return Missing(str(path))
    return Unreadable(str(path), error.strerror or str(error))
