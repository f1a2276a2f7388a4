"""Several wishes in one message: it is split into clauses where these want confidently different things."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ..layers import Intent

SURE = 0.7
MOST = 6

_LINK = r"(?:and|then|also|plus|but|afterwards|after\ that|oh)\b,?"
_JOINT = re.compile(rf"(?:[.;!?\n]+(?=\s|$)|,(?=\s))(?:\s*\b{_LINK})*|\s+{_LINK}(?:\s+{_LINK})*(?=\s)", re.IGNORECASE)

Judge = Callable[[Sequence[str]], Sequence[Intent]]


class Part(NamedTuple):
    """A stretch of a message and what it wants."""

    text: str
    intent: Intent


def clauses(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a text start and end, without what joins them; no more than MOST, the last one the rest."""
    found, start = list[tuple[int, int]](), 0
    for joint in _JOINT.finditer(text):
        if text[start : joint.start()].strip() and len(found) < MOST - 1:
            found.append((start, joint.start()))
            start = joint.end()
    return [*found, (start, len(text))] if text[start:].strip(" \t\n.;!?,") else found


def parts(texts: Sequence[str], judge: Judge) -> list[tuple[Part, ...]]:
    """For each text its parts, in order; one for the whole text where no split is sure."""
    cut = [clauses(text) for text in texts]
    stretches = {text[span] for text, ends in zip(texts, cut, strict=True) for span in _spans(ends)}
    asked = sorted(stretches | set(texts))
    said = dict(zip(asked, judge(asked), strict=True))
    return [_best(text, ends, said) or (Part(text, said[text]),) for text, ends in zip(texts, cut, strict=True)]


def _spans(ends: Sequence[tuple[int, int]]) -> Iterator[slice]:
    """Every run of neighbouring clauses, if there are at least two to choose from."""
    if len(ends) > 1:
        yield from (slice(ends[i][0], ends[j][1]) for i in range(len(ends)) for j in range(i, len(ends)))


def _best(text: str, ends: Sequence[tuple[int, int]], said: dict[str, Intent]) -> tuple[Part, ...]:
    """The split whose least sure part is surest; none where every split has a part that is not sure."""
    found = [_joined(text, split, said) for split in _splits(ends)]
    sure = [split for split in found if len(split) > 1]
    return max(sure, key=lambda split: (min(map(_sureness, split)), -len(split)), default=())


def _splits(ends: Sequence[tuple[int, int]]) -> Iterator[list[slice]]:
    """Every way to cut between clauses at least once."""
    for count in range(1, len(ends)):
        for cuts in combinations(range(1, len(ends)), count):
            bounds = [0, *cuts, len(ends)]
            yield [slice(ends[a][0], ends[b - 1][1]) for a, b in pairwise(bounds)]


def _joined(text: str, split: Sequence[slice], said: dict[str, Intent]) -> tuple[Part, ...]:
    """The parts of a split if all are sure and neighbours differ, else nothing."""
    found = tuple(Part(text[span].strip(), said[text[span]]) for span in split)
    names = [part.intent.name for part in found]
    differ = all(one != other for one, other in pairwise(names))
    return found if differ and all(_sureness(part) >= SURE for part in found) else ()


def _sureness(part: Part) -> float:
    return part.intent.ranking[0][1] if part.intent.name is not None else 0.0
