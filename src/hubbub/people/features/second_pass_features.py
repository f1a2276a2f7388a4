"""Features of the second pass: the first-pass probabilities of all other mentions of the window."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .link_counts import relation_key
from .relations import relation_of
from .window import HE_KIND, NAME, NOUN, SECOND_PERSON, SHE_KIND
from .window_arrays import Array, CandidateMatrix, relatives

NOT_APPLICABLE = -1.0  # outside the range of probabilities, so that trees can tell it from 0
MAX_DECAY_STEPS = 60  # mentions from which on nothing is felt
MAX_ANSWER_TURNS = 6  # turns within which somebody answers


def second_pass_features(table: CandidateMatrix, probability: Array) -> tuple[list[str], Array]:
    """Names of features, and [feature, mention, candidate]; `probability` is [mention, candidate]."""
    found = {
        **_own(probability),
        **_nearby(table, probability),
        **_neighbours(table, probability),
        **_addressed(table, probability),
        **_syntactic(table, probability),
        **_gender(table, probability),
    }
    whole = np.empty((len(found), *table.shape), np.float32)
    for place, values in enumerate(found.values()):
        whole[place] = values
    return list(found), whole


def _own(probability: Array) -> Mapping[str, Array]:
    ranked = np.sort(probability, 1)
    best = ranked[:, -1:]
    other = ranked[:, -2:-1] if probability.shape[1] > 1 else np.zeros_like(best)
    return {
        "chance": probability,
        "better ones": (probability[:, None, :] > probability[:, :, None]).sum(2),
        "best chance": best,
        "of best": probability / np.maximum(best, 1e-9),
        "lead": probability - np.where(probability == best, other, best),
    }


def _nearby(table: CandidateMatrix, probability: Array) -> Mapping[str, Array]:
    """How much each candidate is meant by mentions before and after, the nearer the more."""
    kind, count = table.kind, len(probability)
    number = np.arange(count)
    apart = number[:, None] - number[None, :]
    about = kind >= HE_KIND
    kind_group = np.where(kind >= HE_KIND, np.where(kind >= NAME, 9, kind), kind)
    same = (kind_group[:, None] == kind_group[None, :]) | ((kind_group[:, None] == 9) & about[None, :])
    sets = {"any": (np.ones((count, count), bool), 0.8), "others": (np.broadcast_to(about, (count, count)), 0.75)}
    found = {}
    for name, (chosen, decay) in {**sets, "alike": (same, 0.6)}.items():
        # Steps count the mentions of the set in between; the weight decays by a fixed factor a step.
        ordinal = np.cumsum(chosen, 1)
        steps = np.abs(ordinal[number, number][:, None] - ordinal)
        weight = np.where(chosen & (apart != 0), decay ** np.minimum(steps, MAX_DECAY_STEPS), 0.0)
        found[f"{name} before"] = np.where(apart > 0, weight, 0.0) @ probability
        found[f"{name} after"] = np.where(apart < 0, weight, 0.0) @ probability
    same_turn_and_kind = (table.turn[:, None] == table.turn[None, :]) & (kind[:, None] == kind[None, :])
    found["turn alike before"] = _mean(same_turn_and_kind & (apart > 0), probability)
    found["turn alike after"] = _mean(same_turn_and_kind & (apart < 0), probability)
    found["line others"] = _mean(
        (table.line[:, None] == table.line[None, :]) & (kind[:, None] != kind[None, :]), probability
    )
    words = np.unique([mention.words for mention in table.window.mentions], return_inverse=True)[1]
    heads = np.unique([mention.head for mention in table.window.mentions], return_inverse=True)[1]
    noun = (kind >= NAME)[:, None] & (apart != 0)
    found["same words"] = _mean((words[:, None] == words[None, :]) & noun, probability)
    found["same head before"] = _mean((heads[:, None] == heads[None, :]) & noun & (apart > 0), probability)
    found["elsewhere"] = probability.sum(0) - probability
    found["others elsewhere"] = (probability * about[:, None]).sum(0) - probability * about[:, None]
    return found


def _mean(chosen: Array, probability: Array) -> Array:
    """The mean over chosen mentions, -1 where none is."""
    count = chosen.sum(1, keepdims=True)
    return np.where(count > 0, (chosen @ probability) / np.maximum(count, 1), NOT_APPLICABLE)


def _neighbours(table: CandidateMatrix, probability: Array) -> Mapping[str, Array]:
    """The mentions next to each, of any kind, of somebody who neither speaks nor is spoken to, and by name."""
    count, kind, line = len(probability), table.kind, table.line
    padded = np.vstack([probability, np.full((1, probability.shape[1]), NOT_APPLICABLE)])
    found = {}
    for name, chosen in {"": kind >= 0, "other ": kind >= HE_KIND, "named ": kind >= NAME}.items():
        before, after = _last(chosen), count - 1 - _last(chosen[::-1])[::-1]
        after = np.where(after >= count, -1, after)
        found[f"{name}previous"], found[f"{name}next"] = padded[before], padded[after]
        if name:
            found[f"{name}lines since"] = np.where(before >= 0, line - line[before], 99)[:, None]
            found[f"{name}lines until"] = np.where(after >= 0, line[after] - line, 99)[:, None]
    before = _last(kind >= HE_KIND)
    further = np.where(before >= 0, _last(kind >= HE_KIND)[before], -1)
    found["other before previous"] = padded[further]
    return found


def _last(chosen: Array) -> Array:
    """For each place the last chosen one before it, or -1."""
    marked = np.where(chosen, np.arange(len(chosen)), -1)
    return np.concatenate([[-1], np.maximum.accumulate(marked)[:-1]]).astype(np.int64)


def _addressed(table: CandidateMatrix, probability: Array) -> Mapping[str, Array]:
    """Whom "you" means in this turn and those around it, and whether candidates say "you" to the speaker."""
    turns, people = table.speaking.shape
    you = np.full((turns + 1, people), NOT_APPLICABLE)
    # The mean probability of each candidate over the "you" of a turn.
    for turn in set(table.turn[table.kind == SECOND_PERSON].tolist()):
        you[turn] = probability[(table.turn == turn) & (table.kind == SECOND_PERSON)].mean(0)
    has = you[:turns, 0] > NOT_APPLICABLE
    # The nearest turns with a "you" in which a candidate speaks; the number of turns stands for none.
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
    here = np.where((table.kind == SECOND_PERSON)[:, None], NOT_APPLICABLE, you[turn])
    return {
        "says you to speaker before": np.where(
            (step - before <= MAX_ANSWER_TURNS) & (before < turns), you[before, speaker], NOT_APPLICABLE
        ),
        "says you to speaker after": np.where(
            (after - step <= MAX_ANSWER_TURNS) & (after < turns), you[after, speaker], NOT_APPLICABLE
        ),
        "you before": np.where(((near >= 0) & (turn - near <= 3))[:, None], you[near], NOT_APPLICABLE),
        "you in turn": here,
    }


def _syntactic(table: CandidateMatrix, probability: Array) -> Mapping[str, Array]:
    """Mentions that grammar ties to each: the subject of a predicate, a name beside a noun, the owner of a relative."""
    places = {mention.at: number for number, mention in enumerate(table.window.mentions)}
    shape = probability.shape
    subject, beside, kin, declared = (np.full(shape, NOT_APPLICABLE) for _ in range(4))
    owner_not = np.full(shape, NOT_APPLICABLE)
    for number, mention in enumerate(table.window.mentions):
        if mention.kind < NAME:
            continue
        if mention.subject_at in places:
            subject[number] = probability[places[mention.subject_at]]
        for other in (number - 1, number + 1):
            if 0 <= other < len(probability) and _adjacent(table, min(number, other), max(number, other)):
                beside[number] = probability[other]
        # A relative is looked up for every candidate owner, weighted by the probability of being the owner.
        owner = places.get(mention.owner_at)
        if owner is not None:
            owner_not[number] = probability[owner]
            kin[number] = _related_by_counts(table, probability[owner], mention.head)
            declared[number] = _declared(table, probability[owner], mention.head)
    clause = np.where((table.clause_subject >= 0)[:, None], probability[table.clause_subject], NOT_APPLICABLE)
    return {
        "clause": clause,
        "subject": subject,
        "beside": beside,
        "owner": owner_not,
        "kin of owner": kin,
        "relation of owner": declared,
    }


def _adjacent(table: CandidateMatrix, one: int, other: int) -> bool:
    """Whether a noun and a name stand side by side, "my friend Ada"."""
    first, second = table.window.mentions[one], table.window.mentions[other]
    gap = second.at - first.at - (first.end - first.start)
    if first.line != second.line or {first.kind, second.kind} != {NAME, NOUN} or not 0 <= gap <= 1:
        return False
    return gap == 0 or table.window.lines[first.line].low[first.end] == ","


def _related_by_counts(table: CandidateMatrix, owners: Array, noun: str) -> Array:
    """The people with link counts for that relation to the probable owners."""
    found, known = np.zeros(len(owners)), 0.0
    for owner in np.flatnonzero(owners > 0.05):
        counts = table.link_counts.of(relation_key(table.candidates.ids[owner], noun)) if owner else {}
        total = sum(counts.values())
        known += owners[owner] if total else 0.0
        for person, times in counts.items():
            found[table.candidates.number.get(person, 0)] += owners[owner] * times / total
    return found if known > 0 else np.full(len(owners), NOT_APPLICABLE)


def _declared(table: CandidateMatrix, owners: Array, noun: str) -> Array:
    """The same for what the cast declares."""
    found, relation = np.full(len(owners), NOT_APPLICABLE), relation_of(noun)
    if not relation or not table.candidates.cast.relations:
        return found
    for owner in np.flatnonzero(owners > 0.05):
        for person in relatives(table.candidates, int(owner), relation):
            found = np.maximum(found, 0)
            found[person] += owners[owner]
    return found


def _gender(table: CandidateMatrix, probability: Array) -> Mapping[str, Array]:
    """Whether other mentions make a candidate a "he" or a "she", and who is the nearest of that gender."""
    he = probability * (table.kind == HE_KIND)[:, None]
    she = probability * (table.kind == SHE_KIND)[:, None]
    women, men = she.sum(0) - she, he.sum(0) - he
    # For each "he" and "she" the last noun, name or such pronoun before it that may be of that gender; or -1.
    fitting, last = np.full(table.shape[0], -1, np.int64), {-1: -1, 1: -1}
    for number, mention in enumerate(table.window.mentions):
        if mention.kind in (HE_KIND, SHE_KIND):
            fitting[number] = last[mention.gender]
        if mention.kind >= HE_KIND and not mention.vocative and not mention.subject:
            for gender in (-1, 1) if mention.gender == 0 else (mention.gender,):
                last[gender] = number
    return {
        "gender elsewhere": (women - men) / (women + men + 0.5) * table.gender[:, None],
        "fitting previous": np.where((fitting >= 0)[:, None], probability[fitting], NOT_APPLICABLE),
        "fitting far": np.where(fitting >= 0, table.at - table.at[fitting], 999)[:, None],
    }
