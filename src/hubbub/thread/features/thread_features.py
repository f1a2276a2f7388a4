"""The predicted threads so far: their features for a candidate, and their update after a decision."""

from __future__ import annotations

import numpy as np

from ...ml.compilation import Array, compiled, inlined
from ..inference.speakers import count_pair, find_pair
from ..inference.state import (
    HASH_BUCKETS,
    MAX_MEMBERS,
    MAX_MENTIONS,
    MAX_SPEAKERS,
    MAX_THREADS,
    NEXT_THREAD,
    RING_SIZE,
    VECTOR_SIZE,
    WINDOW,
    ThreadState,
)
from . import feature_columns as col
from .candidate_features import cosine
from .message_features import copy_columns, gap, minutes

MAX_WALKED_MESSAGES, MAX_WALKED_TOKEN_MESSAGES = (
    40,
    12,
)  # bound the time of a step on long threads


@compiled
def probabilities(scores: Array, used: int, bias: float, inverse_temperature: float, out: Array) -> None:
    """The softmax of scores with a bias for a start and an inverse temperature; ml.calibration has it for arrays."""
    highest = -np.inf
    for slot in range(used):
        out[slot] = (scores[slot] + (bias if slot == 0 else 0.0)) * inverse_temperature
        highest = max(highest, out[slot])
    total = 0.0
    for slot in range(used):
        out[slot] = np.exp(out[slot] - highest)
        total += out[slot]
    for slot in range(used):
        out[slot] /= total


@inlined
def thread_features(state: ThreadState, current: int, used: int, probability: Array) -> None:
    """Fills `all_features`: the columns of the pair, then those of the candidate's thread."""
    scratch = state.scratch
    active, mine = count_threads(state, current)
    best = 0.0
    for slot in range(used):
        best = max(best, probability[slot])
    for slot in range(used):
        row = scratch.all_features[slot]
        copy_columns(scratch.pair_features[slot], row, 0, col.PAIR_COLUMNS)
        row[col.PAIR_COLUMNS : col.ALL_COLUMNS] = -1.0
        row[col.ACTIVE_THREADS], row[col.MY_THREADS] = active, mine
        row[col.PROBABILITY], row[col.PROBABILITY_BEST], row[col.PROBABILITY_OF_START] = (
            probability[slot],
            best,
            probability[0],
        )
        row[col.PROBABILITY_LOG_RATIO] = np.log(probability[slot] / best + 1e-6)
        pooled_probabilities(state, used, slot, probability, row)
        if slot > 0:
            candidate_thread_features(state, current, scratch.candidate[slot], row)


@compiled
def count_threads(state: ThreadState, current: int) -> tuple[int, int]:
    """(threads whose latest message is among the last 50, threads that the author took part in within the window)."""
    ring, threads = state.ring, state.threads
    active = mine = 0
    author = ring.author[current % RING_SIZE]
    for index in range(max(0, current - 50), current):
        active += threads.last[ring.thread[index % RING_SIZE]] == index
    for index in range(max(0, current - WINDOW), current):
        thread = ring.thread[index % RING_SIZE]
        if ring.author[index % RING_SIZE] == author:
            mine += member_gap(state, thread, author, index) == 0
    return active, mine


@compiled
def member_gap(state: ThreadState, thread: int, speaker: int, current: int) -> int:
    """Messages since a speaker's latest message in a thread, -1 for none."""
    for place in range(MAX_MEMBERS):
        if state.threads.member[thread, place] == speaker:
            return current - state.threads.member_last[thread, place]
    return -1


@compiled
def pooled_probabilities(state: ThreadState, used: int, slot: int, probability: Array, row: Array) -> None:
    """Sums and maxima of the first probabilities over the candidates of the same thread and of the same author."""
    ring, candidate = state.ring, state.scratch.candidate
    row[col.PROBABILITY_OF_THREAD] = row[col.PROBABILITY_BEST_IN_THREAD] = row[col.PROBABILITY_OF_AUTHOR] = probability[
        slot
    ]
    thread, author = ring.thread[candidate[slot] % RING_SIZE], ring.author[candidate[slot] % RING_SIZE]
    better = 0
    for rival in range(used):
        better += probability[rival] > probability[slot]
        if rival > 0 and slot > 0 and rival != slot:
            other = candidate[rival] % RING_SIZE
            if ring.thread[other] == thread:
                row[col.PROBABILITY_OF_THREAD] += probability[rival]
                row[col.PROBABILITY_BEST_IN_THREAD] = max(row[col.PROBABILITY_BEST_IN_THREAD], probability[rival])
            if ring.author[other] == author:
                row[col.PROBABILITY_OF_AUTHOR] += probability[rival]
    row[col.PROBABILITY_RANK] = better


