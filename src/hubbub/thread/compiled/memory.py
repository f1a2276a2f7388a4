"""All that is remembered between messages: one record of a fixed size, whatever the length of the chat.

The classes here say what the record holds; compiled code gets it as one pointer.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ...compiling import Array
from ...trees import Forest
from .columns import CANDIDATE, CUES, PAIR, SHORT, TRAITS, WHOLE

RING = 128  # messages that are remembered; a power of two
WINDOW = 100  # how far back a parent is looked for
SLOTS = 16  # the message itself and the candidates of the shortlist
WORDS = 48  # distinct words, and parts of words, that are kept of a message
CALLED = 4  # people that a message can name
BUCKETS = 1 << 16  # word statistics are kept by hash
DIMENSIONS = 32
PEOPLE = 1 << 14
TABLE = 1 << 16
TIES = 1 << 15  # who addressed whom, and texts that were said before: both forget what collides
THREADS = 256
MEMBERS = 12
PRIOR = 20_000.0  # how many messages the word counts of the training data weigh

# Places in `counters`.
SPOKEN, POSITION, PEOPLE_KNOWN, NAMES_HELD, NEXT_PERSON, NEXT_THREAD, NAME_ROUND, CUE_SLOTS = range(8)
# Places in `channel`.
ADDRESS_RATE, PACE_MINUTES, LATEST_TIME = range(3)


class Cells(NamedTuple):
    """An array within the record: its type, its shape and what it is filled with at first."""

    kind: Any
    shape: tuple[int, ...]
    start: float = 0


def _whole(*shape: int, start: int = 0) -> Array:
    return cast(Array, Cells(np.int64, shape, start))


def _real(*shape: int, start: float = 0) -> Array:
    return cast(Array, Cells(np.float32, shape, start))


def _times(*shape: int) -> Array:
    return cast(Array, Cells(np.float64, shape, -1))


class Ring:
    """The latest messages, those that were said: message s is in row s % RING."""

    position = _whole(RING, start=-1)
    when = _times(RING)
    author = _whole(RING, start=-1)
    traits = _real(RING, TRAITS)
    called = _whole(RING, CALLED, start=-1)
    strength = _whole(RING, CALLED)
    words = _whole(RING, WORDS)
    weights = _real(RING, WORDS)
    word_count = _whole(RING)
    norm = _real(RING)
    ask = _real(RING, DIMENSIONS)
    say = _real(RING, DIMENSIONS)
    parent = _whole(RING, start=-1)
    thread = _whole(RING)
    earlier = _whole(RING, start=-1)
    replies = _whole(RING)
    chance = _real(RING)


class People:
    """Who was seen: what they last did, whom they last addressed, their habits."""

    round = _whole(PEOPLE)
    seen = _whole(PEOPLE, start=-1)
    last = _whole(PEOPLE, start=-1)
    count = _whole(PEOPLE)
    called = _whole(PEOPLE, start=-1)
    target = _whole(PEOPLE, start=-1)
    arrived = _whole(PEOPLE, start=-1)
    habits = _real(PEOPLE, 5)
    topic = _real(PEOPLE, DIMENSIONS)


class Names:
    """Hash of a name -> person, by open addressing; an owner who was forgotten since makes an entry void."""

    key = _whole(TABLE)
    owner = _whole(TABLE, start=-1)
    round = _whole(TABLE)


class Ties:
    """Who addressed whom, last and how often; and what was said before."""

    key = _whole(TIES)
    last = _whole(TIES, start=-1)
    count = _whole(TIES)
    text = _whole(TIES)


class Threads:
    size = _whole(THREADS)
    people = _whole(THREADS)
    last = _whole(THREADS, start=-RING - 1)
    start = _whole(THREADS, start=-1)
    starter = _whole(THREADS, start=-1)
    member = _whole(THREADS, MEMBERS, start=-1)
    member_last = _whole(THREADS, MEMBERS, start=-1)
    member_count = _whole(THREADS, MEMBERS)
    topic = _real(THREADS, DIMENSIONS)


class Scratch:
    """What was computed for the message at hand; it is read by those who train and those who ask why."""

    used = _whole(1)
    candidate = _whole(SLOTS, start=-1)
    moment = _real(CANDIDATE)
    table = _real(WINDOW, PAIR)
    short = _real(WINDOW, len(SHORT))
    short_score = _real(WINDOW)
    pair = _real(SLOTS, PAIR)
    first = _real(SLOTS)
    whole = _real(SLOTS, WHOLE)
    score = _real(SLOTS)
    chance = _real(SLOTS)
    cue = _whole(96)
    mark = _whole(BUCKETS, start=-1)
    rank = _whole(PEOPLE)
    call_rank = _whole(PEOPLE)
    person_mark = _whole(PEOPLE, 3, start=-1)


class Memory:
    counters = _whole(8)
    channel = cast(Array, Cells(np.float64, (3,)))
    heard = _real(BUCKETS)
    ring: Ring
    people: People
    names: Names
    ties: Ties
    threads: Threads
    scratch: Scratch


PARTS: dict[str, type] = {
    "ring": Ring, "people": People, "names": Names, "ties": Ties, "threads": Threads, "scratch": Scratch,
}  # fmt: skip


def _cells(part: type) -> dict[str, Cells]:
    return {name: value for name, value in vars(part).items() if isinstance(value, Cells)}


def _type(part: type) -> np.dtype[Any]:
    return np.dtype([(name, cells.kind, cells.shape) for name, cells in _cells(part).items()], align=True)


def _fill(record: Array, part: type) -> None:
    for name, cells in _cells(part).items():
        record[name] = cells.start


TYPE = np.dtype(
    [*((name, cells.kind, cells.shape) for name, cells in _cells(Memory).items()),
     *((name, _type(part)) for name, part in PARTS.items())], align=True,
)  # fmt: skip


def fresh(frequency: Array) -> Array:
    """The memory before the first message: an array of one record. Words count as heard that often before."""
    store = np.zeros(1, TYPE)
    store["heard"] = frequency
    for name, part in PARTS.items():
        _fill(store[name], part)
    store["channel"] = (0.3, 0.5, -1.0)
    return store


class Weights(NamedTuple):
    """What was learnt, as the compiled step needs it."""

    frequency: Array  # how often each bucket is heard in PRIOR messages
    cues: Array
    ask: Array
    say: Array
    shortlist: Forest
    first: Forest
    second: Forest
    settings: Array


# Places in `settings`.
SETTINGS = 5
SELF_FIRST, SELF_SECOND, WARMTH, STAGE, TOGETHER = range(SETTINGS)


class Batch(NamedTuple):
    """Messages as numbers: code points of all texts and names, and where each starts and ends."""

    codes: Array
    text: Array
    name: Array
    renamed: Array
    kind: Array
    when: Array
    fact: Array


assert SLOTS - 1 <= WINDOW < RING
assert CUES <= TRAITS
