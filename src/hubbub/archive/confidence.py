"""How probable it is that a past answer is right: a saved model of ten numbers, with a recipe and a card.

`research/recipes/archive.toml` says how it is trained: asked are openings of dialogues of the development days, once
with their text withheld from the archive and once in half of their words; right is an answer from the conversation in
which the question was really answered. The probability is fitted on archives of 300 to 200,000 messages, in half of
which nobody answers the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log10
from pathlib import Path
from typing import Any, Self

from ..errors import ModelError

FEATURES = ("answer", "talk", "words", "asker's words", "opening", "thanked")
"""How alike the question is to the answer and to all messages around it; which share of its words is there and in the
messages of the asker; whether it answers an opening, and was thanked."""

NAME = "archive/confidence"
THRESHOLD = 0.2  # below this probability an answer is not shown; chosen, not fitted
SMALLEST = 300  # messages; no smaller archive was trained on
LARGEST = 1e6  # fitted numbers are far below it
COEFFICIENTS = ("bias", "by_strength", "by_lead", "by_size")


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Weights of the features, and a logistic regression on their sum, on the lead and on the size of the archive."""

    weights: tuple[float, ...]
    bias: float
    by_strength: float
    by_lead: float
    by_size: float

    @classmethod
    def load(cls, folder: Any) -> Self:
        """From a folder, whose numbers are checked."""
        from ..ml.storage import read_card, read_state

        card = read_card(folder)
        state = read_state(folder, card)
        if card.name != NAME or set(state) != {"weights", *COEFFICIENTS}:
            raise ModelError(str(folder), f"it is no model {NAME}")
        weights = state["weights"]
        if not isinstance(weights, list) or len(weights) != len(FEATURES):
            raise ModelError(str(folder), f"it has no {len(FEATURES)} weights")
        for number in (*weights, *(state[name] for name in COEFFICIENTS)):
            if not isinstance(number, int | float) or isinstance(number, bool) or not abs(number) < LARGEST:
                raise ModelError(str(folder), "one of its numbers is none")
        return cls(tuple(map(float, weights)), *(float(state[name]) for name in COEFFICIENTS))

    def save(self, folder: Path, **card: Any) -> Path:
        from ..ml.storage import Card, write_folder

        return write_folder(folder, Card(NAME, **card), self.state())

    def state(self) -> Mapping[str, Any]:
        return {"weights": list(self.weights), **{name: getattr(self, name) for name in COEFFICIENTS}}

    def strength(self, features: Sequence[float]) -> float:
        """The weighted sum of the features of an answer."""
        return sum(weight * value for weight, value in zip(self.weights, features, strict=True))

    def probability(self, strength: float, lead: float, messages: int) -> float:
        """The probability that an answer is right, in an archive of so many messages."""
        size = log10(max(messages, SMALLEST))
        score = self.bias + self.by_strength * strength + self.by_lead * lead + self.by_size * size
        return 1 / (1 + exp(-score))


@cache
def bundled_model() -> ConfidenceModel:
    return ConfidenceModel.load(files("hubbub").joinpath("data", "models", "archive", "confidence"))


def leads(strengths: Sequence[float], conversations: Sequence[int]) -> list[float]:
    """How far each answer is ahead of the best from any other conversation, or of nothing if there is no other."""
    best: dict[int, float] = {}
    for each, number in zip(strengths, conversations, strict=True):
        best[number] = max(each, best.get(number, each))
    first, second = [*sorted(best.values(), reverse=True), 0.0, 0.0][:2]
    leader = max(best, key=best.__getitem__, default=None)
    return [
        each - (second if number == leader else first) for each, number in zip(strengths, conversations, strict=True)
    ]
