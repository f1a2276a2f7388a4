"""Files that are read whole, such as examples, annotations and lists of people: with an end, and with clear errors."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from .errors import Missing, TooLarge, Unreadable

MOST = 256 << 20  # bytes; the largest published set of examples of any task has a tenth of it
LONGEST = 16 << 20  # bytes of one line


def read_bytes(path: Path, most: int = MOST) -> bytes:
    """The whole file, if it has an end within `most` bytes."""
    must_end(path)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(content) > most:
        raise TooLarge(str(path), most)
    return content


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file of any size, read as they are needed; one line has an end within LONGEST bytes."""
    must_end(path)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            while line := file.readline(LONGEST):
                if len(line) == LONGEST:
                    raise TooLarge(str(path), LONGEST, "a line in it")
                yield line
    except OSError as error:
        raise unreadable(path, error) from None


def must_end(path: Path) -> None:
    """A device, /dev/null apart, may never come to an end, or wait for somebody to type."""
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
