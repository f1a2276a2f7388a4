"""Scores of intents: in scope, out of scope, and calibration.

Accuracies, recall, precision and the false positive rate are in percent, as the 2019 paper prints them; the areas and
the calibration error are fractions. Scores that need out-of-scope examples are left out where there are none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..layers import Intent

Floats = npt.NDArray[np.float64]
CALIBRATION_BINS = 15  # as in Guo et al., ICML 2017


def score(golds: Sequence[Intent], predictions: Sequence[Intent]) -> dict[str, float]:
    """All scores; a rejected in-scope text counts as wrong."""
    correct = np.array([gold.name == predicted.name for gold, predicted in zip(golds, predictions, strict=True)], bool)
    outside = np.array([gold.name is None for gold in golds], bool)
    rejected = np.array([predicted.name is None for predicted in predictions], bool)
    out_of_scope_score = np.array([1 - predicted.score for predicted in predictions])
    figures = {"accuracy": _percent(correct)}
    if not outside.all():
        figures["in_scope_accuracy"] = _percent(correct[~outside])
    if outside.any():
        figures["out_of_scope_recall"] = _percent(rejected[outside])
        figures["out_of_scope_precision"] = _percent(outside[rejected])
    if outside.any() and not outside.all():
        figures["auroc"] = auroc(out_of_scope_score[outside], out_of_scope_score[~outside])
        figures["aupr"] = aupr(out_of_scope_score[outside], out_of_scope_score[~outside])
        figures["fpr95"] = 100 * fpr95(out_of_scope_score[outside], out_of_scope_score[~outside])
    figures["ece"] = calibration_error(np.array([confidence(predicted) for predicted in predictions]), correct)
    return figures


def confidence(predicted: Intent) -> float:
    """How probable the answer is held to be, whichever it is."""
    if predicted.name is None:
        return 1 - predicted.score
    return dict(predicted.ranking).get(predicted.name, predicted.score)


def _percent(values: npt.NDArray[np.bool_]) -> float:
    return 100 * float(values.mean()) if len(values) else 0.0


def auroc(positive: Floats, negative: Floats) -> float:
    """How often a positive scores above a negative, equals counting half."""
    below = np.searchsorted(np.sort(negative), positive, "left") + np.searchsorted(np.sort(negative), positive, "right")
    return float(below.sum() / 2 / len(positive) / len(negative))


def aupr(positive: Floats, negative: Floats) -> float:
    """Average precision: precision at each threshold, weighted by the recall it adds."""
    levels = np.unique(positive)[::-1]
    found = len(positive) - np.searchsorted(np.sort(positive), levels, "left")
    wrong = len(negative) - np.searchsorted(np.sort(negative), levels, "left")
    return float((np.diff(found, prepend=0) / len(positive) * found / (found + wrong)).sum())


def fpr95(positive: Floats, negative: Floats) -> float:
    """The share of negatives at or above the threshold that 95 % of the positives reach."""
    threshold = np.sort(positive)[::-1][int(np.ceil(0.95 * len(positive))) - 1]
    return float((negative >= threshold).mean())


def calibration_error(confidences: Floats, correct: npt.NDArray[np.bool_], bins: int = CALIBRATION_BINS) -> float:
    """Expected calibration error: the gap between confidence and accuracy over equal bins, weighted by their sizes."""
    if not len(correct):
        return 0.0
    place = np.clip((confidences * bins).astype(int), 0, bins - 1)
    gaps = [
        abs(confidences[place == b].mean() - correct[place == b].mean()) * (place == b).mean()
        for b in set(place.tolist())
    ]
    return float(sum(gaps))
