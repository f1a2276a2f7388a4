"""What is known when a message comes, before any candidate is looked at; and what is remembered of it afterwards."""

from __future__ import annotations

import numpy as np

from ...compiling import Array, compiled
from .columns import (
    ACTION,
    ARRIVED_GAP,
    CHANNEL_ADDRESSES,
    CHANNEL_SILENCE,
    COMMAND,
    CROWD_LARGE,
    CROWD_SMALL,
    FAR,
    HABIT_LENGTH,
    HISTORY,
    LENGTH,
    MENTIONED_GAP,
    NEWLY_ARRIVED,
    OWN_COUNT,
    OWN_GAP,
    OWN_MINUTES,
    PACE,
    SILENCE,
    STRONGEST,
    TARGET_GAP,
    TARGET_MINUTES,
    TRAITS,
    URL,
)
from .memory import (
    ADDRESS_RATE,
    CALLED,
    DIMENSIONS,
    LATEST_TIME,
    PACE_MINUTES,
    RING,
    TIES,
    WINDOW,
    Memory,
)
from .people import mixed, tie

HABITS = 5


@compiled
def gap(spoken: int, last: int) -> float:
    return FAR if last < 0 else min(float(spoken - last), FAR)


@compiled
def minutes(now: float, then: float) -> float:
    """-1 if one of the two is unknown; clocks that run back stand still."""
    return -1.0 if now < 0 or then < 0 else min(max(now - then, 0.0), FAR)


@compiled
def minutes_since(memory: Memory, spoken: int, last: int) -> float:
    """Minutes since an earlier message, FAR if there is none in the ring."""
    if last < 0 or last <= spoken - RING:
        return FAR
    return minutes(memory.ring.when[spoken % RING], memory.ring.when[last % RING])


@compiled
def note_author(memory: Memory, spoken: int, person: int, is_action: bool) -> None:
    """The traits of a message that its author's past makes."""
    people, traits = memory.people, memory.ring.traits[spoken % RING]
    last = people.last[person]
    traits[ACTION] = is_action
    traits[OWN_GAP] = gap(spoken, last)
    traits[OWN_MINUTES] = minutes_since(memory, spoken, last)
    traits[OWN_COUNT] = min(people.count[person], 50)
    traits[MENTIONED_GAP] = gap(spoken, people.called[person])
    traits[ARRIVED_GAP] = gap(spoken, people.arrived[person])
    traits[NEWLY_ARRIVED] = people.arrived[person] >= 0 and last < people.arrived[person]
    for habit in range(HABITS):
        traits[HABIT_LENGTH + habit] = people.habits[person, habit]


@compiled
def describe_moment(memory: Memory, spoken: int, row: Array) -> None:
    """Columns 0 to CANDIDATE: the message's own traits, then what goes on around it."""
    ring = memory.ring
    here = spoken % RING
    for column in range(TRAITS):
        row[column] = ring.traits[here, column]
    target = ring.called[here, 0]
    last = memory.people.last[target] if target >= 0 else -1
    row[TARGET_GAP] = gap(spoken, last) if target >= 0 else -1.0
    row[TARGET_MINUTES] = minutes_since(memory, spoken, last) if target >= 0 else -1.0
    row[PACE] = pace(memory, spoken)
    row[SILENCE] = minutes_since(memory, spoken, spoken - 1)
    row[CROWD_SMALL] = crowd(memory, spoken, 10, 1)
    row[CROWD_LARGE] = crowd(memory, spoken, 50, 2)
    row[CHANNEL_ADDRESSES] = memory.channel[ADDRESS_RATE]
    row[CHANNEL_SILENCE] = memory.channel[PACE_MINUTES]
    row[HISTORY] = min(spoken, WINDOW)


@compiled
def pace(memory: Memory, spoken: int) -> float:
    """How many messages of the last three minutes there are, -1 without times."""
    when = memory.ring.when
    now, count = when[spoken % RING], 0
    if now < 0:
        return -1.0
    while count < WINDOW and count < spoken and minutes(now, when[(spoken - 1 - count) % RING]) <= 3.0:
        count += 1
    return float(count)


@compiled
def crowd(memory: Memory, spoken: int, span: int, mark: int) -> int:
    """How many people said the latest messages."""
    marks, count = memory.scratch.person_mark, 0
    for index in range(max(0, spoken - span), spoken):
        author = memory.ring.author[index % RING]
        if marks[author, mark] != spoken:
            marks[author, mark] = spoken
            count += 1
    return count


@compiled
def remember(memory: Memory, spoken: int, text: int) -> None:
    """What the next messages need to know of this one, its thread apart."""
    ring, people, here = memory.ring, memory.people, spoken % RING
    author = ring.author[here]
    note_habits(memory, spoken, text)
    for place in range(CALLED):
        other = ring.called[here, place]
        if other >= 0:
            people.called[other] = spoken
            tie(memory.ties, author, other, spoken)
    if ring.called[here, 0] >= 0:
        people.target[author] = ring.called[here, 0]
    people.last[author] = spoken
    people.count[author] += 1
    for d in range(DIMENSIONS):
        people.topic[author, d] = 0.6 * people.topic[author, d] + ring.ask[here, d]
    note_channel(memory, spoken)


@compiled
def note_habits(memory: Memory, spoken: int, text: int) -> None:
    """Length, repetition, coming after commands, addressing and linking: what tells machines from people."""
    ring, people, here = memory.ring, memory.people, spoken % RING
    author, traits = ring.author[here], ring.traits[here]
    key = mixed(author + 1, text)
    repeats = memory.ties.text[key & (TIES - 1)] == key
    memory.ties.text[key & (TIES - 1)] = key
    commanded = False
    for back in range(1, min(3, spoken) + 1):
        other = (spoken - back) % RING
        commanded |= ring.traits[other, COMMAND] > 0 and ring.author[other] != author
    rate = max(1.0 / (people.count[author] + 2.0), 0.03)
    values = (traits[LENGTH], np.float32(repeats), np.float32(commanded), traits[STRONGEST], traits[URL])
    for habit in range(HABITS):
        people.habits[author, habit] += rate * (values[habit] - people.habits[author, habit])


@compiled
def note_channel(memory: Memory, spoken: int) -> None:
    ring, channel, here = memory.ring, memory.channel, spoken % RING
    channel[ADDRESS_RATE] += 0.005 * ((ring.traits[here, STRONGEST] >= 2) - channel[ADDRESS_RATE])
    silence = minutes_since(memory, spoken, spoken - 1)
    if 0 <= silence < FAR:
        channel[PACE_MINUTES] += 0.01 * (min(silence, 30.0) - channel[PACE_MINUTES])
    channel[LATEST_TIME] = ring.when[here]
