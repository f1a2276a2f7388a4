"""Candidate parents: cheap features of all messages in the window, the shortlist, and the features of those on it."""

from __future__ import annotations

import numpy as np

from ...ml.compilation import Array, compiled, inlined
from ...ml.trees.runtime import add_leaves
from ..inference.speakers import find_pair
from ..inference.state import (
    HABITS,
    MAX_MENTIONS,
    RING_SIZE,
    SHORTLIST_SIZE,
    VECTOR_SIZE,
    WINDOW,
    ThreaderWeights,
    ThreadState,
)
from . import feature_columns as col
from .message_features import copy_columns, gap, minutes

FIRST_RANK = 0  # column of `speaker_mark`


@compiled
def rank_of(state: ThreadState, ranks: Array, mark: int, speaker: int, current: int) -> int:
    """A count of a speaker that starts at 0 for each message; resetting it here saves clearing the table."""
    if state.scratch.speaker_mark[speaker, mark] != current:
        state.scratch.speaker_mark[speaker, mark] = current
        state.scratch.author_rank[speaker] = 0
        state.scratch.mention_rank[speaker] = 0
    return ranks[speaker]


@inlined
def window_features(state: ThreadState, current: int, table: Array) -> int:
    """Fills a row of the table for every message in the window, the nearest first; returns how many there are."""
    ring, scratch = state.ring, state.scratch
    here, count, between = current % RING_SIZE, min(current, WINDOW), 0
    author, target = ring.author[here], ring.mentions[here, 0]
    for index in range(count):
        there = (current - 1 - index) % RING_SIZE
        row, other = table[index], ring.author[there]
        row[col.AUTHOR_RANK] = rank_of(state, scratch.author_rank, FIRST_RANK, other, current)
        row[col.OWN_BETWEEN] = rank_of(state, scratch.author_rank, FIRST_RANK, author, current)
        row[col.NAMES_ME_RANK] = scratch.mention_rank[author]
        row[col.NAMES_THEM_RANK] = scratch.mention_rank[other]
        row[col.PEOPLE_BETWEEN] = between
        row[col.ADDRESSEE_RANK] = (
            rank_of(state, scratch.author_rank, FIRST_RANK, target, current) if target >= 0 else -1
        )
        speaker_features(state, current, index, row)
        token_features(state, here, there, row)
        between += scratch.author_rank[other] == 0
        scratch.author_rank[other] += 1
        for place in range(MAX_MENTIONS):
            named = ring.mentions[there, place]
            if named >= 0:
                rank_of(state, scratch.author_rank, FIRST_RANK, named, current)
                scratch.mention_rank[named] += 1
    return count


@compiled
def speaker_features(state: ThreadState, current: int, index: int, row: Array) -> None:
    ring, speakers = state.ring, state.speakers
    here, there = current % RING_SIZE, (current - 1 - index) % RING_SIZE
    author, other, target = ring.author[here], ring.author[there], ring.mentions[here, 0]
    row[col.LINES] = min(ring.position[here] - ring.position[there], 999)
    row[col.DISTANCE] = index
    row[col.MINUTES] = minutes(ring.time[here], ring.time[there])
    row[col.SAME_AUTHOR] = author == other
    row[col.NAMES_AUTHOR], row[col.NAMES_OTHER] = mention_strengths(state, here, other)
    row[col.NAMED_BY], row[col.NAMED_OTHER] = mention_strengths(state, there, author)
    row[col.PREVIOUS] = index == 0
    row[col.OWN_PREVIOUS] = current - 1 - index == speakers.last_message[author]
    row[col.ADDRESSEE_LATEST] = (current - 1 - index == speakers.last_message[target]) if target >= 0 else -1
    row[col.ADDRESSES_ME] = addressee_relation(speakers.addressee[other], author)
    row[col.MY_ADDRESSEE] = addressee_relation(speakers.addressee[author], other)


@compiled
def mention_strengths(state: ThreadState, row: int, speaker: int) -> tuple[int, int]:
    """The mention strength of the speaker in a message, and the highest one of anybody else."""
    own = others = 0
    for place in range(MAX_MENTIONS):
        strength = state.ring.mention_strength[row, place]
        if state.ring.mentions[row, place] == speaker:
            own = max(own, strength)
        else:
            others = max(others, strength)
    return own, others


@compiled
def addressee_relation(addressee: int, speaker: int) -> int:
    """1 if the addressee is the speaker, 0 if there is no addressee, -1 for somebody else."""
    return 1 if addressee == speaker else 0 if addressee < 0 else -1


@compiled
def token_features(state: ThreadState, here: int, there: int, row: Array) -> None:
    """Shared tokens by a merge of two sorted lists, and the dot product of the vectors."""
    ring = state.ring
    one = other = shared = 0
    weight = square = rarest = 0.0
    while one < ring.token_count[here] and other < ring.token_count[there]:
        left, right = ring.tokens[here, one], ring.tokens[there, other]
        if left == right:
            value = ring.token_weights[here, one]
            shared, weight, square, rarest = shared + 1, weight + value, square + value * value, max(rarest, value)
        one += left <= right
        other += left >= right
    norms = ring.norm[here] * ring.norm[there]
    row[col.SHARED_WORDS], row[col.SHARED_WEIGHT], row[col.RAREST_SHARED_WORD] = shared, weight, rarest
    row[col.COSINE] = square / norms if norms > 0 else 0.0
    row[col.MATCH] = dot(ring.reply_vector[here], ring.parent_vector[there])


