"""How likely a past answer is right, from what speaks for it.

The weights come from `python benchmarks/answer.py --fit`: asked are openings of dialogues of the development days, once
with their text withheld from the archive and once in half of their words; right is an answer from the conversation in
which the question was really answered. What that means for the chance is learnt from archives of 300 to 200,000
messages, in half of which nobody answers the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log10

FEATURES = ("answer", "talk", "words", "asker's words", "opening", "thanked", "reply")
"""How alike the question is to the answer and to all that was said around it; which share of its words stands there and
in what the asker said; whether it answers an opening, and was thanked; and how far a model of replies puts it above the
other candidates."""

WEIGHTS = (0.0, 7.2, 7.27, 0.81, 0.99, 0.16, 0.12)
BIAS, BY_STRENGTH, BY_LEAD, BY_SIZE = -3.3, 0.26, 0.82, -0.32
THRESHOLD = 0.2
FURTHEST, LEAST = 3.0, 1e-3


def strength(features: Sequence[float]) -> float:
    """All that speaks for an answer; before a model of replies was asked, its feature is 0."""
    return sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))


def leads(strong: Sequence[float], talks: Sequence[int]) -> list[float]:
    """How far each answer is ahead of the best from any other conversation, or of nothing if there is no other."""
    best: dict[int, float] = {}
    for each, talk in zip(strong, talks, strict=True):
        best[talk] = max(each, best.get(talk, each))
    first, second = [*sorted(best.values(), reverse=True), 0.0, 0.0][:2]
    leader = max(best, key=best.__getitem__, default=None)
    return [each - (second if talk == leader else first) for each, talk in zip(strong, talks, strict=True)]


def chance(strong: float, lead: float, messages: int) -> float:
    """The probability that an answer is right, in an archive of so many messages."""
    return 1 / (1 + exp(-BIAS - BY_STRENGTH * strong - BY_LEAD * lead - BY_SIZE * log10(max(messages, 1))))


def standing(scores: Sequence[float]) -> list[float]:
    """Scores of a model of replies, whatever their scale: how many deviations each lies above the mean of all."""
    logs = [log(max(score, 0.0) + LEAST) for score in scores]
    mean = sum(logs) / max(len(logs), 1)
    deviation = (sum((each - mean) ** 2 for each in logs) / max(len(logs), 1)) ** 0.5
    return [max(-FURTHEST, min(FURTHEST, (each - mean) / deviation)) if deviation else 0.0 for each in logs]
