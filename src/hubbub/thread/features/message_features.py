"""Features of a message and its context, before candidates are considered; and the update of the state afterwards."""

from __future__ import annotations

import numpy as np

from ...ml.compilation import Array, compiled
from ..inference.speakers import count_pair, hash_pair
from ..inference.state import (
    ADDRESS_RATE,
    HABITS,
    LATEST_TIME,
    MAX_MENTIONS,
    MEAN_GAP_MINUTES,
    PAIR_SLOTS,
    RING_SIZE,
    VECTOR_SIZE,
    WINDOW,
    ThreadState,
)
from . import feature_columns as col


@compiled
def copy_columns(source: Array, target: Array, start: int, end: int) -> None:
    """The same as an assignment of slices, which takes seconds longer to compile."""
    for column in range(start, end):
        target[column] = source[column]


@compiled
def gap(current: int, last: int) -> float:
    return col.MAX_GAP if last < 0 else min(float(current - last), col.MAX_GAP)


@compiled
def minutes(now: float, then: float) -> float:
    """Minutes between two times, -1 if one is unknown, 0 if the second is earlier."""
    return -1.0 if now < 0 or then < 0 else min(max(now - then, 0.0), col.MAX_GAP)


@compiled
def minutes_since(state: ThreadState, current: int, last: int) -> float:
    """Minutes since an earlier message, MAX_GAP if it is not in the ring."""
    if last < 0 or last <= current - RING_SIZE:
        return col.MAX_GAP
    return minutes(state.ring.time[current % RING_SIZE], state.ring.time[last % RING_SIZE])


@compiled
def author_features(state: ThreadState, current: int, speaker: int, is_action: bool) -> None:
    """Features of a message that come from the earlier messages of its author."""
    speakers, features = state.speakers, state.ring.features[current % RING_SIZE]
    last = speakers.last_message[speaker]
    features[col.ACTION] = is_action
    features[col.OWN_GAP] = gap(current, last)
    features[col.OWN_MINUTES] = minutes_since(state, current, last)
    features[col.OWN_COUNT] = min(speakers.message_count[speaker], 50)
    features[col.MENTIONED_GAP] = gap(current, speakers.last_mention[speaker])
    features[col.JOINED_GAP] = gap(current, speakers.joined[speaker])
    features[col.NEWLY_JOINED] = speakers.joined[speaker] >= 0 and last < speakers.joined[speaker]
    for habit in range(HABITS):
        features[col.HABIT_LENGTH + habit] = speakers.habits[speaker, habit]


@compiled
def context_features(state: ThreadState, current: int, row: Array) -> None:
    """Columns 0 to CANDIDATE_START: the features of the message, then those of its context."""
    ring = state.ring
    here = current % RING_SIZE
    for column in range(col.MESSAGE_COLUMNS):
        row[column] = ring.features[here, column]
    target = ring.mentions[here, 0]
    last = state.speakers.last_message[target] if target >= 0 else -1
    row[col.ADDRESSEE_GAP] = gap(current, last) if target >= 0 else -1.0
    row[col.ADDRESSEE_MINUTES] = minutes_since(state, current, last) if target >= 0 else -1.0
    row[col.MESSAGES_IN_3_MINUTES] = recent_count(state, current)
    row[col.MINUTES_SINCE_PREVIOUS] = minutes_since(state, current, current - 1)
    row[col.AUTHORS_OF_LAST_10] = author_count(state, current, 10, 1)
    row[col.AUTHORS_OF_LAST_50] = author_count(state, current, 50, 2)
    row[col.CHANNEL_ADDRESS_RATE] = state.channel[ADDRESS_RATE]
    row[col.CHANNEL_MEAN_GAP] = state.channel[MEAN_GAP_MINUTES]
    row[col.HISTORY_LENGTH] = min(current, WINDOW)


@compiled
def recent_count(state: ThreadState, current: int) -> float:
    """The number of messages in the last three minutes, -1 without times."""
    when = state.ring.time
    now, count = when[current % RING_SIZE], 0
    if now < 0:
        return -1.0
    while count < WINDOW and count < current and minutes(now, when[(current - 1 - count) % RING_SIZE]) <= 3.0:
        count += 1
    return float(count)


@compiled
def author_count(state: ThreadState, current: int, span: int, mark: int) -> int:
    """The number of authors of the latest messages."""
    marks, count = state.scratch.speaker_mark, 0
    for index in range(max(0, current - span), current):
        author = state.ring.author[index % RING_SIZE]
        if marks[author, mark] != current:
            marks[author, mark] = current
            count += 1
    return count


@compiled
def update_state(state: ThreadState, current: int, text: int) -> None:
    """Adds the message to the tables of speakers, pairs and the channel; `join_thread` adds it to its thread."""
    ring, speakers, here = state.ring, state.speakers, current % RING_SIZE
    author = ring.author[here]
    update_habits(state, current, text)
    for place in range(MAX_MENTIONS):
        other = ring.mentions[here, place]
        if other >= 0:
            speakers.last_mention[other] = current
            count_pair(state.pairs, author, other, current)
    if ring.mentions[here, 0] >= 0:
        speakers.addressee[author] = ring.mentions[here, 0]
    speakers.last_message[author] = current
    speakers.message_count[author] += 1
    for d in range(VECTOR_SIZE):
        speakers.topic[author, d] = 0.6 * speakers.topic[author, d] + ring.parent_vector[here, d]
    update_channel(state, current)


@compiled
def update_habits(state: ThreadState, current: int, text: int) -> None:
    """Running means of length, repetition, replies to commands, addressing and links: they distinguish bots."""
    ring, speakers, here = state.ring, state.speakers, current % RING_SIZE
    author, features = ring.author[here], ring.features[here]
    key = hash_pair(author + 1, text)
    repeats = state.pairs.repeated_text[key & (PAIR_SLOTS - 1)] == key
    state.pairs.repeated_text[key & (PAIR_SLOTS - 1)] = key
    commanded = False
    for back in range(1, min(3, current) + 1):
        other = (current - back) % RING_SIZE
        commanded |= ring.features[other, col.COMMAND] > 0 and ring.author[other] != author
    rate = max(1.0 / (speakers.message_count[author] + 2.0), 0.03)
    values = (
        features[col.LENGTH],
        np.float32(repeats),
        np.float32(commanded),
        features[col.MENTION_STRENGTH],
        features[col.URL],
    )
    for habit in range(HABITS):
        speakers.habits[author, habit] += rate * (values[habit] - speakers.habits[author, habit])


@compiled
def update_channel(state: ThreadState, current: int) -> None:
    ring, channel, here = state.ring, state.channel, current % RING_SIZE
    channel[ADDRESS_RATE] += 0.005 * ((ring.features[here, col.MENTION_STRENGTH] >= 2) - channel[ADDRESS_RATE])
    minutes_silent = minutes_since(state, current, current - 1)
    if 0 <= minutes_silent < col.MAX_GAP:
        channel[MEAN_GAP_MINUTES] += 0.01 * (min(minutes_silent, 30.0) - channel[MEAN_GAP_MINUTES])
    channel[LATEST_TIME] = ring.time[here]
