"""Out-of-scope detection: evidence is calibrated to a probability of being in scope and compared with a threshold.

It works for any model with a number for each text that is higher for texts of known intents. A criterion chooses the
threshold on validation examples; both are kept, with the curve they were chosen from, so that another criterion or
threshold needs no recomputation.

Criteria: `paper` (most validation examples right, out of scope being one more intent), `lost:N` (the highest recall for
at most N points of in-scope accuracy), `recall:R` (the highest accuracy at a recall of at least R percent), `cost:C`
(an accepted out-of-scope text costs as much as C rejected or confused in-scope texts), `argmax` (where the evidence is
zero, so that a class for out of scope would win) and `auto` (`lost:1` if there are out-of-scope validation examples, or
the share of one example if that is more, else `lost:2`: it depends on the many in-scope validation examples, not on the
few others).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from math import ceil, isfinite
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import OptionError
from ...layers import Intent
from ...ml.calibration import sigmoid
from ...ml.model_schema import FixedList, Items, Number, Record, Text
from ...ml.types import Array

MAX_LOGIT = 13.0  # probabilities never become 0 or 1
CRITERIA = ("paper", "lost", "recall", "cost", "argmax", "auto")


_PROBABILITY, _PERCENT, _COUNT = Number(0, 1), Number(0, 100), Number(0, 1e9, whole=True)
SCOPE = Record(
    {
        "criterion": Text(100),
        "threshold": _PROBABILITY,
        "slope": Number(0, 1e8),
        "offset": Number(-1e12, 1e12),
        "inside": _COUNT,
        "outside": _COUNT,
        "curve": Items(FixedList((_PROBABILITY, _PERCENT, _PERCENT))),
    }
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Platt scaling: `slope` and `offset` turn evidence into a probability.

    `curve` has a (threshold, in-scope accuracy, out-of-scope recall) row wherever recall changes, in percent, over
    `inside` and `outside` validation examples.
    """

    criterion: str = "auto"
    threshold: float = 0.5
    slope: float = 1.0
    offset: float = 0.0
    inside: int = 0
    outside: int = 0
    curve: tuple[tuple[float, float, float], ...] = ()

    @classmethod
    def tuned(
        cls, criterion: str, evidence: ArrayLike, correct: ArrayLike, inside: ArrayLike, share: float = 0.2
    ) -> Self:
        """From validation examples: their evidence, whether their best intent is right, whether they are in scope.

        `share` is the expected share of out-of-scope queries; it affects probabilities, not decisions.
        """
        evidence, correct, inside = np.asarray(evidence, float), np.asarray(correct, bool), np.asarray(inside, bool)
        slope, offset = _fit_calibration(evidence, inside, share) if (~inside).any() else (0.0, 0.0)
        if slope <= 0:
            slope, offset = _assumed_calibration(evidence[inside])
        scope = cls(criterion, 0.5, slope, offset, int(inside.sum()), int((~inside).sum()))
        curve = tuple(_curve(scope.probability(evidence), correct, inside))
        return replace(scope, curve=curve).chosen(criterion)

    def chosen(self, criterion: str) -> Self:
        """The same scope with the threshold that another criterion chooses on the same validation examples."""
        kind, value = parse_criterion(criterion)
        if kind == "auto":
            return self.chosen(
                f"lost:{max(1.0, ceil(1e4 / max(1, self.inside)) / 100):g}" if self.outside else "lost:2"
            )
        if kind == "argmax":
            return replace(self, criterion=criterion, threshold=float(self.probability(0.0)))
        if not self.curve:
            raise OptionError("criterion", criterion, "this model has no validation data to choose a threshold by")
        best = max(self.curve, key=lambda row: self._utility(kind, value, *row))
        return replace(self, criterion=criterion, threshold=best[0])

    def _utility(self, kind: str, value: float, threshold: float, accuracy: float, recall: float) -> tuple[float, ...]:
        """How good a point of the curve is; the second number decides between equals."""
        if kind == "lost":
            floor = max(row[1] for row in self.curve) - value
            return (recall, threshold if not self.outside else accuracy) if accuracy >= floor else (accuracy - 1e3, 0)
        if kind == "recall":
            return (accuracy, recall) if recall >= value else (recall - 1e3, accuracy)
        weight = value if kind == "cost" else 1.0
        return self.inside * accuracy + weight * self.outside * recall, accuracy

    def probability(self, evidence: ArrayLike) -> Array:
        """How probable it is that each text is in scope, in the digits that answers have; nothing is certain."""
        logit = np.clip(self.slope * np.asarray(evidence, float) + self.offset, -MAX_LOGIT, MAX_LOGIT)
        return np.round(sigmoid(logit), 6)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        return cls(**{**record, "curve": tuple(tuple(row) for row in record["curve"])})


