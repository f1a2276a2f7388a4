"""Candidates: a cheap look at all within the window, the shortlist, and the features of those on it."""

from __future__ import annotations

import numpy as np

from ...compiling import Array, compiled, inlined
from ...trees import grow_scores
from .columns import (
    ADDRESSED_GAP,
    ADDRESSED_SINCE,
    ADDRESSED_TIMES,
    ADDRESSING_GAP,
    ADDRESSING_SINCE,
    ADDRESSING_TIMES,
    AUTHOR_RANK,
    CANDIDATE,
    COSINE,
    DISTANCE,
    GOES_ON,
    HABIT_LENGTH,
    ITSELF,
    LEFT_SINCE,
    LINES,
    MATCH,
    MATCH_BACK,
    MATCH_COSINE,
    MATCH_RANK,
    MINUTES,
    MY_TARGET,
    NAMED_BY,
    NAMED_OTHER,
    NAMES_AUTHOR,
    NAMES_ME_RANK,
    NAMES_MY_TARGET,
    NAMES_OTHER,
    NAMES_THEIR_TARGET,
    NAMES_THEM_RANK,
    OWN_BETWEEN,
    OWN_PREVIOUS,
    PAIR,
    PEOPLE_BETWEEN,
    PREVIOUS,
    RAREST,
    SAME_AUTHOR,
    SAME_TARGET,
    SHARED_WEIGHT,
    SHARED_WORDS,
    SHORT,
    TARGET_LATEST,
    TARGET_RANK,
    TARGETS_ME,
    TARGETS_SHARED,
    TOPIC_OF_AUTHOR,
    TRAITS,
)
from .copying import copy_columns
from .memory import CALLED, DIMENSIONS, RING, SLOTS, WINDOW, Memory, Weights
from .moment import HABITS, gap, minutes
from .people import tie_place

FIRST_RANK = 0


@compiled
def rank_of(memory: Memory, ranks: Array, mark: int, person: int, spoken: int) -> int:
    """A count that belongs to a person and to the message at hand, 0 at first."""
    if memory.scratch.person_mark[person, mark] != spoken:
        memory.scratch.person_mark[person, mark] = spoken
        memory.scratch.rank[person] = 0
        memory.scratch.call_rank[person] = 0
    return ranks[person]


@inlined
def scan(memory: Memory, spoken: int, table: Array) -> int:
    """Fills a row of the table for every message in the window, the nearest first; returns how many there are."""
    ring, scratch = memory.ring, memory.scratch
    here, count, between = spoken % RING, min(spoken, WINDOW), 0
    author, target = ring.author[here], ring.called[here, 0]
    for index in range(count):
        there = (spoken - 1 - index) % RING
        row, other = table[index], ring.author[there]
        row[AUTHOR_RANK] = rank_of(memory, scratch.rank, FIRST_RANK, other, spoken)
        row[OWN_BETWEEN] = rank_of(memory, scratch.rank, FIRST_RANK, author, spoken)
        row[NAMES_ME_RANK] = scratch.call_rank[author]
        row[NAMES_THEM_RANK] = scratch.call_rank[other]
        row[PEOPLE_BETWEEN] = between
        row[TARGET_RANK] = rank_of(memory, scratch.rank, FIRST_RANK, target, spoken) if target >= 0 else -1
        compare_people(memory, spoken, index, row)
        compare_words(memory, here, there, row)
        between += scratch.rank[other] == 0
        scratch.rank[other] += 1
        for place in range(CALLED):
            named = ring.called[there, place]
            if named >= 0:
                rank_of(memory, scratch.rank, FIRST_RANK, named, spoken)
                scratch.call_rank[named] += 1
    return count


@compiled
def compare_people(memory: Memory, spoken: int, index: int, row: Array) -> None:
    ring, people = memory.ring, memory.people
    here, there = spoken % RING, (spoken - 1 - index) % RING
    author, other, target = ring.author[here], ring.author[there], ring.called[here, 0]
    row[LINES] = min(ring.position[here] - ring.position[there], 999)
    row[DISTANCE] = index
    row[MINUTES] = minutes(ring.when[here], ring.when[there])
    row[SAME_AUTHOR] = author == other
    row[NAMES_AUTHOR], row[NAMES_OTHER] = names(memory, here, other)
    row[NAMED_BY], row[NAMED_OTHER] = names(memory, there, author)
    row[PREVIOUS] = index == 0
    row[OWN_PREVIOUS] = spoken - 1 - index == people.last[author]
    row[TARGET_LATEST] = (spoken - 1 - index == people.last[target]) if target >= 0 else -1
    row[TARGETS_ME] = aims(people.target[other], author)
    row[MY_TARGET] = aims(people.target[author], other)


@compiled
def names(memory: Memory, row: int, person: int) -> tuple[int, int]:
    """(how plainly a message names the person, how plainly anybody else)."""
    him = others = 0
    for place in range(CALLED):
        strength = memory.ring.strength[row, place]
        if memory.ring.called[row, place] == person:
            him = max(him, strength)
        else:
            others = max(others, strength)
    return him, others


@compiled
def aims(target: int, person: int) -> int:
    """1 for the same person, 0 for no known target, -1 for another one."""
    return 1 if target == person else 0 if target < 0 else -1


