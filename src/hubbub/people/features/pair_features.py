"""Features of pairs of a mention and a candidate, as an array [feature, mention, candidate].

Every feature broadcasts to mentions x candidates. None depends on the identity of a person: only on when they speak,
how they are named, and link counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .candidates import CandidateSet, nicknames
from .link_count_features import link_count_features
from .person_words import word_set
from .relations import RELATION_NOUNS
from .window import NAME, NOUN, SECOND_PERSON
from .window_arrays import Array, CandidateMatrix

NO_TURN, NO_WORD = 99.0, 999.0  # farther than any turn or word of a window
PET_NAMES = word_set(
    "honey sweetie sweetheart man buddy pal sir dear darling bud dude babe baby mate hon love doc boss bro"
)


def _spread(values: Any) -> Array:
    """One value a mention."""
    return np.asarray(values, np.float32)[:, None]


def mention_group(table: CandidateMatrix) -> Mapping[str, Array]:
    """What is the same for all candidates of a mention."""
    window, mentions = table.window, table.window.mentions
    starts = np.array(window.turn_starts)
    low = [window.lines[each.line].low for each in mentions]
    around = table.around[:, table.turn]
    turn_at, turn_end = starts[table.turn], starts[table.turn + 1]
    present = table.candidates.present
    return {
        "kind": _spread(table.kind),
        "words": _spread([each.end - each.start for each in mentions]),
        "place": _spread([each.start for each in mentions]),
        "length": _spread([len(words) for words in low]),
        "question": _spread(["?" in words for words in low]),
        "determiner": _spread([each.determiner for each in mentions]),
        "vocative": _spread([each.vocative for each in mentions]),
        "subject": _spread([each.subject for each in mentions]),
        "form": _spread([each.form for each in mentions]),
        "owned": _spread([each.owner_at >= 0 for each in mentions]),
        "pet name": _spread([each.kind == NOUN and each.head in PET_NAMES for each in mentions]),
        "tie": _spread([each.kind >= NAME and each.head in RELATION_NOUNS for each in mentions]),
        "gender": _spread(table.gender),
        "speakers": np.full((1, 1), present - 1, np.float32),
        "into turn": _spread(table.at - turn_at),
        "rest of turn": _spread(turn_end - table.at),
        "number": _spread(np.arange(len(mentions))),
        "mentions": np.full((1, 1), len(mentions), np.float32),
        "turn": _spread(table.turn),
        "turns left": _spread(len(window.turns) - table.turn),
        "pair": _spread((around[0] == around[1]) & (around[0] >= 0)),
        "strange speaker": _spread(table.speaker[table.turn] == 0),
    }


def candidate_group(table: CandidateMatrix) -> Mapping[str, Array]:
    """What is the same of a candidate for all mentions."""
    gender, evidence = table.gender_of
    turns = table.speaking.sum(0)
    named = np.bincount([each.person for each in table.candidates.named], minlength=table.shape[1])
    unknown = np.zeros(table.shape[1])
    unknown[0] = 1
    return {
        name: np.asarray(values, np.float32)[None, :]
        for name, values in {
            "unknown": unknown,
            "gender told": gender,
            "gender evidence": np.minimum(evidence, 20),
            "turns spoken": turns,
            "share spoken": turns / max(1, len(table.candidates.turns)),
            "times named": named,
            "likely elsewhere": np.bincount(table.likely[table.likely >= 0], minlength=table.shape[1]),
        }.items()
    }


def turn_group(table: CandidateMatrix) -> Mapping[str, Array]:
    """Who speaks when."""
    speaking, turn = table.speaking, table.turn
    count, people = speaking.shape
    last, following = np.full((count + 1, people), -1), np.full((count + 1, people), -1)
    # For each turn the last one before and the first one after in which a candidate speaks; one pass each way.
    for ahead in range(count):
        last[ahead + 1] = np.where(speaking[ahead], ahead, last[ahead])
        back = count - 1 - ahead
        following[back] = np.where(speaking[back], back, following[back + 1])
    before, after = last[turn], following[turn + 1]
    own = np.arange(people)
    around = table.around[:, turn][:, :, None] == own
    starts = np.array(table.window.turn_starts)
    summed = np.vstack([np.zeros((1, people)), np.cumsum(speaking, 0)])
    sides = {
        f"speaks within {far}": summed[np.minimum(turn + far + 1, count)] - summed[np.maximum(turn - far, 0)]
        for far in (3, 8)
    }
    now, step = speaking[turn], turn[:, None]
    return {
        "speaks now": now,
        "speaks together": _spread(now.sum(1)),
        "turns since": np.where(before >= 0, step - before, NO_TURN),
        "turns until": np.where(after >= 0, after - step, NO_TURN),
        "speaker before": around[0],
        "speaker after": around[1],
        "second before": around[2],
        "second after": around[3],
        "words since": np.where(before >= 0, table.at[:, None] - starts[before + 1], NO_WORD),
        "just before": before == step - 1,
        "just after": after == step + 1,
        "gender agrees": table.gender_of[0] * table.gender[:, None],
        **sides,
    }


def name_group(table: CandidateMatrix) -> Mapping[str, Array]:
    """Who is named where, and how the words of a mention are like the names of a candidate."""
    shape, at = table.shape, table.at
    length = np.array([mention.end - mention.start for mention in table.window.mentions])
    behind, ahead = np.full(shape, NO_WORD), np.full(shape, NO_WORD)
    turns, lines = len(table.candidates.turns), len(table.window.lines)
    in_turn, called, in_line = (np.zeros((size + 2, shape[1])) for size in (turns, turns, lines))
    places: dict[int, list[int]] = {}
    for named in table.candidates.named:
        places.setdefault(named.person, []).append(named.at)
        in_turn[named.turn + 1, named.person] += 1
        called[named.turn + 1, named.person] += named.vocative
        in_line[named.line + 1, named.person] += 1
    # The distance in words to the nearest place where each candidate is named, on both sides.
    for person, where in places.items():
        spots = np.array([-10_000, *sorted(where), 10_000_000])
        left = spots[np.searchsorted(spots, at) - 1]
        right = spots[np.searchsorted(spots, at + length)]
        behind[:, person] = np.minimum(at - left, NO_WORD)
        ahead[:, person] = np.minimum(right - at, NO_WORD)
    full, shared, nick, rivals = _alike(table)
    called_before, called_last = _vocative_calls(table)
    turn, line = table.turn + 1, table.line + 1
    # Candidates of the other gender, who speak, or who are addressed are no rivals for the nearest name.
    agrees = np.where(table.gender[:, None] * table.gender_of[0] < -0.2, NO_WORD + 1, behind)
    agrees[table.speaking[table.turn] | ((called[turn] > 0) & (table.kind != SECOND_PERSON)[:, None])] = NO_WORD + 1
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


def _vocative_calls(table: CandidateMatrix) -> tuple[Array, Array]:
    """How many words before a mention a candidate was called in the same turn, and who was called last."""
    since, last = np.full(table.shape, NO_TURN), np.zeros(table.shape)
    for named in table.candidates.named:
        if named.vocative:
            after = (table.turn == named.turn) & (table.at > named.at)
            since[after, named.person] = np.minimum(table.at[after] - named.at, since[after, named.person])
    nearest = since.min(1, keepdims=True)
    last[(since == nearest) & (nearest < NO_TURN)] = 1
    return since, last


def _same_noun(table: CandidateMatrix) -> Array:
    """Whether a noun is that of a candidate's name, such as "Nurse"."""
    same, number = np.zeros(table.shape), table.candidates.number
    for place, mention in enumerate(table.window.mentions):
        if mention.kind == NOUN:
            same[
                place,
                [number[person] for person in table.candidates.cast.noun.get(mention.head, ()) if person in number],
            ] = 1
    return same


