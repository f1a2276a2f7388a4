"""Who is who: names to people, through renames, with the longest unseen forgotten when there is no more room."""

from __future__ import annotations

from ...compiling import Array, compiled
from .memory import (
    NAMES_HELD,
    NEXT_PERSON,
    PEOPLE,
    PEOPLE_KNOWN,
    RING,
    SPOKEN,
    TABLE,
    TIES,
    Memory,
    Names,
    People,
    Ties,
)

SHORTEST = 3  # letters of the core of a name by which somebody is known too


@compiled
def hashed(codes: Array, start: int, end: int) -> int:
    """A number for a stretch of text, never 0."""
    value = 1469598103934665603
    for at in range(start, end):
        value = (value ^ codes[at]) * 1099511628211
    value ^= value >> 31
    return value if value != 0 else 1


@compiled
def mixed(one: int, other: int) -> int:
    """A number for a pair of numbers, never 0."""
    value = ((one * 6364136223846793005) ^ other) * 1442695040888963407
    value ^= value >> 29
    return value if value != 0 else 1


@compiled
def is_mark(code: int) -> bool:
    """Whether a character is ASCII punctuation."""
    return 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126


@compiled
def find_name(names: Names, people: People, key: int) -> int:
    """The person of that name, or -1."""
    at = key & (TABLE - 1)
    while names.key[at] != 0:
        if names.key[at] == key:
            owner = names.owner[at]
            return owner if names.round[at] == people.round[owner] else -1
        at = (at + 1) & (TABLE - 1)
    return -1


@compiled
def keep_name(memory: Memory, key: int, owner: int) -> None:
    names, people = memory.names, memory.people
    if memory.counters[NAMES_HELD] > TABLE * 6 // 10:
        drop_void_names(memory)
    at = key & (TABLE - 1)
    while names.key[at] != 0 and names.key[at] != key:
        at = (at + 1) & (TABLE - 1)
    if names.key[at] == 0:
        memory.counters[NAMES_HELD] += 1
    names.key[at], names.owner[at], names.round[at] = key, owner, people.round[owner]


@compiled
def drop_void_names(memory: Memory) -> None:
    """Builds the table anew from the names of people who are still known; if that is not enough, of recent ones."""
    names, people = memory.names, memory.people
    keys, owners, rounds = names.key.copy(), names.owner.copy(), names.round.copy()
    names.key[:] = 0
    held = 0
    for old in range(TABLE):
        recent = keys[old] != 0 and rounds[old] == people.round[owners[old]]
        if recent and (held < TABLE // 2 or people.seen[owners[old]] > memory.counters[SPOKEN] - RING):
            at = keys[old] & (TABLE - 1)
            while names.key[at] != 0:
                at = (at + 1) & (TABLE - 1)
            names.key[at], names.owner[at], names.round[at] = keys[old], owners[old], rounds[old]
            held += 1
    memory.counters[NAMES_HELD] = held


@compiled
def new_person(memory: Memory) -> int:
    """A free record; when all are taken, that of somebody who was not seen for long."""
    people, counters = memory.people, memory.counters
    if counters[PEOPLE_KNOWN] < PEOPLE:
        counters[PEOPLE_KNOWN] += 1
        return counters[PEOPLE_KNOWN] - 1
    person = counters[NEXT_PERSON]
    while people.seen[person] > counters[SPOKEN] - 4 * RING:
        person = (person + 1) % PEOPLE
        if person == counters[NEXT_PERSON]:
            break
    counters[NEXT_PERSON] = (person + 1) % PEOPLE
    forget(people, person)
    return person


@compiled
def forget(people: People, person: int) -> None:
    people.round[person] += 1
    people.last[person] = people.called[person] = people.target[person] = people.arrived[person] = -1
    people.count[person] = 0
    people.habits[person] = 0.0
    people.topic[person] = 0.0


@compiled
def person_of(memory: Memory, codes: Array, start: int, end: int) -> int:
    """The person of that name, who is known by it, and by its core or first word, from now on."""
    key = hashed(codes, start, end)
    person = find_name(memory.names, memory.people, key)
    if person < 0:
        person = new_person(memory)
        memory.people.seen[person] = memory.counters[SPOKEN]
        keep_name(memory, key, person)
        keep_core(memory, codes, start, end, person)
    memory.people.seen[person] = memory.counters[SPOKEN]
    return person


@compiled
def keep_core(memory: Memory, codes: Array, start: int, end: int, person: int) -> None:
    """ "ana" for "ana", "ana_", "`ana", "ana|away" and "ana maria", unless somebody else is called so."""
    first = start
    while first < end and is_mark(codes[first]):
        first += 1
    last = first
    while last < end and not is_mark(codes[last]) and codes[last] > 32:
        last += 1
    if last - first >= SHORTEST and last - first < end - start:
        key = hashed(codes, first, last)
        if find_name(memory.names, memory.people, key) < 0:
            keep_name(memory, key, person)


@compiled
def tie_place(ties: Ties, one: int, other: int) -> int:
    """Where it is kept that one addressed the other, or -1."""
    key = mixed(one + 1, other + 1)
    at = key & (TIES - 1)
    return at if ties.key[at] == key else -1


@compiled
def tie(ties: Ties, one: int, other: int, spoken: int) -> None:
    key = mixed(one + 1, other + 1)
    at = key & (TIES - 1)
    if ties.key[at] != key:
        ties.key[at], ties.count[at] = key, 0
    ties.last[at] = spoken
    ties.count[at] += 1
