"""One message, from its text to its parent; and the loop of it over many."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiling import Array, compiled, entry, inlined
from ...trees import grow_scores
from .columns import PAIR
from .copying import copy_columns
from .memory import (
    LATEST_TIME,
    POSITION,
    RING,
    SELF_FIRST,
    SELF_SECOND,
    SPOKEN,
    STAGE,
    TOGETHER,
    WARMTH,
    WINDOW,
    Batch,
    Memory,
    Weights,
)
from .moment import describe_moment, note_author, remember
from .pairs import compare, make_shortlist
from .people import hashed, keep_core, keep_name, person_of
from .threads import chances, compare_threads, join_thread
from .words import hear, sum_cues, sum_vectors

SYSTEM, ACTED = 2, 1
UNLIKELY = 0.01  # candidates below this chance are not looked at again


@inlined
def announce(memory: Memory, batch: Batch, at: int) -> None:
    """A system line: somebody came, went or has a new name."""
    start, end = batch.name[at], batch.name[at + 1]
    if end > start:
        person = person_of(memory, batch.codes, start, end)
        memory.people.arrived[person] = memory.counters[SPOKEN]
        start, end = batch.renamed[at, 0], batch.renamed[at, 1]
        if end > start:
            keep_name(memory, hashed(batch.codes, start, end), person)
            keep_core(memory, batch.codes, start, end, person)


@inlined
def listen(memory: Memory, weights: Weights, batch: Batch, at: int) -> None:
    """Puts the message into the ring, with all that does not depend on candidates."""
    spoken = memory.counters[SPOKEN]
    here = spoken % RING
    person = person_of(memory, batch.codes, batch.name[at], batch.name[at + 1])
    memory.ring.position[here] = memory.counters[POSITION]
    memory.ring.when[here] = batch.when[at] if batch.when[at] >= 0 else memory.channel[LATEST_TIME]
    memory.ring.author[here] = person
    hear(memory, batch.codes, batch.text[at], batch.text[at + 1], here, person)
    sum_cues(memory, weights.cues, here)
    sum_vectors(memory, weights.ask, weights.say, here)
    note_author(memory, spoken, person, batch.kind[at] == ACTED)


@inlined
def weigh(memory: Memory, weights: Weights) -> int:
    """The probability of every candidate on the shortlist; returns how many they are."""
    scratch, settings, spoken = memory.scratch, weights.settings, memory.counters[SPOKEN]
    chance = scratch.chance
    describe_moment(memory, spoken, scratch.moment)
    used = make_shortlist(memory, weights, spoken)
    compare(memory, spoken, used)
    grow_scores(weights.first, scratch.pair, used, scratch.first)
    chances(scratch.first, used, settings[SELF_FIRST], 1.0, chance)
    used = keep_likely(memory, used)
    compare_threads(memory, spoken, used, chance)
    if settings[STAGE] > 1:
        grow_scores(weights.second, scratch.whole, used, scratch.score)
        chances(scratch.score, used, settings[SELF_SECOND], settings[WARMTH], chance)
    return used


@compiled
def keep_likely(memory: Memory, used: int) -> int:
    """Drops the candidates that have no chance after the first forest; returns how many are left."""
    scratch, kept = memory.scratch, 1
    for slot in range(1, used):
        if scratch.chance[slot] >= UNLIKELY:
            scratch.candidate[kept] = scratch.candidate[slot]
            scratch.chance[kept] = scratch.chance[slot]
            copy_columns(scratch.pair[slot], scratch.pair[kept], 0, PAIR)
            kept += 1
    return kept


@compiled
def recorded(memory: Memory, position: int) -> int:
    """The message at a position as it is counted in the ring, -1 if it is there no more."""
    spoken = memory.counters[SPOKEN]
    for index in range(spoken - 1, max(-1, spoken - 1 - WINDOW), -1):
        if memory.ring.position[index % RING] == position:
            return index
    return -1


@compiled
def choose(memory: Memory, used: int, together: float) -> tuple[int, int]:
    """(the best slot, the next best of the same thread or -1).

    A candidate stands for its thread too, by a share of the chances of the others in it; in the thread its own decides.
    """
    ring, candidate, chance = memory.ring, memory.scratch.candidate, memory.scratch.chance
    best, second, most = 0, -1, chance[0]
    for slot in range(1, used):
        thread, total = ring.thread[candidate[slot] % RING], chance[slot]
        for rival in range(1, used):
            if rival != slot and ring.thread[candidate[rival] % RING] == thread:
                total += together * chance[rival]
        if total > most:
            best, most = slot, total
    for slot in range(1, used):
        same = ring.thread[candidate[slot] % RING] == ring.thread[candidate[best] % RING]
        if best > 0 and same and slot != best and (second < 0 or chance[slot] > chance[second]):
            second = slot
    return best, second


@inlined
def step(memory: Memory, weights: Weights, batch: Batch, at: int) -> tuple[Any, Any, Any, Any]:
    """(parent, its probability, another parent in its thread, its probability), as positions; -1 for no second one."""
    counters, chance = memory.counters, memory.scratch.chance
    position = counters[POSITION]
    if batch.kind[at] == SYSTEM:
        announce(memory, batch, at)
        counters[POSITION] += 1
        return position, 1.0, -1, 0.0
    listen(memory, weights, batch, at)
    used = weigh(memory, weights)
    memory.scratch.used[0] = used
    spoken = counters[SPOKEN]
    best, second = choose(memory, used, weights.settings[TOGETHER])
    parent, sure = memory.scratch.candidate[best], chance[best]
    if batch.fact[at] >= 0:
        known = recorded(memory, batch.fact[at])
        parent, sure = (known if known >= 0 else spoken), np.float32(1.0)
    join_thread(memory, spoken, parent, sure)
    remember(memory, spoken, hashed(batch.codes, batch.text[at], batch.text[at + 1]))
    counters[SPOKEN] += 1
    counters[POSITION] += 1
    ring = memory.ring
    other = ring.position[memory.scratch.candidate[second] % RING] if second >= 0 else -1
    return ring.position[parent % RING], sure, other, chance[second] if second >= 0 else np.float32(0.0)


@entry
def run(store: Array, weights: Weights, batch: Batch, parents: Array, sure: Array) -> None:
    """All messages of a batch: [best, second] parents and their probabilities."""
    memory = store[0]
    for at in range(len(batch.kind)):
        parents[at, 0], sure[at, 0], parents[at, 1], sure[at, 1] = step(memory, weights, batch, at)
