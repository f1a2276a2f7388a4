"""How good a file of examples is, by what a model that never saw an example says about it.

Every example is judged by a model that learnt from the other folds. Where it is wrong, two intents may overlap or a
label may be; what needs no model stands in hubbub.intent.quality.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OptionError, TooFew
from ..layers import Intent
from ..model import AnyModel
from ..text import words
from .data import gold
from .example import Example, Parts
from .metrics import score
from .quality import Finding, findings, normal

Name = str | None  # None is out of scope
SIMILAR = 0.5
CONFUSED = 0.05
CASES = 3
STEPS = 20


@dataclass(frozen=True, slots=True)
class IntentFigures:
    """How well one intent is told, in percent, and what its examples are most often taken for."""

    name: Name
    count: int
    precision: float
    recall: float
    f1: float
    taken_for: Name = None
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Confusion:
    """Examples of one intent that are taken for another, the surest mistakes first."""

    name: Name
    said: Name
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two intents that are taken for each other, or whose words are much the same (cosine of their centres)."""

    one: str
    other: str
    there: int
    back: int
    share: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Suspect:
    """An example that is more surely another intent than most of that intent's own are."""

    example: Example
    said: Name
    chance: float
    own: float


@dataclass(frozen=True, slots=True)
class ScopeCurves:
    """Shares of the in-scope and out-of-scope examples by their score in equal steps, and the ROC's points."""

    inside: tuple[float, ...]
    outside: tuple[float, ...]
    roc: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a check tells."""

    model: str
    folds: int
    parts: Mapping[str, int]
    figures: Mapping[str, float]
    intents: tuple[IntentFigures, ...]
    matrix: Mapping[tuple[Name, Name], int]
    confusions: tuple[Confusion, ...]
    overlaps: tuple[Overlap, ...]
    suspects: tuple[Suspect, ...]
    findings: tuple[Finding, ...]
    scope: ScopeCurves

    def as_dict(self) -> dict[str, Any]:
        """For JSON; examples as records, the matrix as the confusions with all their counts."""
        record = {name: _plain(getattr(self, name)) for name in self.__slots__ if name != "matrix"}
        counts = [[*key, count] for key, count in sorted(self.matrix.items(), key=str)]
        return {**record, "matrix": counts}


def _plain(value: Any) -> Any:
    if isinstance(value, Example):
        return value._asdict()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return {key: _plain(getattr(value, key)) for key in value.__slots__} if hasattr(value, "__slots__") else value


def check(parts: Parts, made: Callable[[], AnyModel], model: str, folds: int = 5, seed: int = 0) -> Report:
    """The report on all parts together; `made` makes an untrained model."""
    examples = [each for part in parts.values() for each in part]
    answers = judged(examples, made, folds, seed)
    said = [answer.name for answer in answers]
    matrix = Counter((each.name, name) for each, name in zip(examples, said, strict=True))
    return Report(
        model,
        folds,
        {name: len(part) for name, part in parts.items()},
        score([gold(each.name) for each in examples], answers),
        tuple(_intents(matrix)),
        matrix,
        tuple(_confusions(examples, answers)),
        tuple(_overlaps(examples, matrix)),
        tuple(_suspects(examples, answers)),
        tuple(findings(parts)),
        _curves(examples, answers),
    )


def judged(examples: Sequence[Example], made: Callable[[], AnyModel], folds: int, seed: int) -> list[Intent]:
    """For each example the answer of a model that learnt from the other folds."""
    if folds < 2:
        raise OptionError("--folds", folds, "it takes at least 2")
    fold = _folds(examples, folds, seed)
    answers: dict[int, Intent] = {}
    for number in sorted(set(fold)):
        learnt = [each for each, its in zip(examples, fold, strict=True) if its != number]
        asked = [place for place, its in enumerate(fold) if its == number]
        names = {each.name for each in learnt} - {None}
        if len(names) < 2:
            raise TooFew("examples of different intents", len(names), 2, examples[0].file)
        fitted = made().fit([each.text for each in learnt], [gold(each.name) for each in learnt], seed=seed)
        answers.update(zip(asked, fitted.predict([examples[place].text for place in asked]), strict=True))
    return [answers[place] for place in range(len(examples))]


def _folds(examples: Sequence[Example], folds: int, seed: int) -> list[int]:
    """Every intent dealt out evenly; the same words, however written, stay together."""
    random = np.random.default_rng(seed)
    texts: dict[Name, dict[str, None]] = defaultdict(dict)
    first: dict[str, Name] = {}
    for each in examples:
        texts[first.setdefault(normal(each.text), each.name)][normal(each.text)] = None
    dealt = [text for name in sorted(texts, key=str) for text in random.permutation(np.array([*texts[name]], object))]
    fold = {text: place % folds for place, text in enumerate(dealt)}
    return [fold[normal(each.text)] for each in examples]


def _intents(matrix: Mapping[tuple[Name, Name], int]) -> Iterator[IntentFigures]:
    """The worst first."""
    counts, told = Counter[Name](), Counter[Name]()
    wrong: dict[Name, Counter[Name]] = defaultdict(Counter)
    for (name, said), count in matrix.items():
        counts[name] += count
        told[said] += count
        if name != said:
            wrong[name][said] += count
    rows = []
    for name, count in counts.items():
        right = matrix.get((name, name), 0)
        precision, recall = 100 * right / max(told[name], 1), 100 * right / count
        f1 = 200 * right / (told[name] + count)
        most = wrong[name].most_common(1)
        rows.append(IntentFigures(name, count, precision, recall, f1, *(most[0] if most else ())))
    yield from sorted(rows, key=lambda row: (row.f1, str(row.name)))


def _confusions(examples: Sequence[Example], answers: Sequence[Intent]) -> Iterator[Confusion]:
    cases: dict[tuple[Name, Name], list[tuple[float, Example]]] = defaultdict(list)
    for each, answer in zip(examples, answers, strict=True):
        if each.name != answer.name:
            cases[each.name, answer.name].append((-chances(answer)[answer.name], each))
    for (name, said), wrong in sorted(cases.items(), key=lambda case: (-len(case[1]), str(case[0]))):
        surest = sorted(wrong, key=lambda case: case[0])[:CASES]
        yield Confusion(name, said, len(wrong), tuple(each for _, each in surest))


def chances(answer: Intent) -> dict[Name, float]:
    """What an answer holds each of the best intents, and being out of scope, to be worth."""
    return {**dict(answer.ranking), None: 1 - answer.score}


def _overlaps(examples: Sequence[Example], matrix: Mapping[tuple[Name, Name], int]) -> Iterator[Overlap]:
    counts = Counter(each.name for each in examples if each.name is not None)
    names = sorted(counts)
    similarity = centres(examples, names)
    found = []
    for place, one in enumerate(names):
        for beyond, other in enumerate(names[place + 1 :], place + 1):
            there, back = matrix.get((one, other), 0), matrix.get((other, one), 0)
            share, alike = (there + back) / (counts[one] + counts[other]), float(similarity[place, beyond])
            if (there and back and share >= CONFUSED) or alike >= SIMILAR:
                found.append(Overlap(one, other, there, back, 100 * share, alike))
    yield from sorted(found, key=lambda each: (-each.share, -each.similarity))


def centres(examples: Sequence[Example], names: Sequence[str]) -> Any:
    """How much alike the intents' words are: the cosine between their mean words, common words counting less."""
    places = {name: place for place, name in enumerate(names)}
    used = [Counter[str]() for _ in names]
    for each in examples:
        if each.name is not None:
            used[places[each.name]].update(set(words(each.text)))
    having = Counter(word for one in used for word in one)
    shared = {word: place for place, word in enumerate(word for word, count in having.items() if count > 1)}
    weight = {word: np.log((1 + len(names)) / count) for word, count in having.items()}
    whole, norms = np.zeros((len(names), len(shared)), np.float32), np.zeros(len(names))
    for row, one in enumerate(used):
        norms[row] = sum((count * weight[word]) ** 2 for word, count in one.items()) ** 0.5 or 1.0
        for word, count in one.items():
            if word in shared:
                whole[row, shared[word]] = count * weight[word] / norms[row]
    return whole @ whole.T