@compiled
def candidate_thread_features(state: ThreadState, current: int, candidate: int, row: Array) -> None:
    ring, threads = state.ring, state.threads
    here, there = current % RING_SIZE, candidate % RING_SIZE
    thread, author, other = ring.thread[there], ring.author[here], ring.author[there]
    row[col.SIZE], row[col.PARTICIPANTS] = min(threads.size[thread], 200), threads.participants[thread]
    row[col.THREAD_GAP] = current - threads.last[thread]
    row[col.THREAD_MINUTES] = minutes(ring.time[here], ring.time[threads.last[thread] % RING_SIZE])
    row[col.IS_LATEST_IN_THREAD] = threads.last[thread] == candidate
    row[col.REPLIES] = ring.reply_count[there]
    row[col.MY_THREAD] = in_thread(state, state.speakers.last_message[author], current, thread)
    row[col.THREAD_NAMING_ME] = in_thread(state, state.speakers.last_mention[author], current, thread)
    row[col.I_STARTED], row[col.THEY_STARTED] = threads.starter[thread] == author, threads.starter[thread] == other
    row[col.AGE] = gap(current, threads.start[thread])
    parent = ring.parent[there]
    row[col.IS_START] = parent == candidate
    # A parent that has left the ring buffer is not known any more.
    known = parent != candidate and parent > current - RING_SIZE
    row[col.PARENT_IS_MINE] = known and ring.author[parent % RING_SIZE] == author
    row[col.PARENT_IS_THEIRS] = known and ring.author[parent % RING_SIZE] == other
    row[col.PROBABILITY_OF_PARENT_LINK] = ring.probability[there]
    row[col.THREAD_TOPIC] = cosine(ring.reply_vector[here], threads.topic[thread])
    row[col.IS_UNANSWERED] = threads.participants[thread] == 1 and author != other
    row[col.REPLIED_GAP] = reply_gap(state, current, author, other)
    row[col.REPLIED_BACK_GAP] = reply_gap(state, current, other, author)
    member_features(state, current, thread, row)
    walk_thread(state, current, candidate, row)
    # How many other threads have had a message since the last one of this thread.
    rank = 0
    for index in range(threads.last[thread] + 1, current):
        rank += threads.last[ring.thread[index % RING_SIZE]] == index
    row[col.THREAD_RANK] = rank


@compiled
def reply_gap(state: ThreadState, current: int, one: int, other: int) -> float:
    """Messages since one speaker's latest predicted reply to the other."""
    place = find_pair(state.pairs, one + MAX_SPEAKERS, other + MAX_SPEAKERS)
    return gap(current, state.pairs.last[place]) if place >= 0 else col.MAX_GAP


@compiled
def in_thread(state: ThreadState, index: int, current: int, thread: int) -> int:
    """Whether a message is in a thread; -1 if it has left the ring."""
    if index < 0 or index <= current - RING_SIZE:
        return -1
    return 1 if state.ring.thread[index % RING_SIZE] == thread else 0


@compiled
def member_features(state: ThreadState, current: int, thread: int, row: Array) -> None:
    """Messages of the author and of the addressee in the thread, and members who addressed the author or vice versa."""
    threads, ring, pairs = state.threads, state.ring, state.pairs
    author, target = ring.author[current % RING_SIZE], ring.mentions[current % RING_SIZE, 0]
    row[col.MY_MESSAGES] = partners = 0
    row[col.MY_GAP] = col.MAX_GAP
    row[col.ADDRESSEE_MESSAGES] = 0 if target >= 0 else -1
    for place in range(MAX_MEMBERS):
        member = threads.member[thread, place]
        if member == author:
            row[col.MY_MESSAGES] = min(threads.member_count[thread, place], 50)
            row[col.MY_GAP] = gap(current, threads.member_last[thread, place])
        elif member >= 0:
            to, back = find_pair(pairs, author, member), find_pair(pairs, member, author)
            partners += (to >= 0 and pairs.last[to] > current - WINDOW) or (
                back >= 0 and pairs.last[back] > current - WINDOW
            )
        if member >= 0 and member == target:
            row[col.ADDRESSEE_MESSAGES] = min(threads.member_count[thread, place], 50)
    row[col.PARTNERS] = partners


