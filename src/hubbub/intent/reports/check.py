"""A report on a file of examples by cross-validation.

Every example is predicted by a model trained on the other folds. Where it is wrong, two intents may overlap or a label
may be wrong; checks that need no model are in hubbub.intent.reports.lint.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import OptionError, TooFew
from ...layers import Intent
from ...ml.registry import AnyModel
from ...ml.types import Array
from ...text import words
from ..data.example import IntentExample, Parts
from ..data.loading import gold
from ..metrics import score
from .lint import Finding, findings, normalized

Name = str | None  # None is out of scope
MIN_SIMILARITY = 0.5  # a cosine of centroids
MIN_CONFUSED_SHARE = 0.05  # rarer confusions are noise
MAX_CASES = 3  # examples that are shown for a confusion
SCORE_BINS = 20  # of the histogram


@dataclass(frozen=True, slots=True)
class IntentFigures:
    """Precision, recall and F1 of one intent, in percent, and the intent it is most often confused with."""

    name: Name
    count: int
    precision: float
    recall: float
    f1: float
    taken_for: Name = None
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Confusion:
    """Examples of one intent that are predicted as another, the most confident mistakes first."""

    name: Name
    said: Name
    count: int
    examples: tuple[IntentExample, ...]


@dataclass(frozen=True, slots=True)
class ConfusedIntents:
    """Two intents that are taken for each other, or whose words are much the same (cosine of their centres)."""

    one: str
    other: str
    there: int
    back: int
    share: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Suspect:
    """An example with a higher probability of another intent than that intent's own examples have on average."""

    example: IntentExample
    said: Name
    probability: float
    own: float


@dataclass(frozen=True, slots=True)
class ScopeCurves:
    """Shares of the in-scope and out-of-scope examples by their score in equal steps, and the ROC's points."""

    inside: tuple[float, ...]
    outside: tuple[float, ...]
    roc: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class DataReport:
    """All results of a check."""

    model: str
    folds: int
    parts: Mapping[str, int]
    figures: Mapping[str, float]
    intents: tuple[IntentFigures, ...]
    matrix: Mapping[tuple[Name, Name], int]
    confusions: tuple[Confusion, ...]
    overlaps: tuple[ConfusedIntents, ...]
    suspects: tuple[Suspect, ...]
    findings: tuple[Finding, ...]
    scope: ScopeCurves

    def as_dict(self) -> dict[str, Any]:
        """For JSON; examples as records, the matrix as the confusions with all their counts."""
        record = {name: _plain(getattr(self, name)) for name in self.__slots__ if name != "matrix"}
        counts = [[*key, count] for key, count in sorted(self.matrix.items(), key=str)]
        return {**record, "matrix": counts}


def _plain(value: Any) -> Any:
    if isinstance(value, IntentExample):
        return value._asdict()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return {key: _plain(getattr(value, key)) for key in value.__slots__} if hasattr(value, "__slots__") else value


def check(parts: Parts, make_model: Callable[[], AnyModel], model: str, folds: int = 5, seed: int = 0) -> DataReport:
    """The report on all parts together; `make_model` makes an untrained model."""
    examples = [each for part in parts.values() for each in part]
    answers = out_of_fold_answers(examples, make_model, folds, seed)
    predicted = [answer.name for answer in answers]
    matrix = Counter((each.name, name) for each, name in zip(examples, predicted, strict=True))
    scores = np.array([answer.score for answer in answers])
    outside = np.array([each.name is None for each in examples], bool)
    curves = ScopeCurves(_shares(scores[~outside]), _shares(scores[outside]), tuple(_roc(1 - scores, outside)))
    return DataReport(
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
        curves,
    )


def out_of_fold_answers(
    examples: Sequence[IntentExample], make_model: Callable[[], AnyModel], folds: int, seed: int
) -> list[Intent]:
    """The out-of-fold prediction of each example."""
    if folds < 2:
        raise OptionError("--folds", folds, "it takes at least 2")
    fold = _folds(examples, folds, seed)
    answers: dict[int, Intent] = {}
    for number in sorted(set(fold)):
        training = [each for each, its in zip(examples, fold, strict=True) if its != number]
        held_out = [place for place, its in enumerate(fold) if its == number]
        names = {each.name for each in training} - {None}
        if len(names) < 2:
            raise TooFew("examples of different intents", len(names), 2, examples[0].file)
        fitted = make_model().fit([each.text for each in training], [gold(each.name) for each in training], seed=seed)
        answers.update(zip(held_out, fitted.predict([examples[place].text for place in held_out]), strict=True))
    return [answers[place] for place in range(len(examples))]


def _folds(examples: Sequence[IntentExample], folds: int, seed: int) -> list[int]:
    """Every intent dealt out evenly; the same words, however written, stay together."""
    random = np.random.default_rng(seed)
    texts: dict[Name, dict[str, None]] = defaultdict(dict)
    first: dict[str, Name] = {}
    for each in examples:
        texts[first.setdefault(normalized(each.text), each.name)][normalized(each.text)] = None
    dealt = [text for name in sorted(texts, key=str) for text in random.permutation(np.array([*texts[name]], object))]
    fold = {text: place % folds for place, text in enumerate(dealt)}
    return [fold[normalized(each.text)] for each in examples]


