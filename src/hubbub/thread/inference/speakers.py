"""Names to speakers, through renames, in tables of fixed size: when they are full, the longest unseen are replaced."""

from __future__ import annotations

from ...ml.compilation import Array, compiled
from .state import (
    MAX_SPEAKERS,
    MESSAGES_SEEN,
    NAME_SLOTS,
    NAMES_KNOWN,
    NEXT_SPEAKER,
    PAIR_SLOTS,
    RING_SIZE,
    SPEAKERS_KNOWN,
    AddressTable,
    NameTable,
    SpeakerTable,
    ThreadState,
)

MIN_NAME_LENGTH = 3  # characters of a name that is recognised without punctuation around it


@compiled
def hash_text(codes: Array, start: int, end: int) -> int:
    """FNV-1a hash of code points, folded; never 0, which marks an empty slot."""
    value = 1469598103934665603
    for at in range(start, end):
        value = (value ^ codes[at]) * 1099511628211
    value ^= value >> 31
    return value if value != 0 else 1


@compiled
def hash_pair(one: int, other: int) -> int:
    """A hash of a pair of numbers, never 0."""
    value = ((one * 6364136223846793005) ^ other) * 1442695040888963407
    value ^= value >> 29
    return value if value != 0 else 1


@compiled
def is_mark(code: int) -> bool:
    """Whether a character is ASCII punctuation."""
    return 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126


@compiled
def find_speaker(names: NameTable, speakers: SpeakerTable, key: int) -> int:
    """The speaker of that name, or -1."""
    at = key & (NAME_SLOTS - 1)
    while names.key[at] != 0:
        if names.key[at] == key:
            owner = names.speaker[at]
            return owner if names.generation[at] == speakers.generation[owner] else -1
        at = (at + 1) & (NAME_SLOTS - 1)
    return -1


@compiled
def store_name(state: ThreadState, key: int, owner: int) -> None:
    names, speakers = state.names, state.speakers
    if state.counters[NAMES_KNOWN] > NAME_SLOTS * 6 // 10:
        rebuild_names(state)
    at = key & (NAME_SLOTS - 1)
    while names.key[at] != 0 and names.key[at] != key:
        at = (at + 1) & (NAME_SLOTS - 1)
    if names.key[at] == 0:
        state.counters[NAMES_KNOWN] += 1
    names.key[at], names.speaker[at], names.generation[at] = key, owner, speakers.generation[owner]


@compiled
def rebuild_names(state: ThreadState) -> None:
    """Rebuilds the table from the valid names; once it is half full, only from those of recent speakers."""
    names, speakers = state.names, state.speakers
    keys, owners, generations = names.key.copy(), names.speaker.copy(), names.generation.copy()
    names.key[:] = 0
    stored = 0
    for old in range(NAME_SLOTS):
        recent = keys[old] != 0 and generations[old] == speakers.generation[owners[old]]
        if recent and (
            stored < NAME_SLOTS // 2 or speakers.last_seen[owners[old]] > state.counters[MESSAGES_SEEN] - RING_SIZE
        ):
            at = keys[old] & (NAME_SLOTS - 1)
            while names.key[at] != 0:
                at = (at + 1) & (NAME_SLOTS - 1)
            names.key[at], names.speaker[at], names.generation[at] = keys[old], owners[old], generations[old]
            stored += 1
    state.counters[NAMES_KNOWN] = stored


@compiled
def new_speaker(state: ThreadState) -> int:
    """A free row; when all are taken, that of a speaker who was not seen for long."""
    speakers, counters = state.speakers, state.counters
    if counters[SPEAKERS_KNOWN] < MAX_SPEAKERS:
        counters[SPEAKERS_KNOWN] += 1
        return counters[SPEAKERS_KNOWN] - 1
    speaker = counters[NEXT_SPEAKER]
    while speakers.last_seen[speaker] > counters[MESSAGES_SEEN] - 4 * RING_SIZE:
        speaker = (speaker + 1) % MAX_SPEAKERS
        if speaker == counters[NEXT_SPEAKER]:
            break
    counters[NEXT_SPEAKER] = (speaker + 1) % MAX_SPEAKERS
    clear_speaker(speakers, speaker)
    return speaker


@compiled
def clear_speaker(speakers: SpeakerTable, speaker: int) -> None:
    speakers.generation[speaker] += 1
    speakers.last_message[speaker] = speakers.last_mention[speaker] = speakers.addressee[speaker] = speakers.joined[
        speaker
    ] = -1
    speakers.message_count[speaker] = 0
    speakers.habits[speaker] = 0.0
    speakers.topic[speaker] = 0.0


@compiled
def speaker_of(state: ThreadState, codes: Array, start: int, end: int) -> int:
    """The speaker of that name, added with the name and its short form if it is new."""
    key = hash_text(codes, start, end)
    speaker = find_speaker(state.names, state.speakers, key)
    if speaker < 0:
        speaker = new_speaker(state)
        state.speakers.last_seen[speaker] = state.counters[MESSAGES_SEEN]
        store_name(state, key, speaker)
        store_short_name(state, codes, start, end, speaker)
    state.speakers.last_seen[speaker] = state.counters[MESSAGES_SEEN]
    return speaker


@compiled
def store_short_name(state: ThreadState, codes: Array, start: int, end: int, speaker: int) -> None:
    """ "ana" for "ana", "ana_", "`ana", "ana|away" and "ana maria", unless somebody else has that name."""
    first = start
    while first < end and is_mark(codes[first]):
        first += 1
    last = first
    while last < end and not is_mark(codes[last]) and codes[last] > 32:
        last += 1
    if last - first >= MIN_NAME_LENGTH and last - first < end - start:
        key = hash_text(codes, first, last)
        if find_speaker(state.names, state.speakers, key) < 0:
            store_name(state, key, speaker)


@compiled
def find_pair(pairs: AddressTable, one: int, other: int) -> int:
    """The row of a pair of speakers, or -1."""
    key = hash_pair(one + 1, other + 1)
    at = key & (PAIR_SLOTS - 1)
    return at if pairs.key[at] == key else -1


@compiled
def count_pair(pairs: AddressTable, one: int, other: int, current: int) -> None:
    key = hash_pair(one + 1, other + 1)
    at = key & (PAIR_SLOTS - 1)
    if pairs.key[at] != key:
        pairs.key[at], pairs.count[at] = key, 0
    pairs.last[at] = current
    pairs.count[at] += 1
