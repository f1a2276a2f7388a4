"""Messages as binary codes in an archive: the signs of their vectors, 32 bytes each, all compared with a question.

The nearest by code are candidates, whose vectors are then computed from their texts: codes alone find 98 % of the 60
nearest messages among their first 1,000 (research/notes/ask.md). Every message of at least a few words has a code,
without the name of whom it addresses; system lines have none. A block covers the messages after the block before it up
to its `last`, so the next run knows where to go on, and a run that is killed has lost at most the block it was at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from string import punctuation
from typing import TYPE_CHECKING, Any, NamedTuple

from ..addressing import COMMON_WORDS
from ..answer.data.addressees import ADDRESS_MARKS
from ..errors import ArchiveError
from . import schema
from .engine import listed
from .store import ArchiveStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Encode = Callable[[Sequence[str]], Floats]

BLOCK = 2_000  # messages; what a killed run loses at most
LEAST_WORDS = 3
WORD = 8  # bytes; codes are compared as 64-bit numbers
MAX_HELD = 1_000_000  # messages whose codes are kept in memory, 40 MB; those of more are read for each question
BLOCKS_AT_ONCE = 100  # read together, 8 MB
COLUMNS = "id, conversation_id, text, kind"


def add_vectors(archive: ArchiveStore, encode: Encode) -> Iterator[int]:
    """Gives messages that are new or were edited their codes; after each block, how many it covers."""
    yield from _renew(archive, encode)
    while (start := archive.covered()) < archive.last():
        rows = archive.rows(
            f"select {COLUMNS} from messages where id > :start order by id limit :block", start=start, block=BLOCK
        )
        block = _block(archive, rows, encode)
        with archive.transaction() as engine:
            if archive.covered() == start:  # unless another program has stored one meanwhile
                archive.insert(schema.vectors, [(archive.next_id("vectors"), rows[-1][0], *block)])
                engine.execute(f"delete from edited where message_id in ({listed([row[0] for row in rows])})")
        yield len(rows)


def _renew(archive: ArchiveStore, encode: Encode) -> Iterator[int]:
    """Makes the blocks again that have edited messages."""
    query = "select message_id from edited where message_id <= :covered order by message_id limit 1"
    while found := archive.rows(query, covered=archive.covered()):
        (id, last) = archive.rows(
            "select id, last from vectors where last >= :edited order by last limit 1", edited=found[0][0]
        )[0]
        start = archive.number("select coalesce(max(last), 0) from vectors where last < :last", last=last)
        inside = "id > :start and id <= :last"
        rows = archive.rows(f"select {COLUMNS} from messages where {inside} order by id", start=start, last=last)
        messages, codes = _block(archive, rows, encode)
        with archive.transaction() as engine:
            engine.execute(
                "update vectors set messages = :messages, codes = :codes where id = :id",
                messages=messages,
                codes=codes,
                id=id,
            )
            engine.execute(f"delete from edited where message_id in ({listed([row[0] for row in rows])})")
        yield len(rows)


def _block(archive: ArchiveStore, rows: Sequence[Any], encode: Encode) -> tuple[bytes, bytes]:
    """The ids and the codes of those messages that have one, as bytes."""
    import numpy as np

    names = _names(archive, rows)
    bare = [(row[0], unaddressed(row[2], names.get(row[1], ()))) for row in rows if row[3] != "system"]
    chosen = [(id, text) for id, text in bare if len(text.split()) >= LEAST_WORDS]
    ids = np.array([id for id, _ in chosen], "<i8")
    return ids.tobytes(), codes_of(encode([text for _, text in chosen])).tobytes() if chosen else b""


def codes_of(vectors: Floats) -> NDArray[np.uint8]:
    """The signs of vectors as bits, filled up to whole 64-bit numbers."""
    import numpy as np

    bits = np.packbits(vectors > 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % WORD)))


def _names(archive: ArchiveStore, rows: Sequence[Any]) -> dict[int, set[str]]:
    """Conversation -> who writes in it, of the conversations of these messages."""
    numbers = listed([number for number in {row[1] for row in rows} if number is not None])
    found: dict[int, set[str]] = {}
    for number, author in archive.rows(
        f"select distinct conversation_id, author from messages where conversation_id in ({numbers})"
    ):
        found.setdefault(number, set()).add(author.lower())
    return found


def unaddressed(text: str, names: Collection[str]) -> str:
    """The text without the name in front that says to whom it is said; names are in small letters."""
    first, _, rest = text.strip().partition(" ")
    bare = first.lstrip("@").rstrip(punctuation).lower()
    is_name = bare in names and (first[-1:] in ADDRESS_MARKS or bare not in COMMON_WORDS)
    return rest.strip() if is_name and rest.strip() else text


def drop_vectors(archive: ArchiveStore, gone: Collection[int]) -> None:
    """Blocks without the codes of these messages; blocks stay, because they say how far vectors reach."""
    import numpy as np

    for id, raw, codes in archive.rows("select id, messages, codes from vectors order by id"):
        ids = np.frombuffer(raw, "<i8")
        keep = ~np.isin(ids, list(gone))
        if not keep.all():
            archive.engine.execute(
                "update vectors set messages = :messages, codes = :codes where id = :id",
                id=id,
                messages=ids[keep].tobytes(),
                codes=np.frombuffer(codes, np.uint8).reshape(len(ids), -1)[keep].tobytes(),
            )


class Codes(NamedTuple):
    """Messages in order and their codes, a row for each 64-bit number of a code."""

    ids: NDArray[np.int64]
    columns: NDArray[np.uint64]


class Vectors:
    """The codes of an archive, held in memory unless there are too many."""

    def __init__(self, archive: ArchiveStore, held: list[Codes] | None = None) -> None:
        self.archive, self._held = archive, held

    @classmethod
    def of(cls, archive: ArchiveStore) -> Vectors:
        made = cls(archive)
        if len(made) <= MAX_HELD:
            made._held = list(made._read())
        return made

    def __len__(self) -> int:
        return self.archive.number("select coalesce(sum(length(messages)), 0) from vectors") // WORD

    def _read(self) -> Iterator[Codes]:
        import numpy as np

        last = -1
        query = "select last, messages, codes from vectors where last > :last order by last limit :count"
        while blocks := self.archive.rows(query, last=last, count=BLOCKS_AT_ONCE):
            last = blocks[-1][0]
            messages, raw = (b"".join(block[part] for block in blocks) for part in (1, 2))
            count = len(messages) // WORD
            if len(messages) % WORD or len(raw) % (WORD * count or len(raw) + 1):
                raise ArchiveError(self.archive.location, "it is damaged")
            if count:
                codes = np.frombuffer(raw, "<u8").reshape(count, -1)
                yield Codes(np.frombuffer(messages, "<i8"), np.ascontiguousarray(codes.T))

    @property
    def ids(self) -> NDArray[np.int64]:
        """The messages that have a code, in order."""
        import numpy as np

        return np.concatenate([np.zeros(0, np.int64), *(part.ids for part in self._parts())])

    def _parts(self) -> Iterator[Codes]:
        yield from self._held if self._held is not None else self._read()

    def nearest(self, vector: Floats, count: int, allowed: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """The messages whose codes differ from that of a vector in the fewest bits, about `count` of them."""
        import numpy as np

        wanted = codes_of(vector[None]).view("<u8")[0]
        ids, distances = [np.zeros(0, np.int64)], [np.zeros(0, np.uint16)]
        for part in self._parts():
            if len(part.columns) != len(wanted):
                raise ArchiveError(self.archive.location, "its vectors were made by another version of hubbub")
            differing = np.zeros(len(part.ids), np.uint16)
            for column, number in zip(part.columns, wanted, strict=True):
                differing += np.bitwise_count(column ^ number)
            if allowed is not None:
                differing[~np.isin(part.ids, allowed)] = np.iinfo(np.uint16).max
            near = _smallest(differing, count)
            ids.append(part.ids[near])
            distances.append(differing[near])
        found, apart = np.concatenate(ids), np.concatenate(distances)
        order = np.argsort(apart, kind="stable")[:count]
        return found[order][apart[order] < np.iinfo(np.uint16).max]


def _smallest(distances: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """The places of at least `count` smallest numbers; a histogram finds them in one pass, which is faster than
    partial sorting."""
    import numpy as np

    if len(distances) <= count:
        return np.arange(len(distances))
    upto = np.bincount(np.minimum(distances, 1 << 12)).cumsum()
    return np.flatnonzero(distances <= int(np.searchsorted(upto, count)))
