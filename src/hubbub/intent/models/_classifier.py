"""The base of all intent classifiers: labels, the three schemes for out of scope, calibration, and predictions.

A classifier implements `fit_labels` and `score_texts`. Predictions are Intents: `score` is the probability that the
text is in scope, `ranking` has the probabilities of the best intents, and `name` is the first of them, or None if the
score is below the threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from ...errors import OptionError, TooFew
from ...layers import Intent
from ...ml.calibration import best_temperature
from ...ml.model_schema import Either, Field, Items, Null, Number, Numbers, Rule, Schema, Text
from ...ml.parameters import parameters_of, ranged
from ...ml.registry import BaseModel
from ...ml.types import UNTRAINED, Array
from ..inference.binary_scheme import scope_examples
from ..inference.neighbours import NearExample
from ..inference.scope import SCOPE, Scope, parse_criterion

RANKING_LENGTH = 5  # intents of a prediction: the best one and some alternatives
MAX_CHARACTERS = 4000  # no intent is first stated after so many characters
MAX_HOLDOUT_EXAMPLES = 3000  # more examples can spare a held-out part
MIN_VALIDATION_EXAMPLES = 60  # validation examples that a threshold needs
GATE = "gate."  # prefix of the saved state of the scope classifier
TEMPERATURE_RANGE = 1e-3, 1e3  # what a saved model may have; the grid below lies well inside
TEMPERATURE_GRID = np.exp(np.linspace(np.log(0.05), np.log(20), 121))  # steps of 5 %
MIN_DEVIATION = 1e-6  # avoids division by zero
MAY_BE_EMPTY = frozenset({"words", "runs", "characters", "example_vectors", "examples"})
CLASSES = Rule(
    "there are {names} intents and {classes} classes, where a class for each and at most one more is expected",
    lambda sizes, state: sizes["names"] >= 2 and sizes["classes"] - sizes["names"] in (0, 1),
)

Tuning = tuple[Sequence[str], Sequence[Intent]]


class ScoredTexts(NamedTuple):
    """For each text the logits of the intents, and evidence that is higher the more it is in scope.

    Evidence of several kinds has a column for each.
    """

    logits: Array
    evidence: Array


@dataclass(repr=False)
class Classifier(BaseModel):
    """`scheme` is what out-of-scope training examples are for: `train` makes them one more class, `threshold` leaves
    them out, `binary` trains another classifier of the same kind on them that says what is in scope; what that one
    learns from is the training part of the dataset or file `scope_data`, else part of the training examples.
    `criterion` says how the threshold is chosen on validation examples (see hubbub.intent.inference.scope); where there
    are none, a share `validation_share` of the training examples is kept for it.
    """

    max_holdout_rounds: ClassVar[int] = 5
    renamed_parameters: ClassVar[Mapping[str, str]] = {"gate": "scope_data", "held": "validation_share"}
    scheme: Literal["train", "threshold", "binary"] = "train"
    scope_data: str = ""
    criterion: str = "auto"
    validation_share: float = ranged(0.15, 0, 0.9)
    names_: list[str] | None = None
    scope_: dict[str, Array] | None = None
    temperature_: float | None = None
    scope_classifier: Classifier | None = field(default=None, init=False, repr=False)
    _scope: Scope | None = field(default=None, init=False, repr=False, compare=False)

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        """Fits to texts whose labels are below `classes`: one for each name, perhaps a last one for out of scope."""
        raise NotImplementedError

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        raise NotImplementedError

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[NearExample, ...]]:
        """The training examples most like each text; none for a classifier that keeps none."""
        return [()] * len(texts)

    def fit(
        self, inputs: Sequence[str], golds: Sequence[Intent], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        self.check_criterion(self.criterion)
        names = sorted({gold.name for gold in golds if gold.name is not None})
        if len(names) < 2:
            raise TooFew("intents", len(names), 2)
        self.names_ = names
        if tuning is not None and set(tuning[0]) <= set(inputs):
            tuning = None  # training texts are no validation data
        if tuning is None and len(inputs) <= MAX_HOLDOUT_EXAMPLES and self.validation_share > 0:
            return self._fit_with_repeated_holdout(inputs, golds, seed)
        (texts, labels), (others, answers) = self._parted(inputs, golds, tuning, seed)
        self._fit_labels(texts, labels, seed)
        return self.tune(others, answers)

    def _fit_with_repeated_holdout(self, inputs: Sequence[str], golds: Sequence[Intent], seed: int) -> Self:
        """Repeated hold-out: models trained without some examples choose the threshold, then all examples are used."""
        scored, answers = list[ScoredTexts](), list[Intent]()
        for turn in range(_holdout_rounds(len(inputs), self.validation_share, self.max_holdout_rounds)):
            (texts, names), (others, their_golds) = self._parted(inputs, golds, None, seed, least=2, turn=turn)
            round_model = type(self)(**parameters_of(self))
            round_model.names_ = self.names_
            round_model._fit_labels(texts, names, seed)
            scored.append(round_model._scored(others))
            answers += their_golds
        self._fit_labels(inputs, [gold.name for gold in golds], seed)
        logits, evidence = (np.concatenate(each) for each in zip(*scored, strict=True))
        return self._calibrated(ScoredTexts(logits, evidence), answers)

    def _fit_labels(self, texts: Sequence[str], gold_names: Sequence[str | None], seed: int) -> None:
        names = self.names_ or []
        labels = np.array(
            [names.index(name) if name is not None else len(names) for name in gold_names], dtype=np.int64
        )
        used = [place for place, label in enumerate(labels) if label < len(names) or self.scheme == "train"]
        self.scope_classifier = self._fit_scope_classifier(texts, labels, seed) if self.scheme == "binary" else None
        self.fit_labels([clipped(texts[place]) for place in used], labels[used], int(labels[used].max()) + 1, seed)

    def _fit_scope_classifier(self, texts: Sequence[str], labels: Array, seed: int) -> Classifier:
        """A classifier of the same kind with two classes, in scope and out of scope."""
        own_texts, sides = scope_examples(self.scope_data, texts, labels, len(self.names_ or []), seed)
        binary = self._untrained_scope_classifier()
        binary.fit_labels([clipped(text) for text in own_texts], sides, 2, seed)
        return binary

    def _untrained_scope_classifier(self) -> Classifier:
        binary = type(self)(**{**parameters_of(self), "scheme": "threshold", "scope_data": ""})
        binary.names_ = ["in scope", "out of scope"]
        return binary

    def _scored(self, inputs: Sequence[str]) -> ScoredTexts:
        texts = [clipped(text) for text in inputs]
        scored = self.score_texts(texts)
        if self.scope_classifier is None:
            return scored
        sides = self.scope_classifier.score_texts(texts).logits
        return ScoredTexts(scored.logits, sides[:, 0] - sides[:, 1])

    def state(self) -> Mapping[str, Any]:
        inner = self.scope_classifier.state() if self.scope_classifier else {}
        return {**super().state(), **{GATE + key: value for key, value in inner.items()}}

    def schema(self) -> Schema:
        """The parts that every classifier has, those of its own (`fields`), and the one that says what is in scope."""
        if self.scheme != "binary":
            return self._schema({"scope_": SCOPE, "temperature_": Number(*TEMPERATURE_RANGE)})
        gate = self._untrained_scope_classifier()._schema({"scope_": Null(), "temperature_": Null()})
        return replace(self._schema({"scope_": SCOPE, "temperature_": Number(*TEMPERATURE_RANGE)}), parts={GATE: gate})

    def _schema(self, threshold_fields: Mapping[str, Field]) -> Schema:
        names = {"names_": Items(Text(), "names", distinct=True)}
        fields = {**names, **threshold_fields, **self.fields(tuned=not isinstance(threshold_fields["scope_"], Null))}
        return Schema(fields, empty=MAY_BE_EMPTY, rules=[CLASSES, *self.rules()])

    def fields(self, tuned: bool) -> dict[str, Field]:
        """The schema of the other learnt fields; their number of outputs is "classes". `tuned` says whether it has a
        scope.
        """
        raise NotImplementedError

    def rules(self) -> list[Rule]:
        """What must hold besides."""
        return []

    def restore(self, state: Mapping[str, Any]) -> Self:
        inner = {key.removeprefix(GATE): value for key, value in state.items() if key.startswith(GATE)}
        self.scope_classifier = self._untrained_scope_classifier().restore(inner) if inner else None
        self._scope = None
        return super().restore(state)

    def _parted(
        self,
        inputs: Sequence[str],
        golds: Sequence[Intent],
        tuning: Tuning | None,
        seed: int,
        least: int = 4,
        turn: int = 0,
    ) -> tuple[tuple[Sequence[str], list[str | None]], Tuning]:
        """Training examples and validation examples, others in every round (`turn`)."""
        names = [gold.name for gold in golds]
        if tuning is not None:
            return (inputs, names), tuning
        validated = _held_out(inputs, names, self.validation_share, seed, least, turn)
        held_out = {(inputs[place], names[place]) for place in validated}
        training = [place for place, each in enumerate(zip(inputs, names, strict=True)) if each not in held_out]
        validated = validated or training
        return (
            ([inputs[place] for place in training], [names[place] for place in training]),
            ([inputs[place] for place in validated], [golds[place] for place in validated]),
        )

    def check_criterion(self, criterion: str) -> None:
        """Raises OptionError for a criterion that this classifier does not support."""
        parse_criterion(criterion)

    def tune(self, inputs: Sequence[str], golds: Sequence[Intent]) -> Self:
        """Calibrates the probabilities and chooses the threshold on validation examples."""
        return self._calibrated(self._scored(inputs), golds)

    def set_criterion(self, criterion: str) -> Self:
        """Chooses the threshold by another criterion on the same validation examples."""
        self.scope_, self._scope = self.scope.chosen(criterion).as_dict(), None
        return self

    def _calibrated(self, scored: ScoredTexts, golds: Sequence[Intent]) -> Self:
        places = {name: place for place, name in enumerate(self.names_ or [])}
        label = np.array([places.get(gold.name, -1) if gold.name is not None else -1 for gold in golds], np.int64)
        inside = np.array([gold.name is not None for gold in golds], bool)
        correct = scored.logits.argmax(1) == label
        known = label >= 0
        self.temperature_ = best_temperature(scored.logits[known], label[known], TEMPERATURE_GRID)
        self.fit_evidence(scored.evidence[inside])
        self.scope_ = Scope.tuned(self.criterion, self.combined_evidence(scored.evidence), correct, inside).as_dict()
        self._scope = None
        return self

    def fit_evidence(self, evidence: Array) -> None:
        """Fits the scale of each kind of evidence on in-scope validation texts, if there are several kinds."""

    def combined_evidence(self, evidence: Array) -> Array:
        """One number a text of all kinds of evidence."""
        return evidence

    @property
    def scope(self) -> Scope:
        if self.scope_ is None:
            raise ValueError("the model is not trained")
        self._scope = self._scope or Scope.from_dict(self.scope_)
        return self._scope

    def predict(self, inputs: Sequence[str], top: int = RANKING_LENGTH) -> list[Intent]:
        """An answer a text, with its `top` best intents."""
        if not len(inputs):
            return []
        threshold, names = self.scope.threshold, self.names_ or []
        probabilities, shares = self.probabilities(inputs)
        best = np.argsort(-shares, axis=1, kind="stable")[:, :top]
        rounded = np.round(np.take_along_axis(shares, best, 1), 6)
        rows = zip(best.tolist(), rounded.tolist(), probabilities.tolist(), strict=True)
        return [
            _answer([names[each] for each in row], ranked_shares, probability, threshold)
            for row, ranked_shares, probability in rows
        ]

    def probabilities(self, inputs: Sequence[str]) -> tuple[Array, Array]:
        """For each text, of being in scope, and of being in scope with each of the intents."""
        scored = self._scored(inputs)
        probabilities = self.scope.probability(self.combined_evidence(scored.evidence))
        logits = np.asarray(scored.logits, np.float64) / (self.temperature_ or 1.0)
        shares = np.exp(logits - logits.max(1, keepdims=True))  # softmax() would round differently
        return probabilities, shares * (probabilities / shares.sum(1))[:, None]


@dataclass(repr=False)
class MultiEvidenceClassifier(Classifier):
    """A classifier with several kinds of evidence, each standardized over in-scope validation texts and weighted by
    `evidence_weights`.
    """

    evidence_weights: ClassVar[tuple[float, ...]]
    spread_: Array = UNTRAINED

    def fields(self, tuned: bool) -> dict[str, Field]:
        kinds = Numbers("float64", (2, len(self.evidence_weights)))
        if not tuned:
            return {"spread_": Null()}
        return {"spread_": Either((Numbers("float64", (2,)), kinds)) if self.scheme == "binary" else kinds}

    def rules(self) -> list[Rule]:
        def is_wide(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
            return state["spread_"] is None or bool(np.all(state["spread_"][1] >= MIN_DEVIATION))

        return [Rule('array "spread_" holds a deviation that is not above 0', is_wide)]

    def fit_evidence(self, evidence: Array) -> None:
        in_scope = evidence if len(evidence) else np.zeros((1, len(self.evidence_weights)))
        self.spread_ = np.stack([in_scope.mean(0), np.maximum(in_scope.std(0), MIN_DEVIATION)])

    def check_criterion(self, criterion: str) -> None:
        if parse_criterion(criterion)[0] == "argmax" and self.scheme != "binary":
            raise OptionError("criterion", criterion, "several kinds of evidence have no common zero; use paper")

    def combined_evidence(self, evidence: Array) -> Array:
        if self.scope_classifier:
            return evidence
        mean, deviation = np.asarray(self.spread_)
        return (evidence - mean) / deviation @ np.array(self.evidence_weights)


def clipped(text: str) -> str:
    """No intent hides behind the first thousands of characters."""
    return text[:MAX_CHARACTERS]


def _answer(best: Sequence[str], shares: Sequence[float], probability: float, threshold: float) -> Intent:
    ranking = tuple(zip(best, shares, strict=True))
    return Intent(0, best[0] if probability >= threshold else None, probability, ranking)


def _holdout_rounds(examples: int, share: float, limit: int) -> int:
    """As many hold-out rounds as give enough validation examples, each used once."""
    return int(np.clip(np.ceil(MIN_VALIDATION_EXAMPLES / (share * examples)), 1, min(limit, 1 / share)))


def _held_out(
    texts: Sequence[str], names: Sequence[str | None], share: float, seed: int, least: int, turn: int
) -> list[int]:
    """Some texts of every intent that has at least so many different ones, others at every turn while there are any."""
    random, held_out = np.random.default_rng(seed), list[int]()
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    for name in sorted(set(names), key=str):
        places = sorted(place for place in first.values() if names[place] == name)
        count = max(1, round(share * len(places))) if len(places) >= least and share > 0 else 0
        held_out += np.roll(random.permutation(places), -turn * count)[:count].tolist()
    return sorted(held_out)


def split_scores(scores: Array, intents: int) -> ScoredTexts:
    """Scores of all classes as logits and evidence.

    With a class of its own for out of scope, the evidence is by how much the best intent beats it; else it is the
    probability of the best intent.
    """
    logits = scores[:, :intents]
    best = logits.max(1)
    if scores.shape[1] > intents:
        return ScoredTexts(logits, best - scores[:, intents])
    return ScoredTexts(logits, 1 / np.exp(logits - best[:, None]).sum(1))
