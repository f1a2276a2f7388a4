"""What every intent classifier shares: labels, the three ways of handling scope, calibration, and the answers' shape.

A classifier says how to learn (`learn`) and how to judge texts (`judge`); everything else is here. Its answers are
Intents: `score` is the probability that the text is in scope, `ranking` has the probabilities of the best intents, and
`name` is the first of them, or None if the score is below the threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from ..errors import OptionError, TooFew
from ..layers import Intent
from ..model import Learnt
from ..parameters import parameters_of, ranged
from ..schema import Either, Field, Items, Null, Number, Numbers, Rule, Schema, Text
from .gate import gate_examples
from .nearest import Near
from .scope import SCOPE, Scope, checked

RANKING = 5
LONGEST = 4000
FEW = 3000
ENOUGH = 60
GATE = "gate."
TEMPERATURES = 1e-3, 1e3
NARROWEST = 1e-6
MAY_BE_EMPTY = frozenset({"words", "runs", "characters", "kept", "examples"})
CLASSES = Rule(
    "there are {names} intents and {classes} classes, where a class for each and at most one more is expected",
    lambda sizes, state: sizes["names"] >= 2 and sizes["classes"] - sizes["names"] in (0, 1),
)

Tuning = tuple[Sequence[str], Sequence[Intent]]


class Judged(NamedTuple):
    """For each text the logits of the intents, and evidence that is higher the more it is in scope.

    Evidence of several kinds has a column for each.
    """

    logits: Any
    evidence: Any


@dataclass
class Classifier(Learnt):
    """`scheme` is what out-of-scope training examples are for: `train` makes them one more class, `threshold` leaves
    them out, `binary` trains another classifier of the same kind on them that says what is in scope; what that one
    learns from is the training part of the dataset or file `gate`, else part of the training examples. `criterion` says
    how the threshold is chosen on validation examples (see hubbub.intent.scope); where there are none, a share `held`
    of the training examples is kept for it.
    """

    most_rehearsals: ClassVar[int] = 5
    scheme: Literal["train", "threshold", "binary"] = "train"
    gate: str = ""
    criterion: str = "auto"
    held: float = ranged(0.15, 0, 0.9)
    names_: list[str] | None = None
    scope_: dict[str, Any] | None = None
    temperature_: float | None = None
    gatekeeper: Classifier | None = field(default=None, init=False, repr=False)
    _scope: Scope | None = field(default=None, init=False, repr=False, compare=False)

    def learn(self, texts: Sequence[str], labels: Any, classes: int, seed: int) -> None:
        """Fits to texts whose labels are below `classes`: one for each name, perhaps a last one for out of scope."""
        raise NotImplementedError

    def judge(self, texts: Sequence[str]) -> Judged:
        raise NotImplementedError

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[Near, ...]]:
        """The training examples most like each text; none for a classifier that keeps none."""
        return [()] * len(texts)

    def fit(
        self, inputs: Sequence[str], golds: Sequence[Intent], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        self.must_take(self.criterion)
        names = sorted({gold.name for gold in golds if gold.name is not None})
        if len(names) < 2:
            raise TooFew("intents", len(names), 2)
        self.names_ = names
        if tuning is not None and set(tuning[0]) <= set(inputs):
            tuning = None  # what was learnt by heart tells nothing of what was not
        if tuning is None and len(inputs) <= FEW and self.held > 0:
            return self._rehearsed(inputs, golds, seed)
        (texts, wanted), (others, answers) = self._parted(inputs, golds, tuning, seed)
        self._learn_all(texts, wanted, seed)
        return self.tune(others, answers)

    def _rehearsed(self, inputs: Sequence[str], golds: Sequence[Intent], seed: int) -> Self:
        """Few examples are too dear to be kept back: rehearsals without some choose the cut, then all are learnt."""
        judged, answers = list[Judged](), list[Intent]()
        for turn in range(_rehearsals(len(inputs), self.held, self.most_rehearsals)):
            (texts, wanted), (others, theirs) = self._parted(inputs, golds, None, seed, least=2, turn=turn)
            rehearsal = type(self)(**parameters_of(self))
            rehearsal.names_ = self.names_
            rehearsal._learn_all(texts, wanted, seed)
            judged.append(rehearsal._judged(others))
            answers += theirs
        self._learn_all(inputs, [gold.name for gold in golds], seed)
        logits, evidence = (np.concatenate(each) for each in zip(*judged, strict=True))
        return self._tuned(Judged(logits, evidence), answers)

    def _learn_all(self, texts: Sequence[str], wanted: Sequence[str | None], seed: int) -> None:
        names = self.names_ or []
        labels = np.array([names.index(name) if name is not None else len(names) for name in wanted], dtype=np.int64)
        used = [place for place, label in enumerate(labels) if label < len(names) or self.scheme == "train"]
        self.gatekeeper = self._gatekeeper(texts, labels, seed) if self.scheme == "binary" else None
        self.learn([clipped(texts[place]) for place in used], labels[used], int(labels[used].max()) + 1, seed)

    def _gatekeeper(self, texts: Sequence[str], labels: Any, seed: int) -> Classifier:
        """A classifier of the same kind that only tells in scope from out of scope."""
        mine, sides = gate_examples(self.gate, texts, labels, len(self.names_ or []), seed)
        made = self._another()
        made.learn([clipped(text) for text in mine], sides, 2, seed)
        return made

    def _another(self) -> Classifier:
        made = type(self)(**{**parameters_of(self), "scheme": "threshold", "gate": ""})
        made.names_ = ["in scope", "out of scope"]
        return made

    def _judged(self, inputs: Sequence[str]) -> Judged:
        texts = [clipped(text) for text in inputs]
        judged = self.judge(texts)
        if self.gatekeeper is None:
            return judged
        sides = self.gatekeeper.judge(texts).logits
        return Judged(judged.logits, sides[:, 0] - sides[:, 1])

    def state(self) -> Mapping[str, Any]:
        inner = self.gatekeeper.state() if self.gatekeeper else {}
        return {**super().state(), **{GATE + key: value for key, value in inner.items()}}

    def schema(self) -> Schema:
        """The parts that every classifier has, those of its own (`fields`), and the one that says what is in scope."""
        if self.scheme != "binary":
            return self._schema({"scope_": SCOPE, "temperature_": Number(*TEMPERATURES)})
        gate = self._another()._schema({"scope_": Null(), "temperature_": Null()})
        return replace(self._schema({"scope_": SCOPE, "temperature_": Number(*TEMPERATURES)}), parts={GATE: gate})

    def _schema(self, cut: Mapping[str, Field]) -> Schema:
        names = {"names_": Items(Text(), "names", distinct=True)}
        fields = {**names, **cut, **self.fields(tuned=not isinstance(cut["scope_"], Null))}
        return Schema(fields, empty=MAY_BE_EMPTY, rules=[CLASSES, *self.rules()])

    def fields(self, tuned: bool) -> dict[str, Field]:
        """What else is learnt; the size of its output is called "classes". `tuned` says whether it has a scope."""
        raise NotImplementedError

    def rules(self) -> list[Rule]:
        """What must hold besides."""
        return []

    def restore(self, state: Mapping[str, Any]) -> Self:
        inner = {key.removeprefix(GATE): value for key, value in state.items() if key.startswith(GATE)}
        self.gatekeeper = self._another().restore(inner) if inner else None
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
        """What is learnt from, and what the scope is validated on: other examples at every turn."""
        wanted = [gold.name for gold in golds]
        if tuning is not None:
            return (inputs, wanted), tuning
        validated = _held_out(inputs, wanted, self.held, seed, least, turn)
        kept = {(inputs[place], wanted[place]) for place in validated}
        learnt = [place for place, each in enumerate(zip(inputs, wanted, strict=True)) if each not in kept]
        validated = validated or learnt
        return (
            ([inputs[place] for place in learnt], [wanted[place] for place in learnt]),
            ([inputs[place] for place in validated], [golds[place] for place in validated]),
        )

    def must_take(self, criterion: str) -> None:
        """Says what is wrong with a criterion that this classifier cannot be cut by."""
        checked(criterion)

    def tune(self, inputs: Sequence[str], golds: Sequence[Intent]) -> Self:
        """Calibrates the probabilities and chooses the threshold on validation examples."""
        return self._tuned(self._judged(inputs), golds)

    def recut(self, criterion: str) -> Self:
        """The cut moved to where another criterion has it on the examples that were validated on."""
        self.scope_, self._scope = self.scope.chosen(criterion).as_dict(), None
        return self

    def _tuned(self, judged: Judged, golds: Sequence[Intent]) -> Self:
        places = {name: place for place, name in enumerate(self.names_ or [])}
        label = np.array([places.get(gold.name, -1) if gold.name is not None else -1 for gold in golds], np.int64)
        inside = np.array([gold.name is not None for gold in golds], bool)
        right = judged.logits.argmax(1) == label
        known = label >= 0
        self.temperature_ = _temperature(judged.logits[known], label[known])
        self.weigh(judged.evidence[inside])
        self.scope_ = Scope.tuned(self.criterion, self.weighed(judged.evidence), right, inside).as_dict()
        self._scope = None
        return self

    def weigh(self, evidence: Any) -> None:
        """Learns from in-scope validation texts how much each kind of evidence tells, if there are several."""

    def weighed(self, evidence: Any) -> Any:
        """One number a text of all kinds of evidence."""
        return evidence

    @property
    def scope(self) -> Scope:
        if self.scope_ is None:
            raise ValueError("the model is not trained")
        self._scope = self._scope or Scope.from_dict(self.scope_)
        return self._scope

    def predict(self, inputs: Sequence[str], top: int = RANKING) -> list[Intent]:
        """An answer a text, with its `top` best intents."""
        if not len(inputs):
            return []
        cut, names = self.scope.threshold, self.names_ or []
        chances, shares = self.probabilities(inputs)
        best = np.argsort(-shares, axis=1, kind="stable")[:, :top]
        rounded = np.round(np.take_along_axis(shares, best, 1), 6)
        rows = zip(best.tolist(), rounded.tolist(), chances.tolist(), strict=True)
        return [_answer([names[each] for each in row], given, chance, cut) for row, given, chance in rows]

    def probabilities(self, inputs: Sequence[str]) -> tuple[Any, Any]:
        """For each text, of being in scope, and of being in scope with each of the intents."""
        judged = self._judged(inputs)
        chances = self.scope.probability(self.weighed(judged.evidence))
        logits = np.asarray(judged.logits, np.float64) / (self.temperature_ or 1.0)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        return chances, shares * (chances / shares.sum(1))[:, None]


@dataclass
class Weighing(Classifier):
    """A classifier with several kinds of evidence: each is in units of its spread over in-scope validation texts, and
    counts `worth`."""

    worth: ClassVar[tuple[float, ...]]
    spread_: Any = None

    def fields(self, tuned: bool) -> dict[str, Field]:
        kinds = Numbers("float64", (2, len(self.worth)))
        if not tuned:
            return {"spread_": Null()}
        return {"spread_": Either((Numbers("float64", (2,)), kinds)) if self.scheme == "binary" else kinds}

    def rules(self) -> list[Rule]:
        def is_wide(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
            return state["spread_"] is None or bool(np.all(state["spread_"][1] >= NARROWEST))

        return [Rule('array "spread_" holds a deviation that is not above 0', is_wide)]

    def weigh(self, evidence: Any) -> None:
        seen = evidence if len(evidence) else np.zeros((1, len(self.worth)))
        self.spread_ = np.stack([seen.mean(0), np.maximum(seen.std(0), NARROWEST)])

    def must_take(self, criterion: str) -> None:
        if checked(criterion)[0] == "argmax" and self.scheme != "binary":
            raise OptionError("criterion", criterion, "evidence of several kinds has no zero to cut at; try paper")

    def weighed(self, evidence: Any) -> Any:
        if self.gatekeeper:
            return evidence
        middle, width = np.asarray(self.spread_)
        return (evidence - middle) / width @ np.array(self.worth)


def clipped(text: str) -> str:
    """No intent hides behind the first thousands of characters."""
    return text[:LONGEST]


def _answer(best: Sequence[str], shares: Sequence[float], chance: float, threshold: float) -> Intent:
    ranking = tuple(zip(best, shares, strict=True))
    return Intent(0, best[0] if chance >= threshold else None, chance, ranking)


def _rehearsals(examples: int, held: float, most: int) -> int:
    """How often to rehearse so that enough examples are validated on, each once."""
    return int(np.clip(np.ceil(ENOUGH / (held * examples)), 1, min(most, 1 / held)))


def _held_out(
    texts: Sequence[str], wanted: Sequence[str | None], share: float, seed: int, least: int, turn: int
) -> list[int]:
    """Some texts of every intent that has at least so many different ones, others at every turn while there are any."""
    random, kept = np.random.default_rng(seed), list[int]()
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    for name in sorted(set(wanted), key=str):
        places = sorted(place for place in first.values() if wanted[place] == name)
        count = max(1, round(share * len(places))) if len(places) >= least and share > 0 else 0
        kept += np.roll(random.permutation(places), -turn * count)[:count].tolist()
    return sorted(kept)


def _temperature(logits: Any, label: Any) -> float:
    """The divisor of the logits that makes the right labels most probable, on a grid that is fine enough."""
    if not len(label):
        return 1.0
    grid = np.exp(np.linspace(np.log(0.05), np.log(20), 121))
    return float(min(grid, key=lambda divisor: _surprise(np.asarray(logits, np.float64) / divisor, label)))


def _surprise(logits: Any, label: Any) -> float:
    return float((logsum(logits) - logits[np.arange(len(label)), label]).mean())


def parted(scores: Any, intents: int) -> Judged:
    """Scores of all classes as logits and evidence.

    With a class of its own for out of scope, the evidence is by how much the best intent beats it; else it is the
    probability of the best intent.
    """
    logits = scores[:, :intents]
    best = logits.max(1)
    if scores.shape[1] > intents:
        return Judged(logits, best - scores[:, intents])
    return Judged(logits, 1 / np.exp(logits - best[:, None]).sum(1))


def logsum(scores: Any) -> Any:
    """The logarithm of the sum of the powers of each row."""
    top = scores.max(1)
    return top + np.log(np.exp(scores - top[:, None]).sum(1))
