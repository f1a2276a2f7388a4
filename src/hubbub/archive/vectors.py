"""What messages mean, as vectors in an archive: made once, a byte a number, all compared with a question at once.

Every message of at least a few words has one, without the name of whom it addresses; system lines have none. A block
covers all messages up to its `last`, so the next run knows where to go on, and a run that is killed has lost at most
the block it was at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from string import punctuation
from typing import TYPE_CHECKING, Any

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

BLOCK = 1_000
LEAST_WORDS = 3
LARGEST = 127
AT_ONCE = 1_024
COLUMNS = "id, conversation_id, text, kind"


def add_vectors(archive: ArchiveStore, encode: Encode) -> Iterator[int]:
    """Gives messages that are new or were edited their vectors; after each block, how many it covers."""
    yield from _renew(archive, encode)
    while (start := archive.covered()) < archive.last():
        rows = archive.rows(
            f"select {COLUMNS} from messages where id > :start order by id limit :block", start=start, block=BLOCK
        )
        _store(archive, rows, encode, start, rows[-1][0])
        yield len(rows)


def _renew(archive: ArchiveStore, encode: Encode) -> Iterator[int]:
    while rows := archive.rows(
        f"select {COLUMNS} from messages where id in (select message_id from edited) and id <= :covered"
        " order by id limit :block",
        covered=archive.covered(),
        block=BLOCK,
    ):
        _store(archive, rows, encode, archive.covered(), archive.covered())
        yield len(rows)


def _store(archive: ArchiveStore, rows: Sequence[Any], encode: Encode, start: int, last: int) -> None:
    """A block of vectors, unless another program has stored one meanwhile."""
    names = _names(archive, rows)
    bare = [(row[0], unaddressed(row[2], names.get(row[1], ()))) for row in rows if row[3] != "system"]
    chosen = [(id, text) for id, text in bare if len(text.split()) >= LEAST_WORDS]
    block = _packed([id for id, _ in chosen], encode([text for _, text in chosen]))
    with archive.transaction() as engine:
        if archive.covered() == start:
            archive.insert(schema.vectors, [(archive.next_id("vectors"), last, *block)])
            engine.execute(f"delete from edited where message_id in ({listed([row[0] for row in rows])})")


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


def _packed(ids: Sequence[int], vectors: Floats) -> tuple[bytes, bytes, bytes]:
    """Ids, scales and numbers as bytes; a number is a step of its vector's scale."""
    import numpy as np

    scales = np.abs(vectors).max(axis=1) / LARGEST if len(ids) else np.zeros(0)
    numbers = np.round(vectors / np.maximum(scales, 1e-12)[:, None]).astype(np.int8) if len(ids) else b""
    return np.array(ids, dtype="<i8").tobytes(), scales.astype("<f4").tobytes(), bytes(numbers)


def drop_vectors(archive: ArchiveStore, gone: Collection[int]) -> None:
    """Blocks without the vectors of these messages; blocks stay, because they say how far vectors reach."""
    import numpy as np

    for id, raw, scales, numbers in archive.rows("select id, messages, scales, numbers from vectors order by id"):
        ids = np.frombuffer(raw, "<i8")
        keep = ~np.isin(ids, list(gone))
        if len(ids) and not keep.all():
            width = len(numbers) // len(ids)
            archive.engine.execute(
                "update vectors set messages = :messages, scales = :scales, numbers = :numbers where id = :id",
                id=id,
                messages=ids[keep].tobytes(),
                scales=np.frombuffer(scales, "<f4")[keep].tobytes(),
                numbers=np.frombuffer(numbers, np.int8).reshape(-1, width)[keep].tobytes(),
            )


@dataclass(frozen=True, slots=True)
class Vectors:
    """All vectors of an archive, in the order of their messages."""

    ids: NDArray[np.int64]
    scales: Floats
    numbers: NDArray[np.int8]

    @classmethod
    def of(cls, archive: ArchiveStore) -> Vectors:
        import numpy as np

        blocks = archive.rows("select messages, scales, numbers from vectors order by id")
        ids, scales, numbers = (b"".join(block[part] for block in blocks) for part in range(3))
        width = len(numbers) // max(len(ids) // 8, 1)
        if len(ids) != 2 * len(scales) or len(numbers) != len(ids) // 8 * width:
            raise ArchiveError(archive.location, "it is damaged")
        found = cls(
            np.frombuffer(ids, "<i8"),
            np.frombuffer(scales, "<f4"),
            np.frombuffer(numbers, np.int8).reshape(-1, max(width, 1)),
        )
        return found if np.all(np.diff(found.ids) > 0) else found._latest()

    def _latest(self) -> Vectors:
        """In the order of messages; of one that was edited, the vector that was made last."""
        import numpy as np

        order = np.argsort(self.ids, kind="stable")
        kept = order[np.append(np.diff(self.ids[order]) > 0, True)]
        return Vectors(self.ids[kept], self.scales[kept], self.numbers[kept])

    def __len__(self) -> int:
        return len(self.ids)

    def cosines(self, vector: Floats) -> Floats:
        """How alike each message and a vector of length 1 are."""
        import numpy as np

        found = np.empty(len(self), np.float32)
        floats = np.empty((AT_ONCE, len(vector)), np.float32)
        for start in range(0, len(self), AT_ONCE):
            part = floats[: min(AT_ONCE, len(self) - start)]
            np.copyto(part, self.numbers[start : start + AT_ONCE])
            np.dot(part, vector, out=found[start : start + AT_ONCE])
        found *= self.scales
        return found

    def places(self, ids: Sequence[int]) -> NDArray[np.int64]:
        """Where the messages stand, -1 for one without a vector."""
        import numpy as np

        wanted = np.array(ids, np.int64)
        if not len(self):
            return np.full(len(wanted), -1)
        near = np.minimum(np.searchsorted(self.ids, wanted), len(self) - 1)
        return np.where(self.ids[near] == wanted, near, -1)

    def at(self, places: NDArray[np.int64]) -> Floats:
        """The vectors at these places; zeros for -1."""
        import numpy as np

        found = self.numbers[places].astype(np.float32) * self.scales[places, None]
        found[places < 0] = 0
        return found
