"""The threads that the decisions so far have made: their features for a candidate, and how a decision changes them."""

from __future__ import annotations

import numpy as np

from ...compiling import Array, compiled, inlined
from .columns import (
    ACTIVE_THREADS,
    AGE,
    CHANCE,
    CHANCE_AUTHOR,
    CHANCE_BEST,
    CHANCE_GAP,
    CHANCE_LINK,
    CHANCE_RANK,
    CHANCE_SELF,
    CHANCE_THREAD,
    CHANCE_THREAD_BEST,
    I_REPLIED,
    I_STARTED,
    IS_START,
    LATEST,
    MY_GAP,
    MY_SHARE,
    MY_THREAD,
    MY_THREADS,
    NAMES_ME,
    OPEN,
    OTHERS_REPLIED,
    PAIR,
    PARENT_IS_MINE,
    PARENT_IS_THEIRS,
    PARTICIPANTS,
    PARTNERS,
    REPLIED_BACK_GAP,
    REPLIED_GAP,
    REPLIES,
    SINCE_CANDIDATE,
    SIZE,
    TARGET_SHARE,
    THEIR_SHARE,
    THEY_STARTED,
    THREAD_GAP,
    THREAD_MINUTES,
    THREAD_NAMING_ME,
    THREAD_RANK,
    THREAD_RAREST,
    THREAD_TOPIC,
    THREAD_WEIGHT,
    WHOLE,
)
from .copying import copy_columns
from .memory import (
    BUCKETS,
    CALLED,
    DIMENSIONS,
    MEMBERS,
    NEXT_THREAD,
    PEOPLE,
    RING,
    THREADS,
    WINDOW,
    Memory,
)
from .moment import gap, minutes
from .pairs import cosine
from .people import tie, tie_place

WALK, WORDY = 40, 12  # how many messages of a thread are looked at, and the words of how many


@compiled
def chances(scores: Array, used: int, bias: float, warmth: float, out: Array) -> None:
    """Scores into probabilities, the message itself favoured by the bias."""
    highest = -np.inf
    for slot in range(used):
        out[slot] = (scores[slot] + (bias if slot == 0 else 0.0)) * warmth
        highest = max(highest, out[slot])
    total = 0.0
    for slot in range(used):
        out[slot] = np.exp(out[slot] - highest)
        total += out[slot]
    for slot in range(used):
        out[slot] /= total


@inlined
def compare_threads(memory: Memory, spoken: int, used: int, chance: Array) -> None:
    """Fills `whole`: the columns of the pair, then those of the candidate's thread."""
    scratch = memory.scratch
    active, mine = count_threads(memory, spoken)
    best = 0.0
    for slot in range(used):
        best = max(best, chance[slot])
    for slot in range(used):
        row = scratch.whole[slot]
        copy_columns(scratch.pair[slot], row, 0, PAIR)
        row[PAIR:WHOLE] = -1.0
        row[ACTIVE_THREADS], row[MY_THREADS] = active, mine
        row[CHANCE], row[CHANCE_BEST], row[CHANCE_SELF] = chance[slot], best, chance[0]
        row[CHANCE_GAP] = np.log(chance[slot] / best + 1e-6)
        pool(memory, used, slot, chance, row)
        if slot > 0:
            describe_thread(memory, spoken, scratch.candidate[slot], row)


@compiled
def count_threads(memory: Memory, spoken: int) -> tuple[int, int]:
    """(threads whose latest message is among the last 50, threads that the author took part in within the window)."""
    ring, threads = memory.ring, memory.threads
    active = mine = 0
    author = ring.author[spoken % RING]
    for index in range(max(0, spoken - 50), spoken):
        active += threads.last[ring.thread[index % RING]] == index
    for index in range(max(0, spoken - WINDOW), spoken):
        thread = ring.thread[index % RING]
        if ring.author[index % RING] == author:
            mine += member_gap(memory, thread, author, index) == 0
    return active, mine


@compiled
def member_gap(memory: Memory, thread: int, person: int, spoken: int) -> int:
    """How long ago somebody last said something in a thread, -1 for never."""
    for place in range(MEMBERS):
        if memory.threads.member[thread, place] == person:
            return spoken - memory.threads.member_last[thread, place]
    return -1