def _suspects(examples: Sequence[Example], answers: Sequence[Intent]) -> Iterator[Suspect]:
    """Confident learning: sure enough of another intent is what that intent's own examples reach on average."""
    own: dict[Name, list[float]] = defaultdict(list)
    for each, answer in zip(examples, answers, strict=True):
        own[each.name].append(chances(answer).get(each.name, 0.0))
    usual = {name: sum(values) / len(values) for name, values in own.items()}
    found = []
    for each, answer in zip(examples, answers, strict=True):
        held, said = chances(answer), answer.name
        if said != each.name and held[said] >= usual.get(said, 1.0):
            found.append(Suspect(each, said, held[said], held.get(each.name, 0.0)))
    yield from sorted(found, key=lambda one: (one.own - one.chance, one.example.text))


def _curves(examples: Sequence[Example], answers: Sequence[Intent]) -> ScopeCurves:
    scores = np.array([answer.score for answer in answers])
    outside = np.array([each.name is None for each in examples], bool)
    return ScopeCurves(_shares(scores[~outside]), _shares(scores[outside]), tuple(_roc(1 - scores, outside)))


def _shares(scores: Any) -> tuple[float, ...]:
    if not len(scores):
        return ()
    counts, _ = np.histogram(np.clip(scores, 0, 1), STEPS, (0, 1))
    return tuple((counts / len(scores)).tolist())


def _roc(doubt: Any, outside: Any) -> Iterator[tuple[float, float]]:
    """(in-scope examples turned away, out-of-scope ones found) for every threshold that changes either, both shares."""
    if outside.all() or not outside.any():
        return
    levels = np.unique(doubt)[::-1]
    found, lost = (np.sort(doubt[which]) for which in (outside, ~outside))
    yield 0.0, 0.0
    for level in levels[np.unique(np.linspace(0, len(levels) - 1, 400).astype(int))]:
        turned = [float((len(side) - np.searchsorted(side, level)) / len(side)) for side in (lost, found)]
        yield turned[0], turned[1]
