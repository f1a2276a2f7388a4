"""What speaks for and against each candidate of each mention: a table of mentions by candidates by features.

Every feature is an array that broadcasts to mentions x candidates. None of them knows a person by name: what is known
of a person is how often and when they speak, how they are named, and what memory has counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .company import Company, nicknames
from .kin import TIES
from .memory_features import of_memory
from .stage import NAME, NOUN, SECOND_PERSON
from .table import Array, Table
from .words import among

FAR, FARTHEST = 99.0, 999.0
PET_NAMES = among(
    "honey sweetie sweetheart man buddy pal sir dear darling bud dude babe baby mate hon love doc boss bro"
)


def _spread(values: Any) -> Array:
    """One value a mention."""
    return np.asarray(values, np.float32)[:, None]


def of_mention(table: Table) -> Mapping[str, Array]:
    """What is the same for all candidates of a mention."""
    stage, seen = table.stage, table.stage.seen
    starts = np.array(stage.turn_starts)
    low = [stage.lines[each.line].low for each in seen]
    around = table.around[:, table.turn]
    turn_at, turn_end = starts[table.turn], starts[table.turn + 1]
    present = table.company.present
    return {
        "kind": _spread(table.kind),
        "words": _spread([each.end - each.start for each in seen]),
        "place": _spread([each.start for each in seen]),
        "length": _spread([len(words) for words in low]),
        "question": _spread(["?" in words for words in low]),
        "determiner": _spread([each.determiner for each in seen]),
        "vocative": _spread([each.vocative for each in seen]),
        "subject": _spread([each.subject for each in seen]),
        "form": _spread([each.form for each in seen]),
        "owned": _spread([each.owner_at >= 0 for each in seen]),
        "pet name": _spread([each.kind == NOUN and each.head in PET_NAMES for each in seen]),
        "tie": _spread([each.kind >= NAME and each.head in TIES for each in seen]),
        "gender": _spread(table.gender),
        "speakers": np.full((1, 1), present - 1, np.float32),
        "into turn": _spread(table.at - turn_at),
        "rest of turn": _spread(turn_end - table.at),
        "number": _spread(np.arange(len(seen))),
        "mentions": np.full((1, 1), len(seen), np.float32),
        "turn": _spread(table.turn),
        "turns left": _spread(len(stage.turns) - table.turn),
        "pair": _spread((around[0] == around[1]) & (around[0] >= 0)),
        "strange speaker": _spread(table.speaker[table.turn] == 0),
    }


def of_candidate(table: Table) -> Mapping[str, Array]:
    """What is the same of a candidate for all mentions."""
    gender, evidence = table.gender_of
    turns = table.speaking.sum(0)
    named = np.bincount([each.person for each in table.company.named], minlength=table.shape[1])
    unknown = np.zeros(table.shape[1])
    unknown[0] = 1
    return {
        name: np.asarray(values, np.float32)[None, :]
        for name, values in {
            "unknown": unknown,
            "gender told": gender,
            "gender evidence": np.minimum(evidence, 20),
            "turns spoken": turns,
            "share spoken": turns / max(1, len(table.company.turns)),
            "times named": named,
            "likely elsewhere": np.bincount(table.likely[table.likely >= 0], minlength=table.shape[1]),
        }.items()
    }


def of_turns(table: Table) -> Mapping[str, Array]:
    """Who speaks when."""
    speaking, turn = table.speaking, table.turn
    count, people = speaking.shape
    last, following = np.full((count + 1, people), -1), np.full((count + 1, people), -1)
    for ahead in range(count):
        last[ahead + 1] = np.where(speaking[ahead], ahead, last[ahead])
        back = count - 1 - ahead
        following[back] = np.where(speaking[back], back, following[back + 1])
    before, after = last[turn], following[turn + 1]
    own = np.arange(people)
    around = table.around[:, turn][:, :, None] == own
    starts = np.array(table.stage.turn_starts)
    summed = np.vstack([np.zeros((1, people)), np.cumsum(speaking, 0)])
    sides = {
        f"speaks within {far}": summed[np.minimum(turn + far + 1, count)] - summed[np.maximum(turn - far, 0)]
        for far in (3, 8)
    }
    now, step = speaking[turn], turn[:, None]
    return {
        "speaks now": now,
        "speaks together": _spread(now.sum(1)),
        "turns since": np.where(before >= 0, step - before, FAR),
        "turns until": np.where(after >= 0, after - step, FAR),
        "speaker before": around[0],
        "speaker after": around[1],
        "second before": around[2],
        "second after": around[3],
        "words since": np.where(before >= 0, table.at[:, None] - starts[before + 1], FARTHEST),
        "just before": before == step - 1,
        "just after": after == step + 1,
        "gender agrees": table.gender_of[0] * table.gender[:, None],
        **sides,
    }


def of_names(table: Table) -> Mapping[str, Array]:
    """Who is named where, and how the words of a mention are like the names of a candidate."""
    shape, at = table.shape, table.at
    length = np.array([seen.end - seen.start for seen in table.stage.seen])
    behind, ahead = np.full(shape, FARTHEST), np.full(shape, FARTHEST)
    turns, lines = len(table.company.turns), len(table.stage.lines)
    in_turn, called, in_line = (np.zeros((size + 2, shape[1])) for size in (turns, turns, lines))
    places: dict[int, list[int]] = {}
    for named in table.company.named:
        places.setdefault(named.person, []).append(named.at)
        in_turn[named.turn + 1, named.person] += 1
        called[named.turn + 1, named.person] += named.vocative
        in_line[named.line + 1, named.person] += 1
    for person, where in places.items():
        spots = np.array([-10_000, *sorted(where), 10_000_000])
        left = spots[np.searchsorted(spots, at) - 1]
        right = spots[np.searchsorted(spots, at + length)]
        behind[:, person] = np.minimum(at - left, FARTHEST)
        ahead[:, person] = np.minimum(right - at, FARTHEST)
    full, shared, nick, rivals = _alike(table)
    called_before, called_last = _calls(table)
    turn, line = table.turn + 1, table.line + 1
    agrees = np.where(table.gender[:, None] * table.gender_of[0] < -0.2, FARTHEST + 1, behind)
    agrees[table.speaking[table.turn] | ((called[turn] > 0) & (table.kind != SECOND_PERSON)[:, None])] = FARTHEST + 1
    return {
        "named before": behind,
        "named after": ahead,
        "named in turn": in_turn[turn],
        "named in line": in_line[line],
        "called in turn": called[turn],
        "named in turn before": in_turn[turn - 1],
        "named in turn after": in_turn[turn + 1],
        "called in turn before": called[turn - 1],
        "called in turn after": called[turn + 1],
        "nearer names": (agrees[:, :, None] > agrees[:, None, :]).sum(2),
        "words since called": called_before,
        "called last": called_last,
        "same noun": _same_noun(table),
        "same name": full,
        "shared words": shared,
        "nickname": nick,
        "as much alike": rivals,
    }


def _calls(table: Table) -> tuple[Array, Array]:
    """How many words before a mention a candidate was called in the same turn, and who was called last."""
    since, last = np.full(table.shape, FAR), np.zeros(table.shape)
    for named in table.company.named:
        if named.vocative:
            after = (table.turn == named.turn) & (table.at > named.at)
            since[after, named.person] = np.minimum(table.at[after] - named.at, since[after, named.person])
    nearest = since.min(1, keepdims=True)
    last[(since == nearest) & (nearest < FAR)] = 1
    return since, last


def _same_noun(table: Table) -> Array:
    """Whether a noun is that of a candidate's name, such as "Nurse"."""
    same, number = np.zeros(table.shape), table.company.number
    for place, seen in enumerate(table.stage.seen):
        if seen.kind == NOUN:
            same[
                place, [number[person] for person in table.company.cast.noun.get(seen.head, ()) if person in number]
            ] = 1
    return same