@compiled
def pool(memory: Memory, used: int, slot: int, chance: Array, row: Array) -> None:
    """What the first scores say of the candidate's thread and author as a whole."""
    ring, candidate = memory.ring, memory.scratch.candidate
    row[CHANCE_THREAD] = row[CHANCE_THREAD_BEST] = row[CHANCE_AUTHOR] = chance[slot]
    thread, author = ring.thread[candidate[slot] % RING], ring.author[candidate[slot] % RING]
    better = 0
    for rival in range(used):
        better += chance[rival] > chance[slot]
        if rival > 0 and slot > 0 and rival != slot:
            other = candidate[rival] % RING
            if ring.thread[other] == thread:
                row[CHANCE_THREAD] += chance[rival]
                row[CHANCE_THREAD_BEST] = max(row[CHANCE_THREAD_BEST], chance[rival])
            if ring.author[other] == author:
                row[CHANCE_AUTHOR] += chance[rival]
    row[CHANCE_RANK] = better


@compiled
def describe_thread(memory: Memory, spoken: int, candidate: int, row: Array) -> None:
    ring, threads = memory.ring, memory.threads
    here, there = spoken % RING, candidate % RING
    thread, author, other = ring.thread[there], ring.author[here], ring.author[there]
    row[SIZE], row[PARTICIPANTS] = min(threads.size[thread], 200), threads.people[thread]
    row[THREAD_GAP] = spoken - threads.last[thread]
    row[THREAD_MINUTES] = minutes(ring.when[here], ring.when[threads.last[thread] % RING])
    row[LATEST] = threads.last[thread] == candidate
    row[REPLIES] = ring.replies[there]
    row[MY_THREAD] = in_thread(memory, memory.people.last[author], spoken, thread)
    row[THREAD_NAMING_ME] = in_thread(memory, memory.people.called[author], spoken, thread)
    row[I_STARTED], row[THEY_STARTED] = threads.starter[thread] == author, threads.starter[thread] == other
    row[AGE] = gap(spoken, threads.start[thread])
    parent = ring.parent[there]
    row[IS_START] = parent == candidate
    known = parent != candidate and parent > spoken - RING
    row[PARENT_IS_MINE] = known and ring.author[parent % RING] == author
    row[PARENT_IS_THEIRS] = known and ring.author[parent % RING] == other
    row[CHANCE_LINK] = ring.chance[there]
    row[THREAD_TOPIC] = cosine(ring.say[here], threads.topic[thread])
    row[OPEN] = threads.people[thread] == 1 and author != other
    row[REPLIED_GAP] = reply_gap(memory, spoken, author, other)
    row[REPLIED_BACK_GAP] = reply_gap(memory, spoken, other, author)
    describe_members(memory, spoken, thread, row)
    walk(memory, spoken, candidate, row)
    rank = 0
    for index in range(threads.last[thread] + 1, spoken):
        rank += threads.last[ring.thread[index % RING]] == index
    row[THREAD_RANK] = rank


@compiled
def reply_gap(memory: Memory, spoken: int, one: int, other: int) -> float:
    """How long ago one was found to answer the other."""
    place = tie_place(memory.ties, one + PEOPLE, other + PEOPLE)
    return gap(spoken, memory.ties.last[place]) if place >= 0 else 999.0


@compiled
def in_thread(memory: Memory, index: int, spoken: int, thread: int) -> int:
    """Whether a message is in a thread; -1 if there is no such message any more."""
    if index < 0 or index <= spoken - RING:
        return -1
    return 1 if memory.ring.thread[index % RING] == thread else 0


@compiled
def describe_members(memory: Memory, spoken: int, thread: int, row: Array) -> None:
    """How much of the thread is the author's, the addressee's, and that of people with ties to the author."""
    threads, ring, ties = memory.threads, memory.ring, memory.ties
    author, target = ring.author[spoken % RING], ring.called[spoken % RING, 0]
    row[MY_SHARE] = partners = 0
    row[MY_GAP] = 999.0
    row[TARGET_SHARE] = 0 if target >= 0 else -1
    for place in range(MEMBERS):
        member = threads.member[thread, place]
        if member == author:
            row[MY_SHARE] = min(threads.member_count[thread, place], 50)
            row[MY_GAP] = gap(spoken, threads.member_last[thread, place])
        elif member >= 0:
            to, back = tie_place(ties, author, member), tie_place(ties, member, author)
            partners += (to >= 0 and ties.last[to] > spoken - WINDOW) or (
                back >= 0 and ties.last[back] > spoken - WINDOW
            )
        if member >= 0 and member == target:
            row[TARGET_SHARE] = min(threads.member_count[thread, place], 50)
    row[PARTNERS] = partners


