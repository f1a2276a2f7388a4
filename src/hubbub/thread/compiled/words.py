"""A text into the ring: words with their weights, people that are named, cues, vectors."""

from __future__ import annotations

import numpy as np

from ...compiling import Array, compiled, inlined
from .columns import (
    COMMAND,
    CUE_START,
    CUES,
    ENDS_QUESTION,
    LENGTH,
    MENTIONS,
    QUESTION,
    STRANGER,
    STRONGEST,
    URL,
)
from .memory import (
    BUCKETS,
    CALLED,
    CUE_SLOTS,
    DIMENSIONS,
    POSITION,
    PRIOR,
    WORDS,
    Memory,
)
from .people import SHORTEST, find_name, hashed, is_mark, mixed

BEGIN, NAME, ASKING = 1_000_003, 2_000_003, 3_000_017  # stand for no word in cues
COMMON = 0.0007  # share of messages from which on a word is no name unless it is written like one
STEM = 6  # letters that words of one kin share at their beginning
STEP = 1.0 / 32.0  # vectors are kept in bytes, in steps of this size


@compiled
def is_space(code: int) -> bool:
    return code <= 32 or code == 0xA0 or code == 0x3000


@compiled
def is_wide(code: int) -> bool:
    """Whether it belongs to a script that is written without spaces."""
    return 0x2E80 <= code <= 0xD7FF or 0xF900 <= code <= 0xFAFF or code >= 0x20000


@inlined
def hear(memory: Memory, codes: Array, start: int, end: int, row: int, author: int) -> None:
    """Fills the row of the ring with all that the text itself tells."""
    ring = memory.ring
    ring.traits[row] = 0.0
    ring.called[row] = -1
    ring.strength[row] = 0
    ring.word_count[row] = 0
    memory.counters[CUE_SLOTS] = 0
    at, number, before = start, 0, BEGIN
    while at < end:
        while at < end and is_space(codes[at]):
            at += 1
        stop = at
        while stop < end and not is_space(codes[stop]):
            stop += 1
        if stop > at:
            before = hear_word(memory, codes, at, stop, end, row, author, number, before)
            number += 1
        at = stop
    if end > start:
        letter = end - start > 1 and 97 <= codes[start + 1] <= 122
        ring.traits[row, ENDS_QUESTION] = codes[end - 1] == 63
        ring.traits[row, COMMAND] = letter and (codes[start] == 33 or codes[start] == 46)
    weigh_words(memory, row)


@compiled
def hear_word(
    memory: Memory, codes: Array, start: int, end: int, stop: int, row: int, author: int,
    number: int, before: int,
) -> int:  # fmt: skip
    """One word between spaces; returns what stands before the next one."""
    ring = memory.ring
    first, last = start, end
    while first < last and is_mark(codes[first]):
        first += 1
    while last > first and is_mark(codes[last - 1]):
        last -= 1
    person, strength = named(memory, codes, start, end, first, last, number)
    if person >= 0 and person != author:
        call(memory, row, person, strength)
        if strength == 3:
            return cue(memory, before, NAME)
    elif person < 0 and number == 0 and last - first >= SHORTEST and end < stop and last < end:
        ending = codes[end - 1] == 58 or codes[end - 1] == 44
        if ending and share(memory, hashed(codes, first, last)) < COMMON:
            ring.traits[row, STRANGER] = 1.0
    if starts_link(codes, start, end):
        ring.traits[row, URL] = 1.0
    before = hear_core(memory, codes, first, last, row, before)
    for at in range(last, end):
        if codes[at] == 63:
            ring.traits[row, QUESTION] = 1.0
            before = cue(memory, before, ASKING)
            break
    return before


@inlined
def hear_core(memory: Memory, codes: Array, first: int, last: int, row: int, before: int) -> int:
    """The word without the marks around it; scripts without spaces word by character."""
    at = first
    while at < last:
        stop = at + 1
        if not is_wide(codes[at]):
            while stop < last and not is_wide(codes[stop]):
                stop += 1
        key = hashed(codes, at, stop)
        memory.ring.traits[row, LENGTH] += 1.0
        add_word(memory, row, key)
        add_parts(memory, codes, at, stop, row)
        before = cue(memory, before, key)
        at = stop
    return before


@compiled
def add_parts(memory: Memory, codes: Array, start: int, end: int, row: int) -> None:
    """What a word shares with its kin: the beginning of a long one, and what stands between the marks within it."""
    if end - start > STEM:
        add_word(memory, row, hashed(codes, start, start + STEM))
    at = start
    for stop in range(start, end + 1):
        if stop == end or is_mark(codes[stop]):
            if stop - at >= SHORTEST and stop - at < end - start:
                add_word(memory, row, hashed(codes, at, stop))
            at = stop + 1


