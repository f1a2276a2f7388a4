"""How likely a past answer is right, from what speaks for it.

The weights come from `python benchmarks/answer.py --fit`: asked are openings of dialogues of the development days, once
with their text withheld from the archive and once in half of their words; right is an answer from the conversation in
which the question was really answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

FEATURES = ("answer", "talk", "words", "asker's words", "opening", "thanked", "reply")
"""How alike the question is to the answer and to all that was said around it; which share of its words stands there and
in what the asker said; whether it answers an opening, and was thanked; and how far a model of replies puts it above the
other candidates."""

WEIGHTS, BIAS = (0.93, 4.75, 4.04, 0.67, 0.79, 0.09, 0.08), -7.89
THRESHOLD = 0.2
FURTHEST, LEAST = 3.0, 1e-3


def strength(features: Sequence[float]) -> float:
    """All that speaks for an answer; before a model of replies was asked, its feature is 0."""
    return sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))


def chance(features: Sequence[float]) -> float:
    """The probability that the answer is right."""
    return 1 / (1 + exp(-BIAS - strength(features)))


def standing(scores: Sequence[float]) -> list[float]:
    """Scores of a model of replies, whatever their scale: how many deviations each lies above the mean of all."""
    logs = [log(max(score, 0.0) + LEAST) for score in scores]
    mean = sum(logs) / max(len(logs), 1)
    deviation = (sum((each - mean) ** 2 for each in logs) / max(len(logs), 1)) ** 0.5
    return [max(-FURTHEST, min(FURTHEST, (each - mean) / deviation)) if deviation else 0.0 for each in logs]