@compiled
def walk(memory: Memory, spoken: int, candidate: int, row: Array) -> None:
    """From the thread's latest message back: who replied, who was named, which words were used."""
    ring, scratch = memory.ring, memory.scratch
    here, there = spoken % RING, candidate % RING
    author, other = ring.author[here], ring.author[there]
    stamp = spoken * RING + there
    after = mine = theirs = naming = replied = 0
    index, steps = memory.threads.last[ring.thread[there]], 0
    while index >= 0 and index > spoken - RING and steps < WALK:
        at = index % RING
        after += index > candidate
        theirs += ring.author[at] == other
        mine += ring.parent[at] == candidate and ring.author[at] == author and index != candidate
        replied += ring.parent[at] == candidate and ring.author[at] != author and index != candidate
        for place in range(CALLED):
            naming += ring.called[at, place] == author
        if steps < WORDY:
            for word in range(ring.word_count[at]):
                scratch.mark[ring.words[at, word] & (BUCKETS - 1)] = stamp
        index, steps = ring.earlier[at], steps + 1
    row[SINCE_CANDIDATE], row[I_REPLIED], row[OTHERS_REPLIED] = after, mine, replied
    row[NAMES_ME], row[THEIR_SHARE] = naming, theirs
    weigh_marked(memory, here, stamp, row)


@compiled
def weigh_marked(memory: Memory, here: int, stamp: int, row: Array) -> None:
    """The weight of the message's words that were marked in the thread."""
    ring = memory.ring
    total = rarest = 0.0
    for word in range(ring.word_count[here]):
        if memory.scratch.mark[ring.words[here, word] & (BUCKETS - 1)] == stamp:
            total += ring.weights[here, word]
            rarest = max(rarest, ring.weights[here, word])
    row[THREAD_WEIGHT], row[THREAD_RAREST] = total, rarest


@compiled
def join_thread(memory: Memory, spoken: int, parent: int, chance: float) -> None:
    """Makes the decision part of what is known: the message is in its parent's thread, or in a new one."""
    ring, threads, here = memory.ring, memory.threads, spoken % RING
    starts = parent == spoken
    thread = new_thread(memory, spoken) if starts else ring.thread[parent % RING]
    if not starts:
        ring.replies[parent % RING] += 1
        tie(memory.ties, ring.author[here] + PEOPLE, ring.author[parent % RING] + PEOPLE, spoken)
    ring.parent[here], ring.thread[here], ring.replies[here], ring.chance[here] = parent, thread, 0, chance
    ring.earlier[here] = -1 if starts else threads.last[thread]
    threads.last[thread] = spoken
    threads.size[thread] += 1
    for d in range(DIMENSIONS):
        threads.topic[thread, d] = 0.8 * threads.topic[thread, d] + ring.ask[here, d]
    join_members(memory, thread, ring.author[here], spoken)


@compiled
def new_thread(memory: Memory, spoken: int) -> int:
    """An empty record in place of a thread of which no message is in the ring any more."""
    threads, counters = memory.threads, memory.counters
    thread = counters[NEXT_THREAD]
    while threads.last[thread] > spoken - RING:
        thread = (thread + 1) % THREADS
    counters[NEXT_THREAD] = (thread + 1) % THREADS
    threads.size[thread] = threads.people[thread] = 0
    threads.start[thread], threads.starter[thread] = spoken, memory.ring.author[spoken % RING]
    threads.member[thread] = -1
    threads.topic[thread] = 0.0
    return thread


@compiled
def join_members(memory: Memory, thread: int, person: int, spoken: int) -> None:
    """Counts the author in; of too many members the longest silent is dropped."""
    threads = memory.threads
    place = oldest = 0
    while place < MEMBERS and threads.member[thread, place] >= 0 and threads.member[thread, place] != person:
        if threads.member_last[thread, place] < threads.member_last[thread, oldest]:
            oldest = place
        place += 1
    if place == MEMBERS or threads.member[thread, place] != person:
        threads.people[thread] += 1
        place = oldest if place == MEMBERS else place
        threads.member[thread, place], threads.member_count[thread, place] = person, 0
    threads.member_last[thread, place] = spoken
    threads.member_count[thread, place] += 1
