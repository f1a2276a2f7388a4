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
from typing import IO, Any, cast

from backports import zstd

from ..errors import Broken, Missing, Unreadable

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile, tarfile.TarError)

_MAGIC: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"\x28\xb5\x2f\xfd", zstd.ZstdFile),
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


class _Unpacked(io.BufferedReader):
    """A decompressed stream that closes the packed one with itself."""

    def __init__(self, stream: Any, packed: io.BufferedReader) -> None:
        super().__init__(stream)
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


def unpacked(raw: IO[bytes]) -> IO[bytes]:
    """The bytes of a stream, decompressed if they are packed."""
    stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
    start = stream.peek(6)[:6]
    for magic, unpack in _MAGIC:
        if start.startswith(magic):
            return _Unpacked(unpack(stream), stream)
    return stream


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
