"""How likely a past answer is right, from what speaks for it.

The weights come from `python benchmarks/answer.py --fit`: asked are openings of dialogues of the development days, once
with their text withheld from the archive and once in half of their words; right is an answer from the conversation in
which the question was really answered. What that means for the chance is learnt from archives of 300 to 200,000
messages, in half of which nobody answers the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log10

FEATURES = ("answer", "talk", "words", "asker's words", "opening", "thanked")
"""How alike the question is to the answer and to all that was said around it; which share of its words stands there and
in what the asker said; whether it answers an opening, and was thanked."""

WEIGHTS = (0.00, 7.53, 7.50, 0.97, 1.01, 0.20)
BIAS, BY_STRENGTH, BY_LEAD, BY_SIZE = -2.86, 0.22, 0.82, -0.36
THRESHOLD = 0.2
SMALLEST = 300


def strength(features: Sequence[float]) -> float:
    """All that speaks for an answer."""
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
    """The probability that an answer is right, in an archive of so many messages; smaller ones were not learnt from."""
    size = log10(max(messages, SMALLEST))
    return 1 / (1 + exp(-BIAS - BY_STRENGTH * strong - BY_LEAD * lead - BY_SIZE * size))
