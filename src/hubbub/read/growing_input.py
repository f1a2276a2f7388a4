"""Input that still grows: a pipe whose writer goes on, or a log file that is followed.

The format is recognised from what has arrived; where that is not enough, more is awaited.
"""

from __future__ import annotations

import io
import os
import select
import sys
import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from ..errors import AmbiguousFormat, Empty, Missing, OptionError, UnknownFormat, Unreadable
from .detect.file_head import Sample
from .detect.sniff import sniff_with
from .format import Format
from .input.decompression import guard, unpacked_head
from .input.limits import Budget, Limit
from .input.paths import archive_in
from .input.source import HEAD, Source, StandardInput, Tree

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PAUSE = 0.25  # seconds without input after which a pipe counts as live; programs in a pipeline pause for less
FINGERPRINT = 256  # bytes by which a file is recognised as the one that was read; lines of a log have times and names
POLL = 0.2  # seconds between two looks at a followed file


class LiveMode(Enum):
    ARRIVING = "arriving"  # a pipe, which is live if its writer pauses before the sample for recognition is full
    FOLLOW = "follow"  # live in any case; a file is read on when it grows


class LiveInput(StandardInput):
    """A pipe or a followed file. Its head is what has arrived; `more` waits for the next part of it."""

    def __init__(self, stream: io.BufferedReader, limit: Limit, name: str, is_endless: bool) -> None:
        Source.__init__(self, name, self._once, budget=Budget(limit))
        self._stream = stream
        self.raw_head = b""
        self._is_endless = is_endless
        self._is_ended = False
        self.is_live = is_endless
        self._arrive()

    def _arrive(self) -> None:
        """Reads the sample as far as it comes without a pause, at least up to the end of a line."""
        while len(self.raw_head) < HEAD and not self._is_ended:
            if b"\n" in self.raw_head and not _is_ready(self._stream):
                self.is_live = True
                return
            with guard(self.name):
                part = self._stream.read1(HEAD - len(self.raw_head))
            self.raw_head += part
            self._is_ended = not part

    def more(self) -> bool:
        """Waits for more of the sample; False if there is no more, or it is large enough."""
        if self._is_ended or len(self.raw_head) >= HEAD:
            return False
        with guard(self.name):
            part = self._stream.read1(HEAD - len(self.raw_head))
        self.raw_head += part
        self._is_ended = not part
        self._arrive()
        return True

    @property
    def head(self) -> bytes:
        """Whole lines only: the rest of the last one is still to come."""
        with guard(self.name):
            found = unpacked_head(self.raw_head, HEAD)
        return found if self._is_ended or not self.is_live else found[: found.rfind(b"\n") + 1]

    def rewind(self) -> Source:
        self.must_end()
        return super().rewind()

    def spool(self) -> IO[bytes]:
        self.must_end()
        return super().spool()

    def must_end(self) -> None:
        if self._is_endless:
            reason = "a chat of this format has to be read to its end; only logs can be followed"
            raise OptionError("--follow", self.name, reason)


class FollowedFile(io.RawIOBase):
    """A file that has no end: reading waits until something is appended.

    A file that was truncated is read from its beginning, even if it is longer than before by now: what is before the
    place of reading is another text then. One that was replaced by another of its name (rotated) is read to its end,
    then the other.
    """

    def __init__(self, path: Path, poll: float = POLL) -> None:
        self._path = path
        self._poll = poll
        self._file = path.open("rb", buffering=0)
        self._tail = b""  # the last bytes that were read

    def readable(self) -> bool:
        return True

    def has_more(self) -> bool:
        """Whether something can be read without waiting."""
        return self._size() != self._file.tell() or self._is_rewritten() or self._is_replaced()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        while True:
            is_rewritten = self._is_rewritten()
            data = b"" if is_rewritten else self._file.read(len(view))
            if data:
                self._tail = (self._tail + data)[-FINGERPRINT:]
                view[: len(data)] = data
                return len(data)
            if is_rewritten:
                self._file.seek(0)
            elif self._is_replaced():
                self._reopen()
            else:
                time.sleep(self._poll)
                continue
            is_cut = self._tail[-1:] not in (b"", b"\n")
            self._tail = b""
            if is_cut:  # what was cut short is a line of its own
                view[:1] = b"\n"
                return 1

    def _is_rewritten(self) -> bool:
        """Whether the file was truncated since the last reading; it may have grown again."""
        place = self._file.tell()
        if self._size() < place:
            return True
        self._file.seek(place - len(self._tail))
        before = self._file.read(len(self._tail))
        self._file.seek(place)
        return before != self._tail

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _is_replaced(self) -> bool:
        """Whether another file has the name now; one that is missing for a moment is still awaited."""
        try:
            there, own = self._path.stat(), os.fstat(self._file.fileno())
        except OSError:
            return False
        return (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino)

    def _reopen(self) -> None:
        try:
            new = self._path.open("rb", buffering=0)
        except OSError:
            return
        self._file.close()
        self._file = new

    def close(self) -> None:
        super().close()
        self._file.close()


def _is_ready(stream: io.BufferedReader) -> bool:
    """Whether more arrives within PAUSE; of what cannot be asked that, always."""
    raw = stream.raw
    if isinstance(raw, FollowedFile):
        return raw.has_more()
    try:
        return bool(select.select([stream.fileno()], [], [], PAUSE)[0])
    except (OSError, ValueError):  # no file of the system, or one on Windows, which asks sockets only
        return True


def live_place(
    path: str, limit: Limit, mode: LiveMode, columns: Mapping[str, str], forced: Format | None
) -> Source | Tree:
    """A path or "-" as something that grows, read as far as it takes to recognise its format."""
    is_endless = mode is LiveMode.FOLLOW
    if path == "-":
        given = LiveInput(cast(io.BufferedReader, sys.stdin.buffer), limit, "<stdin>", is_endless)
        if tree := None if is_endless else archive_in(given):
            return tree
    else:
        given = LiveInput(io.BufferedReader(_followed(path)), limit, path, is_endless)
    while not forced:
        try:
            sniff_with(given, columns)
            break
        except (UnknownFormat, AmbiguousFormat, Empty):
            if not given.more():
                raise
    if is_endless and ((sample := Sample(given)).json_start or sample.is_markup):
        given.must_end()
    return given


def _followed(path: str) -> FollowedFile:
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise Unreadable(path, "it is not a file, and only files can be followed")
        return FollowedFile(Path(path))
    except FileNotFoundError:
        raise Missing(path) from None
    except OSError as error:
        raise Unreadable(path, error.strerror or str(error)) from None
