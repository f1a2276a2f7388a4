"""The probability that a question is unanswered: a logistic regression of five numbers, with a recipe and a card.

The outcome of a question is decided by a rule on predicted conversations, and these contain mistakes: a reply may be in
another conversation. The probability is that of the same rule on the annotated conversations of the #Ubuntu corpus
(`research/recipes/unanswered.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from math import exp, log1p
from pathlib import Path
from typing import Any, Self

from ...errors import ModelError
from .question_threads import Outcome

NAME = "archive/unanswered"
LARGEST = 1e3  # fitted numbers are far below it


@dataclass(frozen=True, slots=True)
class UnansweredModel:
    """Weights of the outcome, and of how often the asker of an unreplied question is addressed elsewhere."""

    bias: float
    no_reply: float
    unresolved: float
    confirmed: float
    addressed: float

    @classmethod
    def load(cls, folder: Any) -> Self:
        """From a folder, whose numbers are checked."""
        from ...ml.storage import read_card, read_state

        card = read_card(folder)
        state = read_state(folder, card)
        if card.name != NAME or set(state) != set(cls.__dataclass_fields__):
            raise ModelError(str(folder), f"it is no model {NAME}")
        for number in state.values():
            if not isinstance(number, int | float) or isinstance(number, bool) or not abs(number) < LARGEST:
                raise ModelError(str(folder), "one of its numbers is none")
        return cls(**{name: float(number) for name, number in state.items()})

    def save(self, folder: Path, **card: Any) -> Path:
        from ...ml.storage import Card, write_folder

        return write_folder(folder, Card(NAME, **card), self.state())

    def state(self) -> Mapping[str, Any]:
        return asdict(self)

    def probability(self, outcome: Outcome, addressed: int = 0) -> float:
        """`addressed` counts messages of others that name the asker soon after, in other conversations."""
        weights = (self.bias, self.no_reply, self.unresolved, self.confirmed, self.addressed)
        score = sum(weight * value for weight, value in zip(weights, features(outcome, addressed), strict=True))
        return 1 / (1 + exp(-score))


def features(outcome: Outcome, addressed: int) -> tuple[float, ...]:
    """In the order of the model's fields."""
    is_alone = outcome is Outcome.NO_REPLY
    return (1.0, is_alone, outcome is Outcome.UNRESOLVED, outcome is Outcome.CONFIRMED, log1p(addressed) * is_alone)


@cache
def bundled_unanswered() -> UnansweredModel:
    return UnansweredModel.load(files("hubbub").joinpath("data", "models", "archive", "unanswered"))