def _alike(table: Table) -> tuple[Array, Array, Array, Array]:
    full, shared, nick = (np.zeros(table.shape, np.float32) for _ in range(3))
    rows = dict[str, tuple[Array, Array, Array]]()
    for place, seen in enumerate(table.stage.seen):
        if seen.kind >= NAME:
            if seen.words not in rows:
                rows[seen.words] = _name_rows(seen.words, seen.kind, table.company)
            full[place], shared[place], nick[place] = rows[seen.words]
    best = 2 * full + shared + nick
    rivals = ((best == best.max(1, keepdims=True)) & (best > 0)).sum(1, keepdims=True)
    return full, shared, nick, rivals


def _name_rows(words: str, kind: int, company: Company) -> tuple[Array, Array, Array]:
    """For one form of words, how they are like the names of each candidate."""
    cast, number, parts = company.cast, company.number, words.split()
    full, shared, nick = (np.zeros(len(company.ids), np.float32) for _ in range(3))
    full[[number[person] for person in cast.whole.get(words, ()) if person in number]] = 1
    for part in parts:
        shared[[number[person] for person in cast.part.get(part, ()) if person in number]] += 1
    for person, alike in nicknames(parts[-1], cast).items() if kind == NAME else ():
        if person in number:
            nick[number[person]] = alike
    return full, shared, nick