def _alike(table: CandidateMatrix) -> tuple[Array, Array, Array, Array]:
    full, shared, nick = (np.zeros(table.shape, np.float32) for _ in range(3))
    rows = dict[str, tuple[Array, Array, Array]]()
    for place, mention in enumerate(table.window.mentions):
        if mention.kind >= NAME:
            if mention.words not in rows:
                rows[mention.words] = _name_rows(mention.words, mention.kind, table.candidates)
            full[place], shared[place], nick[place] = rows[mention.words]
    best = 2 * full + shared + nick
    rivals = ((best == best.max(1, keepdims=True)) & (best > 0)).sum(1, keepdims=True)
    return full, shared, nick, rivals


def _name_rows(words: str, kind: int, candidates: CandidateSet) -> tuple[Array, Array, Array]:
    """For one form of words, how they are like the names of each candidate."""
    cast, number, parts = candidates.cast, candidates.number, words.split()
    full, shared, nick = (np.zeros(len(candidates.ids), np.float32) for _ in range(3))
    full[[number[person] for person in cast.whole.get(words, ()) if person in number]] = 1
    for part in parts:
        shared[[number[person] for person in cast.part.get(part, ()) if person in number]] += 1
    for person, similarity in nicknames(parts[-1], cast).items() if kind == NAME else ():
        if person in number:
            nick[number[person]] = similarity
    return full, shared, nick


def first_guess_group(table: CandidateMatrix) -> Mapping[str, Array]:
    """Where each candidate is likely meant nearby by names and nouns."""
    likely, (count, people) = table.likely, table.shape
    behind, ahead = np.full(table.shape, NO_TURN), np.full(table.shape, NO_TURN)
    guessed = np.where((table.kind >= NAME) & (likely >= 0))[0]
    number = np.arange(count)
    for person in set(likely[guessed].tolist()):
        spots = np.array([-1000, *guessed[likely[guessed] == person], 100_000])
        behind[:, person] = np.minimum(number - spots[np.searchsorted(spots, number) - 1], NO_TURN)
        ahead[:, person] = np.minimum(spots[np.searchsorted(spots, number, side="right")] - number, NO_TURN)
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


def _at_subject(table: CandidateMatrix, likely: Array) -> Array:
    """The first guess for the subject of a predicate noun."""
    places = {mention.at: number for number, mention in enumerate(table.window.mentions)}
    found = np.full(table.shape[0], -1, np.int64)
    for number, mention in enumerate(table.window.mentions):
        if mention.subject_at in places:
            found[number] = likely[places[mention.subject_at]]
    return found


def person_group(table: CandidateMatrix) -> Mapping[str, Array]:
    """How often a candidate is meant in the training data; for known casts only."""
    return {
        "times meant": np.log1p(table.times)[None],
        "main": table.main[None],
        "main speaker": _spread(table.main[table.speaker[table.turn]]),
    }


FeatureGroup = Callable[[CandidateMatrix], Mapping[str, Array]]
ANY_CAST_FEATURES: tuple[FeatureGroup, ...] = (
    mention_group,
    candidate_group,
    turn_group,
    name_group,
    first_guess_group,
    link_count_features,
)
KNOWN_CAST_FEATURES: tuple[FeatureGroup, ...] = (*ANY_CAST_FEATURES, person_group)


def pair_features(table: CandidateMatrix, groups: tuple[FeatureGroup, ...]) -> tuple[list[str], Array]:
    """Names of features, and [feature, mention, candidate]."""
    found = {name: values for group in groups for name, values in group(table).items()}
    whole = np.empty((len(found), *table.shape), np.float32)
    for place, values in enumerate(found.values()):
        whole[place] = values
    return list(found), whole
