"""What `python benchmarks/ask.py --fit` learns: the weights of hubbub.archive.confidence.

How much each thing counts is learnt where the archive is whole, what it says of the chance also on parts of it of
several sizes. Each question counts twice there: with its answer, and as if nobody had ever answered it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ask_questions import Asked, Ways, inside, part, talks_of
from hubbub.archive.answer_candidates import Candidate
from hubbub.archive.ask import QuestionAnswerer
from hubbub.archive.confidence import ConfidenceModel, leads
from hubbub.archive.store import ArchiveStore

SHOWN, WIDE, QUARTERS = 5, 48, 4
THRESHOLDS = (0.1, 0.15, 0.2, 0.3, 0.5)
SIZES, MOST_PARTS = (300, 3_000, 30_000), 40


class Case(NamedTuple):
    """A question's candidates: what speaks for each, whether it is right, and its conversation."""

    number: int
    size: float
    features: Any
    right: Any
    talks: Any


class Shown(NamedTuple):
    """An answer to a question, the best or one of the next: how strong it is, how far ahead of others, in an archive of
    which size, and whether it is right; `known` if a right one is in the archive at all.
    """

    number: int
    strong: float
    lead: float
    size: float
    right: bool
    place: int
    known: bool


class Line(NamedTuple):
    """What strength, lead and size (the logarithm of the number of messages) say of the chance."""

    bias: float
    by_strength: float
    by_lead: float
    by_size: float

    def chance(self, each: Shown) -> float:
        given = self.by_strength * each.strong + self.by_lead * each.lead + self.by_size * each.size
        return float(1 / (1 + np.exp(-self.bias - given)))


def fit(both: Ways, folder: Path, out: Path | None) -> None:
    """Prints weights, and what chances that were learnt without a quarter of the questions say of that quarter."""
    whole = [each for archive, asked in both for each in cases(QuestionAnswerer(archive), asked, range(len(asked)))]
    smaller = list[Case]()
    for archive, asked, numbers in parts(both, folder):
        smaller += cases(QuestionAnswerer(archive), asked, numbers)
        archive.close()
    held_back: list[tuple[float, Shown]] = []
    for quarter in range(QUARTERS):
        weights, line = learnt(
            *([each for each in some if each.number % QUARTERS != quarter] for some in (whole, smaller))
        )
        left = [each for each in (*whole, *smaller) if each.number % QUARTERS == quarter]
        held_back += [(line.chance(each), each) for each in firsts(left, weights)]
    told(held_back)
    weights, line = learnt(whole, smaller)
    model = ConfidenceModel(tuple(round(float(each), 2) for each in weights), *(round(each, 2) for each in line))
    print(dict(model.state()))
    if out is not None:
        model.save(out, dataset="ubuntu-logs:dev", notes={"recipe": "archive.toml"})


def cases(desk: QuestionAnswerer, asked: Asked, numbers: Sequence[int]) -> Iterator[Case]:
    size = log10(desk.archive.last())
    for number, (question, text) in zip(numbers, asked, strict=True):
        found = desk.finder.candidates(text)[:WIDE]
        if found:
            yield case(number, size, found, talks_of(desk.archive, question.answers))


def case(number: int, size: float, found: Sequence[Candidate], right: set[int]) -> Case:
    talks = np.array([each.talk.number for each in found], np.int64)
    return Case(number, size, np.array([each.features for each in found]), np.isin(talks, list(right)), talks)