@compiled
def walk_thread(state: ThreadState, current: int, candidate: int, row: Array) -> None:
    """Counts replies, mentions and shared tokens along the thread, from its latest message back."""
    ring, scratch = state.ring, state.scratch
    here, there = current % RING_SIZE, candidate % RING_SIZE
    author, other = ring.author[here], ring.author[there]
    stamp = current * RING_SIZE + there
    after = mine = theirs = naming = replied = 0
    index, steps = state.threads.last[ring.thread[there]], 0
    while index >= 0 and index > current - RING_SIZE and steps < MAX_WALKED_MESSAGES:
        at = index % RING_SIZE
        after += index > candidate
        theirs += ring.author[at] == other
        mine += ring.parent[at] == candidate and ring.author[at] == author and index != candidate
        replied += ring.parent[at] == candidate and ring.author[at] != author and index != candidate
        for place in range(MAX_MENTIONS):
            naming += ring.mentions[at, place] == author
        # Words are marked with a stamp of this pair, which saves clearing the table.
        if steps < MAX_WALKED_TOKEN_MESSAGES:
            for word in range(ring.token_count[at]):
                scratch.bucket_mark[ring.tokens[at, word] & (HASH_BUCKETS - 1)] = stamp
        index, steps = ring.previous_in_thread[at], steps + 1
    row[col.SINCE_CANDIDATE], row[col.I_REPLIED], row[col.OTHERS_REPLIED] = after, mine, replied
    row[col.NAMES_ME], row[col.THEIR_MESSAGES] = naming, theirs
    weigh_marked_tokens(state, here, stamp, row)


@compiled
def weigh_marked_tokens(state: ThreadState, here: int, stamp: int, row: Array) -> None:
    """The idf of the tokens that the message shares with the thread: the sum and the largest."""
    ring = state.ring
    total = rarest = 0.0
    for word in range(ring.token_count[here]):
        if state.scratch.bucket_mark[ring.tokens[here, word] & (HASH_BUCKETS - 1)] == stamp:
            total += ring.token_weights[here, word]
            rarest = max(rarest, ring.token_weights[here, word])
    row[col.THREAD_WORD_WEIGHT], row[col.THREAD_RAREST_WORD] = total, rarest


@compiled
def join_thread(state: ThreadState, current: int, parent: int, probability: float) -> None:
    """Adds the message to its parent's thread, or to a new one."""
    ring, threads, here = state.ring, state.threads, current % RING_SIZE
    starts = parent == current
    thread = new_thread(state, current) if starts else ring.thread[parent % RING_SIZE]
    if not starts:
        ring.reply_count[parent % RING_SIZE] += 1
        count_pair(
            state.pairs, ring.author[here] + MAX_SPEAKERS, ring.author[parent % RING_SIZE] + MAX_SPEAKERS, current
        )
    ring.parent[here], ring.thread[here], ring.reply_count[here], ring.probability[here] = (
        parent,
        thread,
        0,
        probability,
    )
    ring.previous_in_thread[here] = -1 if starts else threads.last[thread]
    threads.last[thread] = current
    threads.size[thread] += 1
    for d in range(VECTOR_SIZE):
        threads.topic[thread, d] = 0.8 * threads.topic[thread, d] + ring.parent_vector[here, d]
    join_members(state, thread, ring.author[here], current)


@compiled
def new_thread(state: ThreadState, current: int) -> int:
    """An empty row in place of a thread whose messages have all left the ring."""
    threads, counters = state.threads, state.counters
    thread = counters[NEXT_THREAD]
    while threads.last[thread] > current - RING_SIZE:
        thread = (thread + 1) % MAX_THREADS
    counters[NEXT_THREAD] = (thread + 1) % MAX_THREADS
    threads.size[thread] = threads.participants[thread] = 0
    threads.start[thread], threads.starter[thread] = current, state.ring.author[current % RING_SIZE]
    threads.member[thread] = -1
    threads.topic[thread] = 0.0
    return thread


@compiled
def join_members(state: ThreadState, thread: int, speaker: int, current: int) -> None:
    """Adds the author to the members; of too many, the longest silent is dropped."""
    threads = state.threads
    place = oldest = 0
    while place < MAX_MEMBERS and threads.member[thread, place] >= 0 and threads.member[thread, place] != speaker:
        if threads.member_last[thread, place] < threads.member_last[thread, oldest]:
            oldest = place
        place += 1
    if place == MAX_MEMBERS or threads.member[thread, place] != speaker:
        threads.participants[thread] += 1
        place = oldest if place == MAX_MEMBERS else place
        threads.member[thread, place], threads.member_count[thread, place] = speaker, 0
    threads.member_last[thread, place] = current
    threads.member_count[thread, place] += 1
