"""Reads NumPy's .npz files strictly: everything that a file says of itself is checked before any array is made.

`numpy.load` trusts the file: a small one can unpack to any size, and a header is evaluated as Python. Files of hubbub
are written by `numpy.savez`, whose members are stored as they are; nothing else is accepted here, so that the arrays
never take more memory than the file has bytes.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple
from zlib import crc32

MAX_BYTES = 1 << 30  # of a whole file; the largest that ships has 12 MB
MAX_MEMBERS = 20_000  # arrays; bounds the time that a hostile directory takes
MAX_DIMENSIONS = 8  # more than any model has

_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_NPY = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][biufSU]\d{1,6})', 'fortran_order': (True|False), 'shape': \(([\d, ]{0,200})\), \} *\n"
)


class BadArchive(ValueError):
    """A file that is no such archive; the message says what is wrong."""


class _Member(NamedTuple):
    name: str
    start: int
    size: int
    checksum: int


def read_npz(raw: bytes) -> dict[str, Any]:
    """Name -> array of everything in the file."""
    if len(raw) > MAX_BYTES:
        raise BadArchive(f"it has more than {MAX_BYTES >> 20} MB")
    found: dict[str, Any] = {}
    for member in _members(raw):
        if member.name in found:
            raise BadArchive(f'array "{member.name}" is there twice')
        found[member.name] = _array(raw, member)
    return found


def _members(raw: bytes) -> Iterator[_Member]:
    """What the directory at the end of the file lists. All members together are no larger than the file."""
    if len(raw) < _END.size or not raw.startswith(b"PK"):
        raise BadArchive("it is no zip file")
    mark, disk, first, here, count, size, place, comment = _END.unpack_from(raw, len(raw) - _END.size)
    if mark != b"PK\x05\x06" or disk or first or here != count or comment:
        raise BadArchive("its directory is cut off or damaged")
    if count > MAX_MEMBERS or place + size != len(raw) - _END.size:
        raise BadArchive("its directory is damaged or too large")
    left = place
    for _ in range(count):
        member, length = _member(raw, place, len(raw) - _END.size)
        place, left = place + length, left - member.size
        if left < 0:
            raise BadArchive("its members are larger than the file")
        yield member
    if place != len(raw) - _END.size:
        raise BadArchive("its directory is damaged")


def _member(raw: bytes, place: int, end: int) -> tuple[_Member, int]:
    """One entry of the directory, and how long it is."""
    if place + _ENTRY.size > end:
        raise BadArchive("its directory is cut off")
    fields = _ENTRY.unpack_from(raw, place)
    mark, flags, method, checksum, packed, size = fields[0], fields[3], fields[4], *fields[7:10]
    name_length, extra, comment, offset = *fields[10:13], fields[16]
    length = _ENTRY.size + name_length + extra + comment
    if mark != b"PK\x01\x02" or place + length > end:
        raise BadArchive("its directory is damaged")
    name = raw[place + _ENTRY.size : place + _ENTRY.size + name_length].decode("utf-8", "replace")
    if not name.endswith(".npy") or not name.isprintable():
        raise BadArchive(f"it holds a member {name[:40]!r}, which is no array")
    if method or packed != size or flags & 1:
        raise BadArchive(f'array "{name[:-4]}" is compressed or encrypted, and arrays of models are stored as they are')
    start = _data_start(raw, offset, name)
    if start + size > len(raw):
        raise BadArchive(f'array "{name[:-4]}" is cut off')
    return _Member(name[:-4], start, size, checksum), length


def _data_start(raw: bytes, offset: int, name: str) -> int:
    if offset + _LOCAL.size > len(raw):
        raise BadArchive(f'array "{name[:-4]}" is cut off')
    mark, *_, name_length, extra = _LOCAL.unpack_from(raw, offset)
    if mark != b"PK\x03\x04":
        raise BadArchive(f'array "{name[:-4]}" is not where the directory says')
    return offset + _LOCAL.size + int(name_length) + int(extra)


def _array(raw: bytes, member: _Member) -> Any:
    import numpy as np

    view = memoryview(raw)[member.start : member.start + member.size]
    if crc32(view) != member.checksum:
        raise BadArchive(f'array "{member.name}" is damaged')
    descr, order, shape, begin = _header(bytes(view[: 1 << 12]), member.name)
    try:
        dtype = np.dtype(descr)
    except TypeError:
        raise BadArchive(f'array "{member.name}" has the type {descr!r}, which is none of numbers') from None
    count = 1
    # A product of Python integers, which does not overflow.
    for each in shape:
        count *= each
    if count * dtype.itemsize != member.size - begin or len(shape) > MAX_DIMENSIONS:
        raise BadArchive(f'array "{member.name}" has {member.size - begin} bytes, which are not its shape {shape}')
    found = np.ndarray(shape, dtype, view, begin, order="F" if order else "C")
    return found.copy(order="K")


def _header(start: bytes, name: str) -> tuple[str, bool, tuple[int, ...], int]:
    """The type, whether columns come first, the shape, and where the numbers begin."""
    length = int.from_bytes(start[8:10], "little")
    found = _HEADER.fullmatch(start[10 : 10 + length])
    if not start.startswith(_NPY) or len(start) < 10 + length or found is None:
        raise BadArchive(f'array "{name}" has no header that can be read; arrays of Python objects are not loaded')
    sizes = [part for part in found[3].replace(b" ", b"").split(b",") if part]
    return found[1].decode(), found[2] == b"True", tuple(int(each[:20]) for each in sizes), 10 + length