@compiled
def compare_words(memory: Memory, here: int, there: int, row: Array) -> None:
    """Words that both have, and how well their vectors match."""
    ring = memory.ring
    one = other = shared = 0
    weight = square = rarest = 0.0
    while one < ring.word_count[here] and other < ring.word_count[there]:
        left, right = ring.words[here, one], ring.words[there, other]
        if left == right:
            value = ring.weights[here, one]
            shared, weight, square, rarest = shared + 1, weight + value, square + value * value, max(rarest, value)
        one += left <= right
        other += left >= right
    norms = ring.norm[here] * ring.norm[there]
    row[SHARED_WORDS], row[SHARED_WEIGHT], row[RAREST] = shared, weight, rarest
    row[COSINE] = square / norms if norms > 0 else 0.0
    row[MATCH] = dot(ring.say[here], ring.ask[there])


@compiled
def dot(one: Array, other: Array) -> float:
    total = np.float32(0.0)
    for d in range(DIMENSIONS):
        total += one[d] * other[d]
    return float(total)


@compiled
def cosine(one: Array, other: Array) -> float:
    return dot(one, other) / np.sqrt(dot(one, one) * dot(other, other) + np.float32(1e-6))


@inlined
def make_shortlist(memory: Memory, weights: Weights, spoken: int) -> int:
    """Puts the message itself and the best of the window into `candidate`; returns how many they are."""
    scratch = memory.scratch
    table, moment = scratch.table, scratch.moment
    count = scan(memory, spoken, table)
    for index in range(count):
        for column in range(len(SHORT)):
            wanted = SHORT[column]
            scratch.short[index, column] = moment[wanted] if wanted < CANDIDATE else table[index, wanted]
    grow_scores(weights.shortlist, scratch.short, count, scratch.short_score)
    scratch.candidate[:] = -1
    scratch.candidate[0] = spoken
    used = min(count, SLOTS - 1)
    for slot in range(1, used + 1):
        best = 0
        for index in range(1, count):
            if scratch.short_score[index] > scratch.short_score[best]:
                best = index
        scratch.candidate[slot] = spoken - 1 - best
        scratch.short_score[best] = -np.inf
    return used + 1


@inlined
def compare(memory: Memory, spoken: int, used: int) -> None:
    """Fills `pair`, the features of the message with itself and with every candidate on the shortlist."""
    scratch = memory.scratch
    table = scratch.table
    for slot in range(used):
        row = scratch.pair[slot]
        row[:] = -1.0
        copy_columns(scratch.moment, row, 0, CANDIDATE)
        row[ITSELF] = slot == 0
        if slot > 0:
            index = spoken - 1 - scratch.candidate[slot]
            copy_columns(table[index], row, CANDIDATE + TRAITS + 1, PAIR)
            compare_closely(memory, spoken, scratch.candidate[slot], row)
    for slot in range(1, used):
        better = 0
        for rival in range(1, used):
            better += scratch.pair[rival, MATCH] > scratch.pair[slot, MATCH]
        scratch.pair[slot, MATCH_RANK] = better


@compiled
def compare_closely(memory: Memory, spoken: int, candidate: int, row: Array) -> None:
    ring, people, ties = memory.ring, memory.people, memory.ties
    here, there = spoken % RING, candidate % RING
    author, other = ring.author[here], ring.author[there]
    for column in range(TRAITS):
        row[CANDIDATE + column] = ring.traits[there, column]
    for habit in range(HABITS):
        row[CANDIDATE + HABIT_LENGTH + habit] = people.habits[other, habit]
    to_me, to_them = tie_place(ties, other, author), tie_place(ties, author, other)
    last_to_me = ties.last[to_me] if to_me >= 0 else -1
    last_to_them = ties.last[to_them] if to_them >= 0 else -1
    row[ADDRESSED_GAP], row[ADDRESSING_GAP] = gap(spoken, last_to_me), gap(spoken, last_to_them)
    row[ADDRESSED_TIMES] = min(ties.count[to_me], 20) if to_me >= 0 else 0
    row[ADDRESSING_TIMES] = min(ties.count[to_them], 20) if to_them >= 0 else 0
    row[ADDRESSED_SINCE], row[ADDRESSING_SINCE] = last_to_me > candidate, last_to_them > candidate
    mine, theirs = people.target[author], people.target[other]
    row[TARGETS_SHARED] = mine >= 0 and mine == theirs
    row[NAMES_MY_TARGET] = mine >= 0 and names(memory, there, mine)[0] > 0
    row[NAMES_THEIR_TARGET] = theirs >= 0 and names(memory, here, theirs)[0] > 0
    row[SAME_TARGET] = same_target(memory, here, there)
    row[GOES_ON] = candidate + 1 < spoken and ring.author[(candidate + 1) % RING] == other
    row[LEFT_SINCE] = people.arrived[other] > candidate
    row[MATCH_COSINE] = cosine(ring.say[here], ring.ask[there])
    row[MATCH_BACK] = dot(ring.say[there], ring.ask[here])
    row[TOPIC_OF_AUTHOR] = cosine(ring.say[here], people.topic[other])


@compiled
def same_target(memory: Memory, here: int, there: int) -> bool:
    for place in range(CALLED):
        person = memory.ring.called[here, place]
        if person >= 0 and names(memory, there, person)[0] > 0:
            return True
    return False