def parse_criterion(criterion: str) -> tuple[str, float]:
    """The kind of a criterion and its number."""
    kind, _, number = criterion.partition(":")
    expected = "a criterion is auto, paper, argmax, lost:0.5, recall:80 or cost:3"
    if kind not in CRITERIA or bool(number) != (kind in ("lost", "recall", "cost")):
        raise OptionError("criterion", criterion, expected)
    try:
        value = float(number or 0)
    except ValueError:
        raise OptionError("criterion", criterion, expected) from None
    if not isfinite(value) or value < 0 or (kind != "cost" and value > 100):
        raise OptionError("criterion", criterion, expected)
    return kind, value


def rethreshold(intents: Iterable[Intent], threshold: float) -> list[Intent]:
    """The same predictions with another threshold: the first of the ranking, or None below the threshold."""
    return [
        replace(each, name=each.ranking[0][0] if each.ranking and each.score >= threshold else None) for each in intents
    ]


def _curve(probabilities: Array, correct: Array, inside: Array) -> list[tuple[float, float, float]]:
    """The lowest threshold for each recall that can be had; with nothing out of scope, hundredths of the rest.

    The first turns no validation example away. It is not zero: what is less like the intents than all of them is out.
    """
    if not len(probabilities):
        return [(0.0, 0.0, 0.0)]
    levels = np.unique(probabilities)
    after = {level: (level + above) / 2 for level, above in zip(levels, [*levels[1:], 1.0], strict=True)}
    rejected = (
        np.unique(probabilities[~inside])
        if (~inside).any()
        else np.unique(np.quantile(levels, np.arange(100) / 100, method="lower"))
    )
    rows = []
    for level in [levels[0], *(after[level] for level in rejected)]:
        accuracy = 100 * float((correct & (probabilities >= level))[inside].mean()) if inside.any() else 0.0
        recall = 100 * float((probabilities < level)[~inside].mean()) if (~inside).any() else 0.0
        rows.append((float(level), accuracy, recall))
    return rows


def _fit_calibration(evidence: Array, inside: Array, share: float) -> tuple[float, float]:
    """Platt scaling (Platt, 1999): logistic regression by Newton's method, classes weighted to the expected share."""
    weight = np.where(inside, (1 - share) / max(inside.sum(), 1), share / max((~inside).sum(), 1))
    centre, scale = evidence.mean(), evidence.std() or 1.0
    design = np.stack([(evidence - centre) / scale, np.ones(len(evidence))], 1)
    solution = np.zeros(2)
    for _ in range(50):
        probability = sigmoid(design @ solution)
        gradient = design.T @ (weight * (inside - probability)) - 1e-4 * solution
        hessian = (design * (weight * probability * (1 - probability))[:, None]).T @ design + 1e-4 * np.eye(2)
        solution = solution + np.clip(np.linalg.solve(hessian, gradient), -5, 5)
    return float(solution[0] / scale), float(solution[1] - solution[0] * centre / scale)


def _assumed_calibration(evidence: Array) -> tuple[float, float]:
    """With nothing out of scope to compare with: what the lowest hundredth of validation reaches counts as even."""
    low, median = np.quantile(evidence, [0.01, 0.5]) if len(evidence) else (0.0, 1.0)
    slope = 4 / max(median - low, 1e-6)
    return float(slope), float(-slope * low)
