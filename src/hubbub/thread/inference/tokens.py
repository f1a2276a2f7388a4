"""Tokenizes a text into the ring: tokens with their weights, mentioned speakers, cues, vectors.

A compiled counterpart of `hubbub.text.words` on code points, with hashes in place of strings.
"""

from __future__ import annotations

import numpy as np

from ...ml.compilation import Array, compiled, inlined
from ..features import feature_columns as col
from .speakers import MIN_NAME_LENGTH, find_speaker, hash_pair, hash_text, is_mark
from .state import (
    CUES_FOUND,
    HASH_BUCKETS,
    MAX_MENTIONS,
    MAX_TOKENS,
    POSITION,
    PRIOR_MESSAGES,
    VECTOR_SIZE,
    ThreadState,
)

BEGIN_TOKEN, NAME_TOKEN, QUESTION_TOKEN = (
    1_000_003,
    2_000_003,
    3_000_017,
)  # stand for the start of a text, a name and a question mark
MAX_NAME_FREQUENCY = 0.0007  # share of messages; a more frequent word is a name only where it is written as an address
STEM_LENGTH = 6  # characters; words with the same first six share a token
VECTOR_STEP = 1.0 / 32.0  # vectors are stored as bytes, in units of this


@compiled
def is_space(code: int) -> bool:
    return code <= 32 or code == 0xA0 or code == 0x3000


@compiled
def is_wide(code: int) -> bool:
    """Whether it belongs to a script that is written without spaces."""
    return 0x2E80 <= code <= 0xD7FF or 0xF900 <= code <= 0xFAFF or code >= 0x20000


@inlined
def tokenize(state: ThreadState, codes: Array, start: int, end: int, row: int, author: int) -> None:
    """Fills the row of the ring from the text; O(length of the text)."""
    ring = state.ring
    ring.features[row] = 0.0
    ring.mentions[row] = -1
    ring.mention_strength[row] = 0
    ring.token_count[row] = 0
    state.counters[CUES_FOUND] = 0
    at, number, before = start, 0, BEGIN_TOKEN
    while at < end:
        while at < end and is_space(codes[at]):
            at += 1
        stop = at
        while stop < end and not is_space(codes[stop]):
            stop += 1
        if stop > at:
            before = tokenize_word(state, codes, at, stop, end, row, author, number, before)
            number += 1
        at = stop
    if end > start:
        letter = end - start > 1 and 97 <= codes[start + 1] <= 122
        ring.features[row, col.ENDS_QUESTION] = codes[end - 1] == 63
        ring.features[row, col.COMMAND] = letter and (codes[start] == 33 or codes[start] == 46)
    weight_tokens(state, row)


@compiled
def tokenize_word(
    state: ThreadState, codes: Array, start: int, end: int, stop: int, row: int, author: int,
    number: int, before: int,
) -> int:  # fmt: skip
    """One word between spaces; returns the last token, which forms a cue with the next one."""
    ring = state.ring
    first, last = start, end
    while first < last and is_mark(codes[first]):
        first += 1
    while last > first and is_mark(codes[last - 1]):
        last -= 1
    speaker, strength = mentioned_speaker(state, codes, start, end, first, last, number)
    if speaker >= 0 and speaker != author:
        add_mention(state, row, speaker, strength)
        if strength == 3:
            return add_cue(state, before, NAME_TOKEN)
    # A rare first word with a colon or comma addresses somebody who has not spoken yet.
    elif speaker < 0 and number == 0 and last - first >= MIN_NAME_LENGTH and end < stop and last < end:
        ending = codes[end - 1] == 58 or codes[end - 1] == 44
        if ending and document_frequency(state, hash_text(codes, first, last)) < MAX_NAME_FREQUENCY:
            ring.features[row, col.UNKNOWN_ADDRESSEE] = 1.0
    if starts_link(codes, start, end):
        ring.features[row, col.URL] = 1.0
    before = tokenize_core(state, codes, first, last, row, before)
    for at in range(last, end):
        if codes[at] == 63:
            ring.features[row, col.QUESTION] = 1.0
            before = add_cue(state, before, QUESTION_TOKEN)
            break
    return before


@inlined
def tokenize_core(state: ThreadState, codes: Array, first: int, last: int, row: int, before: int) -> int:
    """The word without punctuation around it; in scripts without spaces, every character is a token."""
    at = first
    while at < last:
        stop = at + 1
        if not is_wide(codes[at]):
            while stop < last and not is_wide(codes[stop]):
                stop += 1
        key = hash_text(codes, at, stop)
        state.ring.features[row, col.LENGTH] += 1.0
        add_token(state, row, key)
        add_subtokens(state, codes, at, stop, row)
        before = add_cue(state, before, key)
        at = stop
    return before


@compiled
def add_subtokens(state: ThreadState, codes: Array, start: int, end: int, row: int) -> None:
    """The first characters of a long word, and its parts between punctuation."""
    if end - start > STEM_LENGTH:
        add_token(state, row, hash_text(codes, start, start + STEM_LENGTH))
    at = start
    for stop in range(start, end + 1):
        if stop == end or is_mark(codes[stop]):
            if stop - at >= MIN_NAME_LENGTH and stop - at < end - start:
                add_token(state, row, hash_text(codes, at, stop))
            at = stop + 1