def of_likely(table: Table) -> Mapping[str, Array]:
    """Where each candidate is likely meant nearby by names and nouns."""
    likely, (count, people) = table.likely, table.shape
    behind, ahead = np.full(table.shape, FAR), np.full(table.shape, FAR)
    told = np.where((table.kind >= NAME) & (likely >= 0))[0]
    number = np.arange(count)
    for person in set(likely[told].tolist()):
        spots = np.array([-1000, *told[likely[told] == person], 100_000])
        behind[:, person] = np.minimum(number - spots[np.searchsorted(spots, number) - 1], FAR)
        ahead[:, person] = np.minimum(spots[np.searchsorted(spots, number, side="right")] - number, FAR)
    own = np.arange(people)
    subject = _at_subject(table, likely)
    return {
        "likely before": behind,
        "likely after": ahead,
        "likely": likely[:, None] == own,
        "subject likely": np.where(subject[:, None] >= 0, subject[:, None] == own, -1),
        "clause likely": np.where(table.clause_subject >= 0, likely[table.clause_subject], -1)[:, None] == own,
        "relation": table.related,
    }


def _at_subject(table: Table, likely: Array) -> Array:
    """Whom the subject of a predicate noun means at first glance."""
    places = {seen.at: number for number, seen in enumerate(table.stage.seen)}
    found = np.full(table.shape[0], -1, np.int64)
    for number, seen in enumerate(table.stage.seen):
        if seen.subject_at in places:
            found[number] = likely[places[seen.subject_at]]
    return found


def of_person(table: Table) -> Mapping[str, Array]:
    """Who a candidate is in the whole of what is known; only for a cast that was learnt."""
    return {
        "times meant": np.log1p(table.times)[None],
        "main": table.main[None],
        "main speaker": _spread(table.main[table.speaker[table.turn]]),
    }


Group = Callable[[Table], Mapping[str, Array]]
ANYBODY: tuple[Group, ...] = (of_mention, of_candidate, of_turns, of_names, of_likely, of_memory)
KNOWN_CAST: tuple[Group, ...] = (*ANYBODY, of_person)


def features(table: Table, groups: tuple[Group, ...]) -> tuple[list[str], Array]:
    """Names of features, and [feature, mention, candidate]."""
    found = {name: values for group in groups for name, values in group(table).items()}
    whole = np.empty((len(found), *table.shape), np.float32)
    for place, values in enumerate(found.values()):
        whole[place] = values
    return list(found), whole
