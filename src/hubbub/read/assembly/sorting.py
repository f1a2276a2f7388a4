"""Items put in order with bounded memory: short lists are sorted in place, long ones in parts on the temporary disk."""

from __future__ import annotations

import heapq
import pickle
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from typing import IO, Any, Generic, TypeVar

from ...chat import Message
from ...errors import Broken, InputError
from ..report import Report
from .chat_streams import Ids

MOST_ITEMS, MOST_SIZE = 50_000, 1 << 24  # of a part that is sorted in memory: some 30 to 50 MB of messages
BATCH_ITEMS, BATCH_SIZE = 500, 1 << 18  # read back at once, from every part at the same time

T = TypeVar("T")
Keyed = tuple[Any, T]
_key = itemgetter(0)


@dataclass(slots=True)
class _Part:
    """A sorted part on disk: where its batches begin, and its first and last key."""

    places: list[int]
    first: Any
    last: Any


class Sorted(Generic[T]):
    """Takes items with a key and a size each, and gives them in the order of keys; equal keys keep their order.

    It can be iterated again and again, once everything is in.
    """

    def __init__(self) -> None:
        self._waiting: list[Keyed[T]] = []
        self._size = 0
        self._parts: list[_Part] = []
        self._file: IO[bytes] | None = None

    def add(self, key: Any, item: T, size: int) -> None:
        self._waiting.append((key, item))
        self._size += size
        if len(self._waiting) >= MOST_ITEMS or self._size >= MOST_SIZE:
            self._spill()

    def __iter__(self) -> Iterator[T]:
        self._waiting.sort(key=_key)
        runs: list[Iterator[Keyed[T]]] = [*map(self._batches, self._parts), iter(self._waiting)]
        return map(itemgetter(1), chain.from_iterable(runs) if self._follow() else heapq.merge(*runs, key=_key))

    def _follow(self) -> bool:
        """Whether each part begins where the one before it ends, as those of an ordered export do."""
        ends = [part.last for part in self._parts]
        starts = [part.first for part in self._parts[1:]] + [key for key, _ in self._waiting[:1]]
        return all(end <= start for end, start in zip(ends, starts, strict=False))

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is gone when this object is
            weakref.finalize(self, self._file.close)
        self._waiting.sort(key=_key)
        part = _Part([], self._waiting[0][0], self._waiting[-1][0])
        step = max(1, min(BATCH_ITEMS, len(self._waiting) * BATCH_SIZE // (self._size + 1)))
        for at in range(0, len(self._waiting), step):
            part.places.append(self._file.seek(0, 2))
            pickle.dump(self._waiting[at : at + step], self._file, pickle.HIGHEST_PROTOCOL)
        self._parts.append(part)
        self._waiting, self._size = [], 0

    def _batches(self, part: _Part) -> Iterator[Keyed[T]]:
        for place in part.places:
            assert self._file is not None
            self._file.seek(place)
            yield from pickle.load(self._file)


class InTime:
    """Messages in the order of time; one without a time stays behind the one before it."""

    def __init__(self) -> None:
        self._sorted: Sorted[Message] = Sorted()
        self._last = datetime.min

    def add(self, message: Message) -> None:
        if (time := message.time) is not None:
            self._last = time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
        self._sorted.add(self._last, message, len(message.text))

    def __iter__(self) -> Iterator[Message]:
        return iter(self._sorted)


@dataclass(slots=True)
class Collected:
    """The messages of one chat of a document that was read in one pass, with the account of its records.

    `defect` is why the document breaks in this chat: it is raised behind the messages before it.
    """

    messages: InTime = field(default_factory=InTime)
    ids: Ids = field(default_factory=Ids)
    report: Report = field(default_factory=Report)
    defect: InputError | None = None

    def open(self, first: int, report: Report) -> Iterator[Message]:
        report.merge(self.report)
        yield from self.messages
        if self.defect:
            raise self.defect

    def break_off(self, error: InputError) -> None:
        self.defect = broken_after(error, self.report.total)


def broken_after(error: InputError, count: int) -> InputError:
    """The error of a document that breaks behind so many records."""
    return Broken(error.path, f"after record {count:,}: {error.reason}") if isinstance(error, Broken) else error
