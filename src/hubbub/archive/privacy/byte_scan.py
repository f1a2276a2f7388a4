"""Needles in bytes: thousands of texts are sought at once, in time that grows with the haystack alone.

Every eight bytes of the haystack are compared with eight bytes of each needle by way of a table of hashes; what agrees
is compared in full.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

PROBE = 8  # bytes, one machine word
TABLE_BITS = 22  # 4 MB; with ten thousand needles one position of four hundred is compared further
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # multiplicative hashing after Knuth: 2**64 / golden ratio
FRAGMENT = 48  # bytes of a text; less than the page of any database, so that few are cut by an edge


class Found(NamedTuple):
    """A needle in a file, and where."""

    needle: bytes
    file: str
    offset: int


class TextNeedles:
    """Fragments of texts, each at least PROBE bytes."""

    def __init__(self, fragments: Iterable[bytes]) -> None:
        self._by_probe: dict[bytes, set[tuple[bytes, int]]] = defaultdict(set)
        for each in set(fragments):
            middle = (len(each) - PROBE) // 2
            self._by_probe[each[middle : middle + PROBE]].add((each, middle))
        self._table = np.zeros(1 << TABLE_BITS, bool)
        probes = np.frombuffer(b"".join(self._by_probe), "<u8")
        self._table[_hashes(probes)] = True

    def find(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        if not self._by_probe:
            return
        for shift in range(PROBE):
            count = (len(data) - shift) // PROBE
            if count <= 0:
                continue
            near = np.flatnonzero(self._table[_hashes(np.frombuffer(data, "<u8", count, shift))])
            for place in (near * PROBE + shift).tolist():
                for needle, middle in self._by_probe.get(data[place : place + PROBE], ()):
                    if place >= middle and data.startswith(needle, place - middle):
                        yield needle, place - middle


def _hashes(words: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return (words * MULTIPLIER) >> np.uint64(64 - TABLE_BITS)


def fragments_of(text: str) -> list[bytes]:
    """The beginning, the middle and the end of a text, none if it is too short to be told from others."""
    raw = text.encode("utf-8", "replace")
    if len(raw) < PROBE:
        return []
    starts = {0, max(0, (len(raw) - FRAGMENT) // 2), max(0, len(raw) - FRAGMENT)}
    return [raw[start : start + FRAGMENT] for start in sorted(starts)]


class NameNeedles:
    """Names in any case."""

    def __init__(self, names: Iterable[str]) -> None:
        spellings = {each for name in names for each in (name, name.lower(), name.upper(), name.title())}
        encoded = sorted({each.encode("utf-8", "replace") for each in spellings if each}, key=len, reverse=True)
        self._pattern = re.compile(b"|".join(map(re.escape, encoded)), re.IGNORECASE) if encoded else None

    def find(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        for match in self._pattern.finditer(data) if self._pattern else ():
            yield match[0], match.start()