@compiled
def starts_link(codes: Array, start: int, end: int) -> bool:
    """http or www."""
    if end - start < 5:
        return False
    a, b, c, d = codes[start], codes[start + 1], codes[start + 2], codes[start + 3]
    return (a == 104 and b == 116 and c == 116 and d == 112) or (a == 119 and b == 119 and c == 119 and d == 46)


@compiled
def named(memory: Memory, codes: Array, start: int, end: int, first: int, last: int, number: int) -> tuple[int, int]:
    """(the person a word names or -1, how plainly: 3 as an address, 2 as the first word, 1 somewhere)."""
    names, people = memory.names, memory.people
    strength = 2 if number == 0 else 1
    person, length = find_name(names, people, hashed(codes, start, end)), end - start
    key = hashed(codes, first, last)
    stop = end
    while person < 0 and stop > first and is_mark(codes[stop - 1]):
        stop -= 1
        person, length = find_name(names, people, hashed(codes, start, stop)), stop - start
    if person >= 0 and stop < end and number == 0 and separates(codes[stop]):
        strength = 3
    if person < 0 and last > first:
        person, length = find_name(names, people, key), last - first
    if person >= 0 and codes[start] == 64:
        strength = 3
    if person >= 0 and strength < 3 and (length < SHORTEST or share(memory, key) >= COMMON):
        person = -1
    return person, strength


@compiled
def separates(code: int) -> bool:
    """A colon, comma, semicolon or closing angle after a name."""
    return code == 58 or code == 44 or code == 59 or code == 62


@compiled
def call(memory: Memory, row: int, person: int, strength: int) -> None:
    ring = memory.ring
    for place in range(CALLED):
        if ring.called[row, place] == person:
            return
        if ring.called[row, place] < 0:
            ring.called[row, place], ring.strength[row, place] = person, strength
            ring.traits[row, MENTIONS] += 1.0
            ring.traits[row, STRONGEST] = max(ring.traits[row, STRONGEST], np.float32(strength))
            return


@compiled
def add_word(memory: Memory, row: int, key: int) -> None:
    """Keeps a word once, in the order of its hash."""
    ring = memory.ring
    count = ring.word_count[row]
    if count == WORDS:
        return
    place = count
    while place > 0 and ring.words[row, place - 1] > key:
        place -= 1
    if place > 0 and ring.words[row, place - 1] == key:
        return
    for at in range(count, place, -1):
        ring.words[row, at] = ring.words[row, at - 1]
    ring.words[row, place] = key
    ring.word_count[row] = count + 1


@compiled
def cue(memory: Memory, before: int, key: int) -> int:
    """Notes a word and the pair it makes with the one before; returns the word."""
    slots, count = memory.scratch.cue, memory.counters[CUE_SLOTS]
    if count + 2 <= len(slots):
        slots[count] = key & (BUCKETS - 1)
        slots[count + 1] = mixed(before, key) & (BUCKETS - 1)
        memory.counters[CUE_SLOTS] = count + 2
    return key


@compiled
def share(memory: Memory, key: int) -> float:
    """The share of messages that have the word, in the training data and in this chat so far."""
    bucket = key & (BUCKETS - 1)
    return memory.heard[bucket] / (PRIOR + memory.counters[POSITION])


@compiled
def weigh_words(memory: Memory, row: int) -> None:
    """Rare words weigh more; all of them count as heard from now on."""
    ring = memory.ring
    square = 0.0
    for at in range(ring.word_count[row]):
        weight = -np.log(share(memory, ring.words[row, at]) + 1e-5)
        ring.weights[row, at] = weight
        square += weight * weight
        memory.heard[ring.words[row, at] & (BUCKETS - 1)] += 1
    ring.norm[row] = np.sqrt(square)


@compiled
def sum_cues(memory: Memory, cues: Array, row: int) -> None:
    """The traits that the words and pairs of words make."""
    for column in range(CUES):
        total = cues[BUCKETS, column]
        for at in range(memory.counters[CUE_SLOTS]):
            total += cues[memory.scratch.cue[at], column]
        memory.ring.traits[row, CUE_START + column] = total


@compiled
def sum_vectors(memory: Memory, ask: Array, say: Array, row: int) -> None:
    """The vectors of a message: the sums of those of its words, by the root of their number."""
    ring = memory.ring
    scale = np.float32(STEP / np.sqrt(max(ring.word_count[row], 1)))
    for d in range(DIMENSIONS):
        ring.ask[row, d] = ring.say[row, d] = 0.0
    for at in range(ring.word_count[row]):
        bucket = ring.words[row, at] & (BUCKETS - 1)
        for d in range(DIMENSIONS):
            ring.ask[row, d] += ask[bucket, d] * scale
            ring.say[row, d] += say[bucket, d] * scale
