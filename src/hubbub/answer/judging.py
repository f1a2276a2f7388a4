"""How likely a past answer is right, from what speaks for it.

The weights come from `python benchmarks/answer.py --fit`: asked are openings of dialogues of the development days, once
with their text withheld from the archive and once in half of their words; right is an answer from the conversation in
which the question was really answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

FEATURES = ("likeness", "question", "talk", "words", "question words", "opening", "thanked", "reply")
"""Cosines of the question with the answer, with what the asker said before and with all around it; the share of the
question's words around it and in what the asker said; whether it answers an opening; whether it was thanked; and the
log-odds that a model of replies gives it."""

FIRST = (0.8, 0.6, 7.0, 3.0, 1.5, 0.4, 0.3, 0.0)
WEIGHTS, BIAS = (0.8, 0.6, 7.0, 3.0, 1.5, 0.4, 0.3, 0.3), -7.0
THRESHOLD = 0.3
SUREST = 0.999


def first_look(features: Sequence[float]) -> float:
    """By what is known before a model of replies is asked; higher is better."""
    return sum(weight * value for weight, value in zip(FIRST, features, strict=True))


def chance(features: Sequence[float]) -> float:
    """The probability that the answer is right."""
    return 1 / (1 + exp(-BIAS - sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))))


def log_odds(probability: float) -> float:
    kept = min(max(probability, 1 - SUREST), SUREST)
    return log(kept / (1 - kept))