@compiled
def starts_link(codes: Array, start: int, end: int) -> bool:
    """http or www."""
    if end - start < 5:
        return False
    a, b, c, d = codes[start], codes[start + 1], codes[start + 2], codes[start + 3]
    return (a == 104 and b == 116 and c == 116 and d == 112) or (a == 119 and b == 119 and c == 119 and d == 46)


@compiled
def mentioned_speaker(
    state: ThreadState, codes: Array, start: int, end: int, first: int, last: int, number: int
) -> tuple[int, int]:
    """(the mentioned speaker or -1, mention strength: 3 as an address, 2 as the first word, 1 elsewhere)."""
    names, speakers = state.names, state.speakers
    strength = 2 if number == 0 else 1
    speaker, length = find_speaker(names, speakers, hash_text(codes, start, end)), end - start
    key = hash_text(codes, first, last)
    stop = end
    # Names may end in punctuation: marks are removed one by one until a known name is left.
    while speaker < 0 and stop > first and is_mark(codes[stop - 1]):
        stop -= 1
        speaker, length = find_speaker(names, speakers, hash_text(codes, start, stop)), stop - start
    if speaker >= 0 and stop < end and number == 0 and is_address_mark(codes[stop]):
        strength = 3
    if speaker < 0 and last > first:
        speaker, length = find_speaker(names, speakers, key), last - first
    # An @ before the name.
    if speaker >= 0 and codes[start] == 64:
        strength = 3
    if (
        speaker >= 0
        and strength < 3
        and (length < MIN_NAME_LENGTH or document_frequency(state, key) >= MAX_NAME_FREQUENCY)
    ):
        speaker = -1
    return speaker, strength


@compiled
def is_address_mark(code: int) -> bool:
    """A colon, comma, semicolon or closing angle after a name."""
    return code == 58 or code == 44 or code == 59 or code == 62


@compiled
def add_mention(state: ThreadState, row: int, speaker: int, strength: int) -> None:
    ring = state.ring
    for place in range(MAX_MENTIONS):
        if ring.mentions[row, place] == speaker:
            return
        if ring.mentions[row, place] < 0:
            ring.mentions[row, place], ring.mention_strength[row, place] = speaker, strength
            ring.features[row, col.MENTIONS] += 1.0
            ring.features[row, col.MENTION_STRENGTH] = max(
                ring.features[row, col.MENTION_STRENGTH], np.float32(strength)
            )
            return


@compiled
def add_token(state: ThreadState, row: int, key: int) -> None:
    """Inserts a token once, in the order of hashes, so that two messages are compared by a merge."""
    ring = state.ring
    count = ring.token_count[row]
    if count == MAX_TOKENS:
        return
    place = count
    while place > 0 and ring.tokens[row, place - 1] > key:
        place -= 1
    if place > 0 and ring.tokens[row, place - 1] == key:
        return
    for at in range(count, place, -1):
        ring.tokens[row, at] = ring.tokens[row, at - 1]
    ring.tokens[row, place] = key
    ring.token_count[row] = count + 1


@compiled
def add_cue(state: ThreadState, before: int, key: int) -> int:
    """Adds the cues of a token and of its pair with the token before; returns the token."""
    slots, count = state.scratch.cues, state.counters[CUES_FOUND]
    if count + 2 <= len(slots):
        slots[count] = key & (HASH_BUCKETS - 1)
        slots[count + 1] = hash_pair(before, key) & (HASH_BUCKETS - 1)
        state.counters[CUES_FOUND] = count + 2
    return key


@compiled
def document_frequency(state: ThreadState, key: int) -> float:
    """The share of messages with the token, in the training data and in this chat so far."""
    bucket = key & (HASH_BUCKETS - 1)
    return state.token_counts[bucket] / (PRIOR_MESSAGES + state.counters[POSITION])


@compiled
def weight_tokens(state: ThreadState, row: int) -> None:
    """Weights tokens by idf, then counts them."""
    ring = state.ring
    square = 0.0
    for at in range(ring.token_count[row]):
        weight = -np.log(document_frequency(state, ring.tokens[row, at]) + 1e-5)
        ring.token_weights[row, at] = weight
        square += weight * weight
        state.token_counts[ring.tokens[row, at] & (HASH_BUCKETS - 1)] += 1
    ring.norm[row] = np.sqrt(square)


@compiled
def sum_cues(state: ThreadState, cues: Array, row: int) -> None:
    """The logits of the cue classifiers."""
    for column in range(col.CUE_COLUMNS):
        total = cues[HASH_BUCKETS, column]
        for at in range(state.counters[CUES_FOUND]):
            total += cues[state.scratch.cues[at], column]
        state.ring.features[row, col.CUE_START + column] = total


@compiled
def sum_vectors(state: ThreadState, parents: Array, replies: Array, row: int) -> None:
    """The vectors of a message: the sums over its tokens, divided by the root of their number."""
    ring = state.ring
    scale = np.float32(VECTOR_STEP / np.sqrt(max(ring.token_count[row], 1)))
    for d in range(VECTOR_SIZE):
        ring.parent_vector[row, d] = ring.reply_vector[row, d] = 0.0
    for at in range(ring.token_count[row]):
        bucket = ring.tokens[row, at] & (HASH_BUCKETS - 1)
        for d in range(VECTOR_SIZE):
            ring.parent_vector[row, d] += parents[bucket, d] * scale
            ring.reply_vector[row, d] += replies[bucket, d] * scale
