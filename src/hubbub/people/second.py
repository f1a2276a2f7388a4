"""What the first look at all mentions says about each: who else is meant nearby, who is "you", whose mother it is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .kin import tie_of
from .memory import kin_key
from .stage import HER, HIM, NAME, NOUN, SECOND_PERSON
from .table import Array, Table, relatives

NONE = -1.0
REACH = 60  # mentions from which on nothing is felt
ANSWER = 6  # turns within which somebody answers


def second_features(table: Table, chance: Array) -> tuple[list[str], Array]:
    """Names of features, and [feature, mention, candidate]; `chance` is [mention, candidate]."""
    found = {
        **_own(chance),
        **_nearby(table, chance),
        **_neighbours(table, chance),
        **_addressed(table, chance),
        **_bound(table, chance),
        **_gender(table, chance),
    }
    whole = np.empty((len(found), *table.shape), np.float32)
    for place, values in enumerate(found.values()):
        whole[place] = values
    return list(found), whole


def _own(chance: Array) -> Mapping[str, Array]:
    ranked = np.sort(chance, 1)
    best = ranked[:, -1:]
    other = ranked[:, -2:-1] if chance.shape[1] > 1 else np.zeros_like(best)
    return {
        "chance": chance,
        "better ones": (chance[:, None, :] > chance[:, :, None]).sum(2),
        "best chance": best,
        "of best": chance / np.maximum(best, 1e-9),
        "lead": chance - np.where(chance == best, other, best),
    }


def _nearby(table: Table, chance: Array) -> Mapping[str, Array]:
    """How much each candidate is meant by mentions before and after, the nearer the more."""
    kind, count = table.kind, len(chance)
    number = np.arange(count)
    apart = number[:, None] - number[None, :]
    about = kind >= HIM
    alike = np.where(kind >= HIM, np.where(kind >= NAME, 9, kind), kind)
    same = (alike[:, None] == alike[None, :]) | ((alike[:, None] == 9) & about[None, :])
    sets = {"any": (np.ones((count, count), bool), 0.8), "others": (np.broadcast_to(about, (count, count)), 0.75)}
    found = {}
    for name, (chosen, decay) in {**sets, "alike": (same, 0.6)}.items():
        seen = np.cumsum(chosen, 1)
        steps = np.abs(seen[number, number][:, None] - seen)
        weight = np.where(chosen & (apart != 0), decay ** np.minimum(steps, REACH), 0.0)
        found[f"{name} before"] = np.where(apart > 0, weight, 0.0) @ chance
        found[f"{name} after"] = np.where(apart < 0, weight, 0.0) @ chance
    together = (table.turn[:, None] == table.turn[None, :]) & (kind[:, None] == kind[None, :])
    found["turn alike before"] = _mean(together & (apart > 0), chance)
    found["turn alike after"] = _mean(together & (apart < 0), chance)
    found["line others"] = _mean(
        (table.line[:, None] == table.line[None, :]) & (kind[:, None] != kind[None, :]), chance
    )
    words = np.unique([seen.words for seen in table.stage.seen], return_inverse=True)[1]
    heads = np.unique([seen.head for seen in table.stage.seen], return_inverse=True)[1]
    noun = (kind >= NAME)[:, None] & (apart != 0)
    found["same words"] = _mean((words[:, None] == words[None, :]) & noun, chance)
    found["same head before"] = _mean((heads[:, None] == heads[None, :]) & noun & (apart > 0), chance)
    found["elsewhere"] = chance.sum(0) - chance
    found["others elsewhere"] = (chance * about[:, None]).sum(0) - chance * about[:, None]
    return found


def _mean(chosen: Array, chance: Array) -> Array:
    """The mean over chosen mentions, -1 where none is."""
    count = chosen.sum(1, keepdims=True)
    return np.where(count > 0, (chosen @ chance) / np.maximum(count, 1), NONE)


def _neighbours(table: Table, chance: Array) -> Mapping[str, Array]:
    """The mentions next to each, of any kind, of somebody who neither speaks nor is spoken to, and by name."""
    count, kind, line = len(chance), table.kind, table.line
    padded = np.vstack([chance, np.full((1, chance.shape[1]), NONE)])
    found = {}
    for name, chosen in {"": kind >= 0, "other ": kind >= HIM, "named ": kind >= NAME}.items():
        before, after = _last(chosen), count - 1 - _last(chosen[::-1])[::-1]
        after = np.where(after >= count, -1, after)
        found[f"{name}previous"], found[f"{name}next"] = padded[before], padded[after]
        if name:
            found[f"{name}lines since"] = np.where(before >= 0, line - line[before], 99)[:, None]
            found[f"{name}lines until"] = np.where(after >= 0, line[after] - line, 99)[:, None]
    before = _last(kind >= HIM)
    further = np.where(before >= 0, _last(kind >= HIM)[before], -1)
    found["other before previous"] = padded[further]
    return found


def _last(chosen: Array) -> Array:
    """For each place the last chosen one before it, or -1."""
    marked = np.where(chosen, np.arange(len(chosen)), -1)
    return np.concatenate([[-1], np.maximum.accumulate(marked)[:-1]]).astype(np.int64)


def _addressed(table: Table, chance: Array) -> Mapping[str, Array]:
    """Whom "you" means in this turn and those around it, and whether candidates say "you" to the speaker."""
    turns, people = table.speaking.shape
    you = np.full((turns + 1, people), NONE)
    for turn in set(table.turn[table.kind == SECOND_PERSON].tolist()):
        you[turn] = chance[(table.turn == turn) & (table.kind == SECOND_PERSON)].mean(0)
    has = you[:turns, 0] > NONE
    last = np.full((turns, people), turns)
    following = np.full((turns, people), turns)
    spoke = np.full(people, turns)
    for turn in range(turns):
        last[turn] = spoke
        if has[turn]:
            spoke = np.where(table.speaking[turn], turn, spoke)
    spoke = np.full(people, turns)
    for turn in range(turns - 1, -1, -1):
        following[turn] = spoke
        if has[turn]:
            spoke = np.where(table.speaking[turn], turn, spoke)
    speaker, turn = table.speaker[table.turn][:, None], table.turn
    step = turn[:, None]
    before, after = last[turn], following[turn]
    near = np.concatenate([_last(has), [-1]])[turn]
    here = np.where((table.kind == SECOND_PERSON)[:, None], NONE, you[turn])
    return {
        "says you to speaker before": np.where(
            (step - before <= ANSWER) & (before < turns), you[before, speaker], NONE
        ),
        "says you to speaker after": np.where((after - step <= ANSWER) & (after < turns), you[after, speaker], NONE),
        "you before": np.where(((near >= 0) & (turn - near <= 3))[:, None], you[near], NONE),
        "you in turn": here,
    }


def _bound(table: Table, chance: Array) -> Mapping[str, Array]:
    """Mentions that grammar ties to each: the subject of a predicate, a name beside a noun, the owner of a relative."""
    places = {seen.at: number for number, seen in enumerate(table.stage.seen)}
    shape = chance.shape
    subject, beside, kin, declared = (np.full(shape, NONE) for _ in range(4))
    owner_not = np.full(shape, NONE)
    for number, seen in enumerate(table.stage.seen):
        if seen.kind < NAME:
            continue
        if seen.subject_at in places:
            subject[number] = chance[places[seen.subject_at]]
        for other in (number - 1, number + 1):
            if 0 <= other < len(chance) and _touch(table, min(number, other), max(number, other)):
                beside[number] = chance[other]
        owner = places.get(seen.owner_at)
        if owner is not None:
            owner_not[number] = chance[owner]
            kin[number] = _kin(table, chance[owner], seen.head)
            declared[number] = _declared(table, chance[owner], seen.head)
    clause = np.where((table.clause_subject >= 0)[:, None], chance[table.clause_subject], NONE)
    return {
        "clause": clause,
        "subject": subject,
        "beside": beside,
        "owner": owner_not,
        "kin of owner": kin,
        "relation of owner": declared,
    }


def _touch(table: Table, one: int, other: int) -> bool:
    """Whether a noun and a name stand side by side, "my friend Ada"."""
    first, second = table.stage.seen[one], table.stage.seen[other]
    gap = second.at - first.at - (first.end - first.start)
    if first.line != second.line or {first.kind, second.kind} != {NAME, NOUN} or not 0 <= gap <= 1:
        return False
    return gap == 0 or table.stage.lines[first.line].low[first.end] == ","


def _kin(table: Table, owners: Array, noun: str) -> Array:
    """Who memory knows to be that to those who may be the owner."""
    found, known = np.zeros(len(owners)), 0.0
    for owner in np.flatnonzero(owners > 0.05):
        counts = table.memory.of(kin_key(table.company.ids[owner], noun)) if owner else {}
        total = sum(counts.values())
        known += owners[owner] if total else 0.0
        for person, times in counts.items():
            found[table.company.number.get(person, 0)] += owners[owner] * times / total
    return found if known > 0 else np.full(len(owners), NONE)


def _declared(table: Table, owners: Array, noun: str) -> Array:
    """The same for what the cast declares."""
    found, tie = np.full(len(owners), NONE), tie_of(noun)
    if not tie or not table.company.cast.relations:
        return found
    for owner in np.flatnonzero(owners > 0.05):
        for person in relatives(table.company, int(owner), tie):
            found = np.maximum(found, 0)
            found[person] += owners[owner]
    return found


def _gender(table: Table, chance: Array) -> Mapping[str, Array]:
    """Whether other mentions make a candidate a "he" or a "she", and who is the nearest of that gender."""
    he = chance * (table.kind == HIM)[:, None]
    she = chance * (table.kind == HER)[:, None]
    women, men = she.sum(0) - she, he.sum(0) - he
    fitting = _fitting(table)
    return {
        "gender elsewhere": (women - men) / (women + men + 0.5) * table.gender[:, None],
        "fitting previous": np.where((fitting >= 0)[:, None], chance[fitting], NONE),
        "fitting far": np.where(fitting >= 0, table.at - table.at[fitting], 999)[:, None],
    }


def _fitting(table: Table) -> Array:
    """For each "he" and "she" the last noun, name or such pronoun before it that may be of that gender; or -1."""
    found, last = np.full(table.shape[0], -1, np.int64), {-1: -1, 1: -1}
    for number, seen in enumerate(table.stage.seen):
        if seen.kind in (HIM, HER):
            found[number] = last[seen.gender]
        if seen.kind >= HIM and not seen.vocative and not seen.subject:
            for gender in (-1, 1) if seen.gender == 0 else (seen.gender,):
                last[gender] = number
    return found