def _intents(matrix: Mapping[tuple[Name, Name], int]) -> Iterator[IntentFigures]:
    """The worst first."""
    counts, predicted_counts = Counter[Name](), Counter[Name]()
    wrong: dict[Name, Counter[Name]] = defaultdict(Counter)
    for (name, predicted), count in matrix.items():
        counts[name] += count
        predicted_counts[predicted] += count
        if name != predicted:
            wrong[name][predicted] += count
    rows = []
    for name, count in counts.items():
        correct = matrix.get((name, name), 0)
        precision, recall = 100 * correct / max(predicted_counts[name], 1), 100 * correct / count
        f1 = 200 * correct / (predicted_counts[name] + count)
        most = wrong[name].most_common(1)
        rows.append(IntentFigures(name, count, precision, recall, f1, *(most[0] if most else ())))
    yield from sorted(rows, key=lambda row: (row.f1, str(row.name)))


def _confusions(examples: Sequence[IntentExample], answers: Sequence[Intent]) -> Iterator[Confusion]:
    cases: dict[tuple[Name, Name], list[tuple[float, IntentExample]]] = defaultdict(list)
    for each, answer in zip(examples, answers, strict=True):
        if each.name != answer.name:
            cases[each.name, answer.name].append((-label_probabilities(answer)[answer.name], each))
    for (name, predicted), wrong in sorted(cases.items(), key=lambda case: (-len(case[1]), str(case[0]))):
        surest = sorted(wrong, key=lambda case: case[0])[:MAX_CASES]
        yield Confusion(name, predicted, len(wrong), tuple(each for _, each in surest))


def label_probabilities(answer: Intent) -> dict[Name, float]:
    """The predicted probabilities of the best intents, and of out of scope (None)."""
    return {**dict(answer.ranking), None: 1 - answer.score}


def _overlaps(examples: Sequence[IntentExample], matrix: Mapping[tuple[Name, Name], int]) -> Iterator[ConfusedIntents]:
    counts = Counter(each.name for each in examples if each.name is not None)
    names = sorted(counts)
    similarity = intent_similarity(examples, names)
    found = []
    for place, one in enumerate(names):
        for beyond, other in enumerate(names[place + 1 :], place + 1):
            there, back = matrix.get((one, other), 0), matrix.get((other, one), 0)
            share, cosine = (there + back) / (counts[one] + counts[other]), float(similarity[place, beyond])
            if (there and back and share >= MIN_CONFUSED_SHARE) or cosine >= MIN_SIMILARITY:
                found.append(ConfusedIntents(one, other, there, back, 100 * share, cosine))
    yield from sorted(found, key=lambda each: (-each.share, -each.similarity))


def intent_similarity(examples: Sequence[IntentExample], names: Sequence[str]) -> Array:
    """The similarity of intents: cosines of TF-IDF centroids."""
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


def _suspects(examples: Sequence[IntentExample], answers: Sequence[Intent]) -> Iterator[Suspect]:
    """Confident learning (Northcutt et al., 2021): labels whose predicted probability exceeds that intent's mean
    self-confidence.
    """
    own: dict[Name, list[float]] = defaultdict(list)
    for each, answer in zip(examples, answers, strict=True):
        own[each.name].append(label_probabilities(answer).get(each.name, 0.0))
    usual = {name: sum(values) / len(values) for name, values in own.items()}
    found = []
    for each, answer in zip(examples, answers, strict=True):
        probabilities, predicted = label_probabilities(answer), answer.name
        if predicted != each.name and probabilities[predicted] >= usual.get(predicted, 1.0):
            found.append(Suspect(each, predicted, probabilities[predicted], probabilities.get(each.name, 0.0)))
    yield from sorted(found, key=lambda one: (one.own - one.probability, one.example.text))


def _shares(scores: Array) -> tuple[float, ...]:
    if not len(scores):
        return ()
    counts, _ = np.histogram(np.clip(scores, 0, 1), SCORE_BINS, (0, 1))
    return tuple((counts / len(scores)).tolist())


def _roc(scores: Array, outside: Array) -> Iterator[tuple[float, float]]:
    """ROC curve: (share of in-scope examples rejected, share of out-of-scope ones found) at every threshold."""
    if outside.all() or not outside.any():
        return
    levels = np.unique(scores)[::-1]
    found, in_scope = (np.sort(scores[which]) for which in (outside, ~outside))
    yield 0.0, 0.0
    for level in levels[np.unique(np.linspace(0, len(levels) - 1, 400).astype(int))]:
        turned = [float((len(side) - np.searchsorted(side, level)) / len(side)) for side in (in_scope, found)]
        yield turned[0], turned[1]