def parts(both: Ways, folder: Path) -> Iterator[tuple[ArchiveStore, Asked, list[int]]]:
    """Smaller archives out of the days of the questions, with the questions that were answered in them."""
    ids = [id for question, _ in both.half[1] for id in (question.id, *question.answers)]
    first, last = min(ids), max(ids)
    for size in SIZES:
        count = max(1, min(MOST_PARTS, (last - first) // size))
        room = last - first - size
        starts = [first + place * room // (count - 1) for place in range(count)] if count > 1 else [last - size + 1]
        for place, start in enumerate(starts):
            for way, (archive, asked) in zip(Ways._fields, both, strict=True):
                some = inside(asked, start, start + size - 1)
                if some:
                    numbers = {question.text: number for number, (question, _) in enumerate(asked)}
                    made = part(archive.path, folder / f"{way}-{size}-{place}.db", start, start + size - 1)
                    yield made, some, [numbers[question.text] for question, _ in some]


def learnt(whole: Sequence[Case], smaller: Sequence[Case]) -> tuple[Any, Line]:
    """What counts, by the whole archive, and what that is worth, by all."""
    weights = ranking([each.features for each in whole], [each.right for each in whole])
    return weights, line_through(list(firsts((*whole, *smaller), weights)))


def line_through(shown: Sequence[Shown]) -> Line:
    """Each size counts the same, whatever the number of questions that were asked there."""
    given = np.array([(each.strong, each.lead, each.size) for each in shown])
    middle, spread = given.mean(axis=0), given.std(axis=0)
    even, right = (given - middle) / spread, np.array([each.right for each in shown])
    sizes, place, counts = np.unique(given[:, 2], return_inverse=True, return_counts=True)
    share = 1 / (len(sizes) * counts[place])

    def slope(line: Any) -> Any:
        miss = share * (1 / (1 + np.exp(-even @ line[:3] - line[3])) - right)
        return np.append(miss @ even, miss.sum())

    *by, bias = downhill(slope, np.array([1.0, 0.0, 0.0, 0.0]), rounds=6000)
    by = by / spread
    return Line(float(bias - by @ middle), *map(float, by))


def ranking(features: Sequence[Any], right: Sequence[Any], ridge: float = 0.01) -> Any:
    """Weights, none below 0, under which the right candidates of a question have the largest share of all odds."""
    spread = np.vstack(list(features)).std(axis=0)
    scale = np.where(spread > 1e-9, spread, np.inf)
    telling = [
        (each / scale, is_right) for each, is_right in zip(features, right, strict=True) if 0 < is_right.mean() < 1
    ]
    width = max(len(is_right) for _, is_right in telling)
    rows, good, there = (np.zeros((len(telling), width, *more)) for more in ((len(scale),), (), ()))
    for place, (each, is_right) in enumerate(telling):
        rows[place, : len(each)], good[place, : len(each)], there[place, : len(each)] = each, is_right, 1

    def slope(weights: Any) -> Any:
        odds = np.exp(rows @ weights - (rows @ weights).max(axis=1, keepdims=True)) * there
        share = odds / odds.sum(axis=1, keepdims=True)
        share_good = odds * good / np.maximum((odds * good).sum(axis=1, keepdims=True), 1e-12)
        return np.einsum("cn,cnf->f", share - share_good, rows) / len(telling) + 2 * ridge * weights

    return downhill(slope, np.ones(len(scale)), 0.0) / scale


def downhill(slope: Callable[[Any], Any], at: Any, least: float = -1e9, rounds: int = 1500, rate: float = 0.4) -> Any:
    for _ in range(rounds):
        at = np.maximum(at - rate * slope(at), least)
    return at


def firsts(cases: Sequence[Case], weights: Any) -> Iterator[Shown]:
    """The best candidates of the first five conversations of each question, with its answer and without."""
    for each in cases:
        for known in (True, False):
            there = np.ones(len(each.right), bool) if known else ~each.right
            strong, talks, right = each.features[there] @ weights, each.talks[there], each.right[there]
            ahead, seen = leads(strong.tolist(), talks.tolist()), list[int]()
            for place in np.argsort(-strong, kind="stable"):
                if talks[place] not in seen and len(seen) < SHOWN:
                    how = float(strong[place]), ahead[place], each.size
                    yield Shown(each.number, *how, bool(right[place]), len(seen), known)
                    seen.append(talks[place])


def told(held_back: Sequence[tuple[float, Shown]]) -> None:
    """Whether chances hold, and what a threshold costs in archives of each size."""
    print("chances of answers among the first five, and how many of them were right")
    for low in range(0, 100, 10):
        some = [(chance, each.right) for chance, each in held_back if low <= 100 * chance < low + 10]
        if some:
            said, were = (100 * sum(each[place] for each in some) / len(some) for place in (0, 1))
            print(f"  {low:3} to {low + 10:3} %  {len(some):5} answers, {said:5.1f} % said, {were:5.1f} % right")
    print("messages, threshold: questions with an answer above if it is known and if not; first answers that are right")
    best = [(chance, each) for chance, each in held_back if each.place == 0]
    for size in sorted({each.size for _, each in best}):
        for threshold in THRESHOLDS:
            known, unknown = (
                [pair for pair in best if pair[1].size == size and pair[1].known is is_known]
                for is_known in (True, False)
            )
            shown = [[each.right for chance, each in some if chance >= threshold] for some in (known, unknown)]
            shares = [100 * len(above) / max(len(some), 1) for above, some in zip(shown, (known, unknown), strict=True)]
            right = 100 * sum(shown[0]) / max(len(shown[0]), 1)
            print(f"  {10**size:9,.0f}  {threshold:.2f}  {shares[0]:5.1f} %, {shares[1]:5.1f} %, {right:5.1f} %")
