"""The decision about one message, from its text to its parent, and the loop over a batch.

A step costs O(WINDOW) for the shortlist, then O(SHORTLIST_SIZE * trees * depth) for the two models; nothing grows with
the length of the chat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ml.compilation import Array, compiled, entry, inlined
from ...ml.trees.runtime import add_leaves
from ..features.candidate_features import make_shortlist, pair_features
from ..features.feature_columns import PAIR_COLUMNS
from ..features.message_features import author_features, context_features, copy_columns, update_state
from ..features.thread_features import join_thread, probabilities, thread_features
from .speakers import hash_text, speaker_of, store_name, store_short_name
from .state import (
    INVERSE_TEMPERATURE,
    LATEST_TIME,
    MESSAGES_SEEN,
    POSITION,
    RING_SIZE,
    STAGE,
    START_BIAS_FIRST,
    START_BIAS_SECOND,
    THREAD_SHARE,
    WINDOW,
    Batch,
    ThreaderWeights,
    ThreadState,
)
from .tokens import sum_cues, sum_vectors, tokenize

SYSTEM_KIND, ACTION_KIND = 2, 1  # as `encoding.KINDS` numbers them
MIN_PROBABILITY = 0.01  # after the first model; less probable candidates are not worth the features of threads


@inlined
def handle_system_line(state: ThreadState, batch: Batch, at: int) -> None:
    """A system line: somebody joined, left or has a new name."""
    start, end = batch.name[at], batch.name[at + 1]
    if end > start:
        speaker = speaker_of(state, batch.codes, start, end)
        state.speakers.joined[speaker] = state.counters[MESSAGES_SEEN]
        start, end = batch.renamed[at, 0], batch.renamed[at, 1]
        if end > start:
            store_name(state, hash_text(batch.codes, start, end), speaker)
            store_short_name(state, batch.codes, start, end, speaker)


@inlined
def add_message(state: ThreadState, weights: ThreaderWeights, batch: Batch, at: int) -> None:
    """Adds the message to the ring, with everything that does not depend on candidates."""
    current = state.counters[MESSAGES_SEEN]
    here = current % RING_SIZE
    speaker = speaker_of(state, batch.codes, batch.name[at], batch.name[at + 1])
    state.ring.position[here] = state.counters[POSITION]
    state.ring.time[here] = batch.minutes[at] if batch.minutes[at] >= 0 else state.channel[LATEST_TIME]
    state.ring.author[here] = speaker
    tokenize(state, batch.codes, batch.text[at], batch.text[at + 1], here, speaker)
    sum_cues(state, weights.cues, here)
    sum_vectors(state, weights.parent_vectors, weights.reply_vectors, here)
    author_features(state, current, speaker, batch.kind[at] == ACTION_KIND)


@inlined
def score_candidates(state: ThreadState, weights: ThreaderWeights) -> int:
    """The probability of every candidate on the shortlist; returns how many there are."""
    scratch, settings, current = state.scratch, weights.settings, state.counters[MESSAGES_SEEN]
    probability = scratch.probability
    context_features(state, current, scratch.context)
    used = make_shortlist(state, weights, current)
    pair_features(state, current, used)
    add_leaves(weights.first, scratch.pair_features, used, scratch.first_score)
    probabilities(scratch.first_score, used, settings[START_BIAS_FIRST], 1.0, probability)
    used = keep_probable(state, used)
    thread_features(state, current, used, probability)
    if settings[STAGE] > 1:
        add_leaves(weights.second, scratch.all_features, used, scratch.second_score)
        probabilities(
            scratch.second_score, used, settings[START_BIAS_SECOND], settings[INVERSE_TEMPERATURE], probability
        )
    return used


@compiled
def keep_probable(state: ThreadState, used: int) -> int:
    """Drops the candidates that the first model finds improbable; returns how many are left."""
    scratch, kept = state.scratch, 1
    for slot in range(1, used):
        if scratch.probability[slot] >= MIN_PROBABILITY:
            scratch.candidate[kept] = scratch.candidate[slot]
            scratch.probability[kept] = scratch.probability[slot]
            copy_columns(scratch.pair_features[slot], scratch.pair_features[kept], 0, PAIR_COLUMNS)
            kept += 1
    return kept


@compiled
def ring_index(state: ThreadState, position: int) -> int:
    """The index in the ring of the message at a position, -1 if it has left the ring."""
    current = state.counters[MESSAGES_SEEN]
    for index in range(current - 1, max(-1, current - 1 - WINDOW), -1):
        if state.ring.position[index % RING_SIZE] == position:
            return index
    return -1


@compiled
def choose_parents(state: ThreadState, used: int, thread_share: float) -> tuple[int, int]:
    """(the best slot, the next best of the same thread or -1).

    A thread competes by the best candidate in it, to whose probability a share of those of its other candidates is
    added: several candidates of one conversation support each other.
    """
    ring, candidate, probability = state.ring, state.scratch.candidate, state.scratch.probability
    best, second, most = 0, -1, probability[0]
    for slot in range(1, used):
        thread, total = ring.thread[candidate[slot] % RING_SIZE], probability[slot]
        for rival in range(1, used):
            if rival != slot and ring.thread[candidate[rival] % RING_SIZE] == thread:
                total += thread_share * probability[rival]
        if total > most:
            best, most = slot, total
    for slot in range(1, used):
        same = ring.thread[candidate[slot] % RING_SIZE] == ring.thread[candidate[best] % RING_SIZE]
        if best > 0 and same and slot != best and (second < 0 or probability[slot] > probability[second]):
            second = slot
    return best, second


@inlined
def step(state: ThreadState, weights: ThreaderWeights, batch: Batch, at: int) -> tuple[Any, Any, Any, Any]:
    """(parent, its probability, another parent in its thread, its probability), as positions; -1 for no second one."""
    counters, probability = state.counters, state.scratch.probability
    position = counters[POSITION]
    if batch.kind[at] == SYSTEM_KIND:
        handle_system_line(state, batch, at)
        counters[POSITION] += 1
        return position, 1.0, -1, 0.0
    add_message(state, weights, batch, at)
    used = score_candidates(state, weights)
    state.scratch.candidate_count[0] = used
    current = counters[MESSAGES_SEEN]
    best, second = choose_parents(state, used, weights.settings[THREAD_SHARE])
    parent, confidence = state.scratch.candidate[best], probability[best]
    # A reply that the platform recorded is taken as it is; one to a message out of the window starts a thread.
    if batch.recorded_parent[at] >= 0:
        known = ring_index(state, batch.recorded_parent[at])
        parent, confidence = (known if known >= 0 else current), np.float32(1.0)
    join_thread(state, current, parent, confidence)
    update_state(state, current, hash_text(batch.codes, batch.text[at], batch.text[at + 1]))
    counters[MESSAGES_SEEN] += 1
    counters[POSITION] += 1
    ring = state.ring
    other = ring.position[state.scratch.candidate[second] % RING_SIZE] if second >= 0 else -1
    return ring.position[parent % RING_SIZE], confidence, other, probability[second] if second >= 0 else np.float32(0.0)


@entry
def run(store: Array, weights: ThreaderWeights, batch: Batch, parents: Array, confidence: Array) -> None:
    """All messages of a batch: [best, second] parents and their probabilities."""
    state = store[0]
    for at in range(len(batch.kind)):
        parents[at, 0], confidence[at, 0], parents[at, 1], confidence[at, 1] = step(state, weights, batch, at)
