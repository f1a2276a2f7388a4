"""Bytes out of their packing, by what they are rather than what the file is called; and errors put into sentences."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, cast

from backports import zstd

from ...errors import Broken, Missing, Unreadable
from .limits import Budget

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DAMAGE = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zstd.ZstdError,
    zipfile.BadZipFile,
    tarfile.TarError,
    UnicodeDecodeError,  # a name in an archive that says it is UTF-8
)

_MAGIC: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"\x28\xb5\x2f\xfd", zstd.ZstdFile),
    *((bytes((0x50 + number,)) + b"\x2a\x4d\x18", zstd.ZstdFile) for number in range(16)),  # skippable, as pzstd begins
)


@contextmanager
def guard(name: str) -> Iterator[None]:
    """Turns what the system and the archive libraries raise into hubbub's own errors."""
    try:
        yield
    except FileNotFoundError:
        raise Missing(name) from None
    except DAMAGE as error:
        raise Broken(name, str(error) or type(error).__name__) from None
    except RuntimeError as error:  # a zip's way to say that a member is encrypted, or packed by a method it lacks
        encrypted = "encrypted" in str(error)
        raise Unreadable(name, "it is encrypted" if encrypted else str(error) or type(error).__name__) from None
    except OSError as error:
        if error.errno is None:
            raise Broken(name, str(error)) from None
        raise Unreadable(name, error.strerror or str(error)) from None


class _Packed:
    """The packed bytes, counted as they are taken."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.count += len(data)
        return data


class _Unpacked(io.RawIOBase):
    """A decompressed stream that notes what it gives, and closes the packed one with itself."""

    def __init__(self, stream: Any, packed: IO[bytes], note: Callable[[int], None]) -> None:
        self._stream = stream
        self._packed = packed
        self._note = note
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        count = int(self._stream.readinto(buffer))
        self._count += count
        self._note(self._count)
        return count

    def close(self) -> None:
        super().close()
        self._stream.close()
        self._packed.close()


def unpacked(raw: IO[bytes], name: str = "", budget: Budget | None = None) -> IO[bytes]:
    """The bytes of a stream, decompressed if they are packed, as far as the budget allows."""
    stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
    start = stream.peek(6)[:6]
    for magic, unpack in _MAGIC:
        if start.startswith(magic):
            return _counted(stream, unpack, name, budget or Budget())
    return stream


def _counted(stream: IO[bytes], unpack: Callable[[Any], Any], name: str, budget: Budget) -> IO[bytes]:
    packed = _Packed(stream)
    return io.BufferedReader(
        _Unpacked(unpack(packed), stream, lambda count: budget.take(name, "stream", count, packed.count))
    )


def noted(stream: IO[bytes], name: str, part: str, packed: int, budget: Budget) -> IO[bytes]:
    """A stream that another library unpacks from so many bytes, as far as the budget allows."""
    return io.BufferedReader(_Unpacked(stream, stream, lambda count: budget.take(name, part, count, packed)))


def unpacked_head(raw_head: bytes, size: int) -> bytes:
    """Up to `size` bytes of what the first `size` bytes of a stream hold, as far as they go."""
    stream = unpacked(io.BytesIO(raw_head))
    parts: list[bytes] = []
    try:
        while sum(map(len, parts)) < size and (part := stream.read(4096)):
            parts.append(part)
    except DAMAGE:
        if len(raw_head) < size:
            raise
    return b"".join(parts)[:size]
