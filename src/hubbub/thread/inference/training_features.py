"""Runs the model for training: tokens and cues of every message, features of the annotated ones."""

from __future__ import annotations

from ...ml.compilation import Array, entry
from ..features.message_features import update_state
from .speakers import hash_text
from .state import CUES_FOUND, HASH_BUCKETS, MESSAGES_SEEN, RING_SIZE, Batch, ThreaderWeights
from .step import SYSTEM_KIND, add_message, handle_system_line, step


@entry
def collect_tokens(
    store: Array, weights: ThreaderWeights, batch: Batch, tokens: Array, cues: Array, authors: Array, addressees: Array
) -> None:
    """Fills a row for every message without system lines: token and cue buckets, the author, the addressee or -1."""
    state = store[0]
    first = state.counters[MESSAGES_SEEN]
    for at in range(len(batch.kind)):
        if batch.kind[at] == SYSTEM_KIND:
            handle_system_line(state, batch, at)
            continue
        add_message(state, weights, batch, at)
        current = state.counters[MESSAGES_SEEN]
        row, here = current - first, current % RING_SIZE
        for token in range(state.ring.token_count[here]):
            tokens[row, token] = state.ring.tokens[here, token] & (HASH_BUCKETS - 1)
        for slot in range(state.counters[CUES_FOUND]):
            cues[row, slot] = state.scratch.cues[slot]
        authors[row] = state.ring.author[here]
        addressees[row] = state.ring.mentions[here, 0] if state.ring.mention_strength[here, 0] > 1 else -1
        update_state(state, current, hash_text(batch.codes, batch.text[at], batch.text[at + 1]))
        state.counters[MESSAGES_SEEN] += 1


@entry
def collect_features(
    store: Array, weights: ThreaderWeights, batch: Batch, rows: Array, parents: Array, confidence: Array,
    candidates: Array, pair: Array, whole: Array, short: Array,
) -> None:  # fmt: skip
    """Runs the steps; where `rows` is at least 0, that row gets the candidates, as positions, and the features.

    Of `pair`, `whole` and `short`, those with rows are filled.
    """
    state = store[0]
    scratch, ring = state.scratch, state.ring
    for at in range(len(batch.kind)):
        current = state.counters[MESSAGES_SEEN]
        parents[at, 0], confidence[at, 0], parents[at, 1], confidence[at, 1] = step(state, weights, batch, at)
        row = rows[at]
        if row < 0 or batch.kind[at] == SYSTEM_KIND:
            continue
        for slot in range(scratch.candidate_count[0]):
            candidates[row, slot] = ring.position[scratch.candidate[slot] % RING_SIZE]
        if len(pair) > 0:
            pair[row] = scratch.pair_features
        if len(whole) > 0:
            whole[row] = scratch.all_features
        if len(short) > 0:
            for index in range(min(current, short.shape[1])):
                short[row, index] = scratch.shortlist_features[index]
