"""Why a mention is linked as it is: the best candidates, each with its strongest features in plain words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ml.trees.runtime import column_costs
from .features.pair_features import NO_TURN
from .features.window_arrays import CandidateMatrix
from .inference.scoring import LinkerWeights, ScoredMentions

MAX_CANDIDATES, MAX_REASONS = 5, 4  # shown of each mention: what fits a screen
MIN_SCORE_CHANGE = 0.05  # a smaller change of the score is no reason

Describe = Callable[[float], str]


def _when(text: str) -> Describe:
    """A reason where the feature holds."""
    return lambda value: text if value > 0 else ""


def _count(text: str) -> Describe:
    return lambda value: text.format(value) if 0 < value < NO_TURN else ""


def _share(text: str) -> Describe:
    return lambda value: text.format(100 * value) if value > 0 else ""


DESCRIPTIONS: dict[str, Describe] = {
    "speaks now": _when("says it"),
    "speaker before": _when("spoke last before the speaker"),
    "speaker after": _when("speaks next after the speaker"),
    "second before": _when("spoke before the one who spoke last"),
    "second after": _when("speaks soon after"),
    "just before": _when("spoke just before"),
    "just after": _when("speaks just after"),
    "turns since": _count("last spoke {:.0f} turns before"),
    "turns until": _count("speaks again {:.0f} turns later"),
    "speaks within 3": _count("speaks in {:.0f} of the turns around"),
    "speaks within 8": _count("speaks in {:.0f} of the turns around"),
    "turns spoken": _count("speaks {:.0f} times in all"),
    "share spoken": _share("speaks {:.0f} % of the time"),
    "gender agrees": lambda value: "the gender fits" if value > 0.2 else "",
    "gender elsewhere": lambda value: "others call this person by the same pronoun" if value > 0.1 else "",
    "named before": _count("named {:.0f} words before"),
    "named after": _count("named {:.0f} words later"),
    "named in turn": _when("named in the same turn"),
    "named in line": _when("named in the same message"),
    "called in turn": _when("called by name in the same turn"),
    "named in turn before": _when("named in the turn before"),
    "named in turn after": _when("named in the turn after"),
    "called in turn before": _when("called by name in the turn before"),
    "called in turn after": _when("called by name in the turn after"),
    "nearer names": lambda value: "nobody who fits was named more recently" if value < 1 else "",
    "times named": _count("named {:.0f} times"),
    "same name": _when("it is this person's name"),
    "shared words": _when("it is a part of this person's name"),
    "nickname": _when("it may be short for this person's name"),
    "likely": _when("the words mean this person at first sight"),
    "likely before": _count("likely meant {:.0f} mentions before"),
    "likely after": _count("likely meant {:.0f} mentions later"),
    "likely elsewhere": _count("likely meant {:.0f} times elsewhere"),
    "subject likely": _when('said of this person by "is"'),
    "words since called": _count("called by name {:.0f} words before"),
    "called last": _when("the last one called by name in this turn"),
    "same noun": _when("it is the noun of this person's name"),
    "fitting previous": _when("the last one before whom the pronoun fits"),
    "relation": _when("the cast says so: a relative of the speaker"),
    "unknown": _when("nobody of the cast fits well"),
    "memory words": _share("meant by {:.0f} % of such words before"),
    "memory story words": _share("meant by {:.0f} % of such words in this story"),
    "memory speaker words": _share("meant by {:.0f} % of such words from this speaker"),
    "memory speaker story words": _share("meant by {:.0f} % of such words from this speaker here"),
    "memory head": _share("meant by {:.0f} % of this noun before"),
    "memory story head": _share("meant by {:.0f} % of this noun in this story"),
    "memory phrase": _share("meant by {:.0f} % of this phrase before"),
    "memory speaker phrase": _share("meant by {:.0f} % of this phrase from this speaker"),
    "memory kin": _share("known as such to the speaker"),
    "memory context": _when("known to be talked of in such words here"),
    "memory speaker kind": _share("{:.0f} % of what this speaker says so"),
    "memory speaker story kind": _share("{:.0f} % of what this speaker says so in this story"),
    "memory story kind": _share("{:.0f} % of what is said so in this story"),
    "story share": _share("{:.0f} % of all mentions in this story"),
    "any before": _when("meant shortly before"),
    "any after": _when("meant shortly after"),
    "others before": _when("talked about shortly before"),
    "others after": _when("talked about shortly after"),
    "alike before": _when("meant by the same kind of word before"),
    "alike after": _when("meant by the same kind of word after"),
    "turn alike before": _when("meant by the same word before in this turn"),
    "turn alike after": _when("meant by the same word later in this turn"),
    "same words": _when("meant by the same words elsewhere"),
    "same head before": _when("meant by the same noun before"),
    "elsewhere": _count("meant about {:.0f} times elsewhere"),
    "others elsewhere": _count("talked about {:.0f} times elsewhere"),
    "other previous": _when("the last person talked about"),
    "other next": _when("the next person talked about"),
    "named previous": _when("the last person named"),
    "named next": _when("the next person named"),
    "previous": _when("the last person mentioned"),
    "next": _when("the next person mentioned"),
    "says you to speaker before": _when("spoke to the speaker before"),
    "says you to speaker after": _when("speaks to the speaker afterwards"),
    "you before": _when("was spoken to before"),
    "you in turn": _when("is spoken to in this turn"),
    "subject": _when('said of this person by "is"'),
    "beside": _when("named right beside it"),
    "kin of owner": _share("known as such to whom it is said of"),
    "relation of owner": _when("the cast says so"),
}


Reasons = list[tuple[str, float, list[str]]]


def reasons(weights: LinkerWeights, table: CandidateMatrix, scored: ScoredMentions, place: int) -> Reasons:
    """The best candidates of a mention, each with what it has over the best of the others."""
    probability = scored.probability[place]
    order = [
        int(person) for person in np.argsort(-probability, kind="stable")[:MAX_CANDIDATES] if probability[person] > 0
    ]
    return [
        (table.candidates.ids[person], float(probability[person]), _against(weights, scored, place, person, rival))
        for person, rival in zip(order, [*order[1:2], *order[:1] * len(order)], strict=False)
    ] or [("", 1.0, [])]


def _against(weights: LinkerWeights, scored: ScoredMentions, place: int, person: int, rival: int) -> list[str]:
    """The features whose replacement by the rival's values lowers the score of a candidate most, summed over both
    passes.
    """
    weight, value = dict[str, float](), dict[str, float]()
    for forest, pass_rows in zip((weights.first, weights.second), scored.passes, strict=True):
        if pass_rows.used[place, person] and pass_rows.used[place, rival]:
            at = np.cumsum(pass_rows.used).reshape(pass_rows.used.shape) - 1
            own, other = pass_rows.rows[at[place, person]], pass_rows.rows[at[place, rival]]
            for name, cost, each in zip(pass_rows.columns, column_costs(forest, own, other), own, strict=True):
                weight[name], value[name] = weight.get(name, 0.0) + float(cost), float(each)
    strongest = sorted((name for name in weight if weight[name] >= MIN_SCORE_CHANGE), key=lambda name: -weight[name])
    reasons = (DESCRIPTIONS[name](value[name]) for name in strongest if name in DESCRIPTIONS)
    return list(dict.fromkeys(filter(None, reasons)))[:MAX_REASONS]