@compiled
def dot(one: Array, other: Array) -> float:
    total = np.float32(0.0)
    for d in range(VECTOR_SIZE):
        total += one[d] * other[d]
    return float(total)


@compiled
def cosine(one: Array, other: Array) -> float:
    return dot(one, other) / np.sqrt(dot(one, one) * dot(other, other) + np.float32(1e-6))


@inlined
def make_shortlist(state: ThreadState, weights: ThreaderWeights, current: int) -> int:
    """Puts the message itself and the best of the window into `candidate`; returns how many there are."""
    scratch = state.scratch
    table, context = scratch.window_features, scratch.context
    count = window_features(state, current, table)
    for index in range(count):
        for column in range(len(col.SHORTLIST_COLUMNS)):
            source = col.SHORTLIST_COLUMNS[column]
            scratch.shortlist_features[index, column] = (
                context[source] if source < col.CANDIDATE_START else table[index, source]
            )
    add_leaves(weights.shortlist, scratch.shortlist_features, count, scratch.shortlist_score)
    scratch.candidate[:] = -1
    scratch.candidate[0] = current
    used = min(count, SHORTLIST_SIZE - 1)
    # Selection of the best 15 in place, which allocates no memory.
    for slot in range(1, used + 1):
        best = 0
        for index in range(1, count):
            if scratch.shortlist_score[index] > scratch.shortlist_score[best]:
                best = index
        scratch.candidate[slot] = current - 1 - best
        scratch.shortlist_score[best] = -np.inf
    return used + 1


@inlined
def pair_features(state: ThreadState, current: int, used: int) -> None:
    """Fills `pair`, the features of the message with itself and with every candidate on the shortlist."""
    scratch = state.scratch
    table = scratch.window_features
    for slot in range(used):
        row = scratch.pair_features[slot]
        row[:] = -1.0
        copy_columns(scratch.context, row, 0, col.CANDIDATE_START)
        row[col.IS_SELF] = slot == 0
        if slot > 0:
            index = current - 1 - scratch.candidate[slot]
            copy_columns(table[index], row, col.CANDIDATE_START + col.MESSAGE_COLUMNS + 1, col.PAIR_COLUMNS)
            close_features(state, current, scratch.candidate[slot], row)
    for slot in range(1, used):
        better = 0
        for rival in range(1, used):
            better += scratch.pair_features[rival, col.MATCH] > scratch.pair_features[slot, col.MATCH]
        scratch.pair_features[slot, col.MATCH_RANK] = better


@compiled
def close_features(state: ThreadState, current: int, candidate: int, row: Array) -> None:
    ring, speakers, pairs = state.ring, state.speakers, state.pairs
    here, there = current % RING_SIZE, candidate % RING_SIZE
    author, other = ring.author[here], ring.author[there]
    for column in range(col.MESSAGE_COLUMNS):
        row[col.CANDIDATE_START + column] = ring.features[there, column]
    for habit in range(HABITS):
        row[col.CANDIDATE_START + col.HABIT_LENGTH + habit] = speakers.habits[other, habit]
    # How both have addressed each other, and when last.
    to_me, to_them = find_pair(pairs, other, author), find_pair(pairs, author, other)
    last_to_me = pairs.last[to_me] if to_me >= 0 else -1
    last_to_them = pairs.last[to_them] if to_them >= 0 else -1
    row[col.ADDRESSED_GAP], row[col.ADDRESSING_GAP] = gap(current, last_to_me), gap(current, last_to_them)
    row[col.ADDRESSED_TIMES] = min(pairs.count[to_me], 20) if to_me >= 0 else 0
    row[col.ADDRESSING_TIMES] = min(pairs.count[to_them], 20) if to_them >= 0 else 0
    row[col.ADDRESSED_SINCE], row[col.ADDRESSING_SINCE] = last_to_me > candidate, last_to_them > candidate
    # Whether both are in a conversation with the same third person.
    mine, theirs = speakers.addressee[author], speakers.addressee[other]
    row[col.SHARED_ADDRESSEE] = mine >= 0 and mine == theirs
    row[col.NAMES_MY_ADDRESSEE] = mine >= 0 and mention_strengths(state, there, mine)[0] > 0
    row[col.NAMES_THEIR_ADDRESSEE] = theirs >= 0 and mention_strengths(state, here, theirs)[0] > 0
    row[col.SAME_ADDRESSEE] = shares_mention(state, here, there)
    row[col.AUTHOR_CONTINUES] = candidate + 1 < current and ring.author[(candidate + 1) % RING_SIZE] == other
    row[col.LEFT_SINCE] = speakers.joined[other] > candidate
    row[col.MATCH_COSINE] = cosine(ring.reply_vector[here], ring.parent_vector[there])
    row[col.MATCH_BACK] = dot(ring.reply_vector[there], ring.parent_vector[here])
    row[col.TOPIC_OF_AUTHOR] = cosine(ring.reply_vector[here], speakers.topic[other])


@compiled
def shares_mention(state: ThreadState, here: int, there: int) -> bool:
    for place in range(MAX_MENTIONS):
        speaker = state.ring.mentions[here, place]
        if speaker >= 0 and mention_strengths(state, there, speaker)[0] > 0:
            return True
    return False
