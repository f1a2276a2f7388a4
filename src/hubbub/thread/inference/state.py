"""The state between messages: one record of a fixed size, whatever the length of the chat.

The classes here declare what the record holds; compiled code gets it as one pointer.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ...ml.compilation import Array
from ...ml.trees.runtime import BoostedTrees
from ..features.feature_columns import ALL_COLUMNS, CANDIDATE_START, MESSAGE_COLUMNS, PAIR_COLUMNS, SHORTLIST_COLUMNS

RING_SIZE = 128  # messages in the ring buffer; a power of two above WINDOW, so that % is a mask
WINDOW = 100  # messages back that may be the parent, as in Kummerfeld et al. 2019
SHORTLIST_SIZE = 16  # the message itself and 15 candidates: the costly features are computed for these only
MAX_TOKENS = 48  # distinct words and parts of words of a message; of a longer one the first are kept
MAX_MENTIONS = 4  # speakers that a message can mention
MAX_CUES = 96  # words and pairs of neighbouring words of a message: 48 of each
HASH_BUCKETS = 1 << 16  # word statistics are stored by hash, so that any vocabulary takes the same memory
VECTOR_SIZE = 32  # numbers in a word vector: two tables of 2 MB as bytes
MAX_SPEAKERS = 1 << 14  # speakers in the table before the longest unseen are replaced
NAME_SLOTS = 1 << 16  # of the hash table of names: four names a speaker
PAIR_SLOTS = 1 << 15  # pairs of speakers, and repeated texts; a collision replaces the older entry
MAX_THREADS = 256  # more than RING_SIZE, so that a thread with a message in the ring is never replaced
MAX_MEMBERS = 12  # participants of a thread that are stored
PRIOR_MESSAGES = 20_000.0  # how many messages of the chat the word counts of the training data are worth
HABITS = 5  # running means of a speaker: length, repetition, replies to commands, addressing, links

# Places in `counters`.
MESSAGES_SEEN, POSITION, SPEAKERS_KNOWN, NAMES_KNOWN, NEXT_SPEAKER, NEXT_THREAD, CUES_FOUND = range(7)
COUNTERS = 7  # the number of names above
# Places in `channel`.
ADDRESS_RATE, MEAN_GAP_MINUTES, LATEST_TIME = range(3)
INITIAL_CHANNEL = (0.3, 0.5, -1.0)  # plausible values until the running means have seen messages; no time yet


class ArraySpec(NamedTuple):
    """An array within the record: its type, its shape and its initial value."""

    kind: Any
    shape: tuple[int, ...]
    start: float = 0


def _ints(*shape: int, start: int = 0) -> Array:
    return cast(Array, ArraySpec(np.int64, shape, start))


def _floats(*shape: int) -> Array:
    return cast(Array, ArraySpec(np.float32, shape))


class Ring:
    """The latest messages without system lines: message m is in row m % RING_SIZE."""

    position = _ints(RING_SIZE, start=-1)
    time = cast(Array, ArraySpec(np.float64, (RING_SIZE,), -1))
    author = _ints(RING_SIZE, start=-1)
    features = _floats(RING_SIZE, MESSAGE_COLUMNS)
    mentions = _ints(RING_SIZE, MAX_MENTIONS, start=-1)
    mention_strength = _ints(RING_SIZE, MAX_MENTIONS)
    tokens = _ints(RING_SIZE, MAX_TOKENS)
    token_weights = _floats(RING_SIZE, MAX_TOKENS)
    token_count = _ints(RING_SIZE)
    norm = _floats(RING_SIZE)
    parent_vector = _floats(RING_SIZE, VECTOR_SIZE)
    reply_vector = _floats(RING_SIZE, VECTOR_SIZE)
    parent = _ints(RING_SIZE, start=-1)
    thread = _ints(RING_SIZE)
    previous_in_thread = _ints(RING_SIZE, start=-1)
    reply_count = _ints(RING_SIZE)
    probability = _floats(RING_SIZE)


class SpeakerTable:
    """Speakers: their latest message, mention and addressee, and running means of what they write.

    `generation` counts how often a row was given to somebody else.
    """

    generation = _ints(MAX_SPEAKERS)
    last_seen = _ints(MAX_SPEAKERS, start=-1)
    last_message = _ints(MAX_SPEAKERS, start=-1)
    message_count = _ints(MAX_SPEAKERS)
    last_mention = _ints(MAX_SPEAKERS, start=-1)
    addressee = _ints(MAX_SPEAKERS, start=-1)
    joined = _ints(MAX_SPEAKERS, start=-1)
    habits = _floats(MAX_SPEAKERS, HABITS)
    topic = _floats(MAX_SPEAKERS, VECTOR_SIZE)


class NameTable:
    """Hash of a name -> speaker, by open addressing; an entry of an older generation of its speaker is void."""

    key = _ints(NAME_SLOTS)
    speaker = _ints(NAME_SLOTS, start=-1)
    generation = _ints(NAME_SLOTS)


class AddressTable:
    """Which speaker addressed which, when last and how often; and hashes of texts, to recognise repetitions."""

    key = _ints(PAIR_SLOTS)
    last = _ints(PAIR_SLOTS, start=-1)
    count = _ints(PAIR_SLOTS)
    repeated_text = _ints(PAIR_SLOTS)


class ThreadTable:
    """The predicted threads of the messages in the ring."""

    size = _ints(MAX_THREADS)
    participants = _ints(MAX_THREADS)
    last = _ints(MAX_THREADS, start=-RING_SIZE - 1)
    start = _ints(MAX_THREADS, start=-1)
    starter = _ints(MAX_THREADS, start=-1)
    member = _ints(MAX_THREADS, MAX_MEMBERS, start=-1)
    member_last = _ints(MAX_THREADS, MAX_MEMBERS, start=-1)
    member_count = _ints(MAX_THREADS, MAX_MEMBERS)
    topic = _floats(MAX_THREADS, VECTOR_SIZE)


class Scratch:
    """What was computed for the current message; training and `thread.explain` read it too."""

    candidate_count = _ints(1)
    candidate = _ints(SHORTLIST_SIZE, start=-1)
    context = _floats(CANDIDATE_START)
    window_features = _floats(WINDOW, PAIR_COLUMNS)
    shortlist_features = _floats(WINDOW, len(SHORTLIST_COLUMNS))
    shortlist_score = _floats(WINDOW)
    pair_features = _floats(SHORTLIST_SIZE, PAIR_COLUMNS)
    first_score = _floats(SHORTLIST_SIZE)
    all_features = _floats(SHORTLIST_SIZE, ALL_COLUMNS)
    second_score = _floats(SHORTLIST_SIZE)
    probability = _floats(SHORTLIST_SIZE)
    cues = _ints(MAX_CUES)
    bucket_mark = _ints(HASH_BUCKETS, start=-1)
    author_rank = _ints(MAX_SPEAKERS)
    mention_rank = _ints(MAX_SPEAKERS)
    speaker_mark = _ints(MAX_SPEAKERS, 3, start=-1)


class ThreadState:
    """The whole record; `token_counts` are how often each bucket occurred, those of the training data included."""

    counters = _ints(COUNTERS)
    channel = cast(Array, ArraySpec(np.float64, (3,)))
    token_counts = _floats(HASH_BUCKETS)
    ring: Ring
    speakers: SpeakerTable
    names: NameTable
    pairs: AddressTable
    threads: ThreadTable
    scratch: Scratch


PARTS: dict[str, type] = {
    "ring": Ring, "speakers": SpeakerTable, "names": NameTable, "pairs": AddressTable, "threads": ThreadTable,
    "scratch": Scratch,
}  # fmt: skip


def _arrays(part: type) -> dict[str, ArraySpec]:
    return {name: value for name, value in vars(part).items() if isinstance(value, ArraySpec)}


def _fields(part: type) -> list[tuple[str, Any, tuple[int, ...]]]:
    return [(name, spec.kind, spec.shape) for name, spec in _arrays(part).items()]


RECORD = np.dtype(
    [*_fields(ThreadState), *((name, np.dtype(_fields(part), align=True)) for name, part in PARTS.items())], align=True
)


def initial_state(frequency: Array) -> Array:
    """The state before the first message, an array of one record; `frequency` are the word counts of training."""
    store = np.zeros(1, RECORD)
    store["token_counts"] = frequency
    for name, part in PARTS.items():
        for field, spec in _arrays(part).items():
            store[name][field] = spec.start
    store["channel"] = INITIAL_CHANNEL
    return store


class ThreaderWeights(NamedTuple):
    """What training learns, as the compiled step needs it.

    `frequency` are word counts per PRIOR_MESSAGES messages, `cues` the weights of the cue classifiers by bucket and
    the bias in the last row. The dot product of the `parent_vectors` of a message and the `reply_vectors` of a later
    one measures how well the second replies to the first.
    """

    frequency: Array
    cues: Array
    parent_vectors: Array
    reply_vectors: Array
    shortlist: BoostedTrees
    first: BoostedTrees
    second: BoostedTrees
    settings: Array


# Places in `settings`. The biases are added to the score of the message itself, a start.
SETTINGS = 5
START_BIAS_FIRST, START_BIAS_SECOND, INVERSE_TEMPERATURE, STAGE, THREAD_SHARE = range(SETTINGS)


class Batch(NamedTuple):
    """Messages as numbers: the code points of all texts and names, and where each starts and ends.

    `recorded_parent` is the position of the parent that the platform recorded, -1 for none.
    """

    codes: Array
    text: Array
    name: Array
    renamed: Array
    kind: Array
    minutes: Array
    recorded_parent: Array


assert SHORTLIST_SIZE - 1 <= WINDOW < RING_SIZE < MAX_THREADS
