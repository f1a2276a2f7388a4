"""Several intents in one message: it is split into clauses where these have confident, different intents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ...layers import Intent

MIN_CLAUSE_PROBABILITY = 0.7  # a wrong split is worse than none
MAX_CLAUSES = 6  # the number of splits grows as 2 ** clauses

_LINK = r"(?:and|then|also|plus|but|afterwards|after\ that|oh)\b,?"
_JOINT = re.compile(rf"(?:[.;!?\n]+(?=\s|$)|,(?=\s))(?:\s*\b{_LINK})*|\s+{_LINK}(?:\s+{_LINK})*(?=\s)", re.IGNORECASE)

Predictor = Callable[[Sequence[str]], Sequence[Intent]]


class Clause(NamedTuple):
    """A clause of a message and its intent."""

    text: str
    intent: Intent


def clauses(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a text start and end, without what joins them; no more than MOST, the last one the rest."""
    found, start = list[tuple[int, int]](), 0
    for joint in _JOINT.finditer(text):
        if text[start : joint.start()].strip() and len(found) < MAX_CLAUSES - 1:
            found.append((start, joint.start()))
            start = joint.end()
    return [*found, (start, len(text))] if text[start:].strip(" \t\n.;!?,") else found


def split_intents(texts: Sequence[str], score_texts: Predictor) -> list[tuple[Clause, ...]]:
    """For each text its clauses, in order; the whole text where no split is confident."""
    clause_spans = [clauses(text) for text in texts]
    spans = {text[span] for text, ends in zip(texts, clause_spans, strict=True) for span in _spans(ends)}
    queries = sorted(spans | set(texts))
    predicted = dict(zip(queries, score_texts(queries), strict=True))
    return [
        _best(text, ends, predicted) or (Clause(text, predicted[text]),)
        for text, ends in zip(texts, clause_spans, strict=True)
    ]


def _spans(ends: Sequence[tuple[int, int]]) -> Iterator[slice]:
    """Every run of neighbouring clauses, if there are at least two to choose from."""
    if len(ends) > 1:
        yield from (slice(ends[i][0], ends[j][1]) for i in range(len(ends)) for j in range(i, len(ends)))


def _best(text: str, ends: Sequence[tuple[int, int]], predicted: dict[str, Intent]) -> tuple[Clause, ...]:
    """The split with the highest lowest probability of its clauses, if all reach the minimum.

    All splits of at most MAX_CLAUSES clauses are compared, 2 ** (MAX_CLAUSES - 1) - 1 of them; every span is classified
    once.
    """
    found = [_joined(text, split, predicted) for split in _splits(ends)]
    sure = [split for split in found if len(split) > 1]
    return max(sure, key=lambda split: (min(map(_clause_probability, split)), -len(split)), default=())


def _splits(ends: Sequence[tuple[int, int]]) -> Iterator[list[slice]]:
    """Every way to split between clauses at least once."""
    for count in range(1, len(ends)):
        for boundaries in combinations(range(1, len(ends)), count):
            bounds = [0, *boundaries, len(ends)]
            yield [slice(ends[a][0], ends[b - 1][1]) for a, b in pairwise(bounds)]


def _joined(text: str, split: Sequence[slice], predicted: dict[str, Intent]) -> tuple[Clause, ...]:
    """The clauses of a split if all are confident and neighbours differ, else nothing."""
    found = tuple(Clause(text[span].strip(), predicted[text[span]]) for span in split)
    names = [part.intent.name for part in found]
    differ = all(one != other for one, other in pairwise(names))
    return found if differ and all(_clause_probability(part) >= MIN_CLAUSE_PROBABILITY for part in found) else ()


def _clause_probability(part: Clause) -> float:
    return part.intent.ranking[0][1] if part.intent.name is not None else 0.0
