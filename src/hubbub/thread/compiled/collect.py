"""What training needs to see of the steps: words and cues of every message, features of those that are judged."""

from __future__ import annotations

from ...compiling import Array, entry
from .memory import BUCKETS, CUE_SLOTS, RING, SPOKEN, Batch, Weights
from .moment import remember
from .people import hashed
from .step import SYSTEM, announce, listen, step


@entry
def collect_words(
    store: Array, weights: Weights, batch: Batch, words: Array, cues: Array, authors: Array, naming: Array
) -> int:
    """Word and cue buckets, -1 after the last, the author and the person named; returns how many messages were said."""
    memory = store[0]
    first = memory.counters[SPOKEN]
    for at in range(len(batch.kind)):
        if batch.kind[at] == SYSTEM:
            announce(memory, batch, at)
            continue
        listen(memory, weights, batch, at)
        spoken = memory.counters[SPOKEN]
        row, here = spoken - first, spoken % RING
        words[row], cues[row] = -1, -1
        for word in range(memory.ring.word_count[here]):
            words[row, word] = memory.ring.words[here, word] & (BUCKETS - 1)
        for slot in range(memory.counters[CUE_SLOTS]):
            cues[row, slot] = memory.scratch.cue[slot]
        authors[row] = memory.ring.author[here]
        naming[row] = memory.ring.called[here, 0] if memory.ring.strength[here, 0] > 1 else -1
        remember(memory, spoken, hashed(batch.codes, batch.text[at], batch.text[at + 1]))
        memory.counters[SPOKEN] += 1
    return memory.counters[SPOKEN] - first


@entry
def collect_features(
    store: Array, weights: Weights, batch: Batch, wanted: Array, parents: Array, sure: Array,
    candidates: Array, pair: Array, whole: Array, short: Array,
) -> None:  # fmt: skip
    """Runs the steps; for wanted messages (place >= 0) keeps candidates (as positions) and features.

    Of `pair`, `whole` and `short` those are filled that have rows.
    """
    memory = store[0]
    scratch, ring = memory.scratch, memory.ring
    for at in range(len(batch.kind)):
        spoken = memory.counters[SPOKEN]
        parents[at, 0], sure[at, 0], parents[at, 1], sure[at, 1] = step(memory, weights, batch, at)
        place = wanted[at]
        if place < 0 or batch.kind[at] == SYSTEM:
            continue
        for slot in range(scratch.used[0]):
            candidates[place, slot] = ring.position[scratch.candidate[slot] % RING]
        if len(pair) > 0:
            pair[place] = scratch.pair
        if len(whole) > 0:
            whole[place] = scratch.whole
        if len(short) > 0:
            for index in range(min(spoken, short.shape[1])):
                short[place, index] = scratch.short[index]
