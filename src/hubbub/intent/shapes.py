"""An answer as others read it: hubbub's own record, and the response of Rasa's parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from ..layers import Intent
from .metrics import confidence
from .multi import Part


class Answered(NamedTuple):
    """A text, what it wants, the examples nearest to it, and its parts if it was looked at for several wishes."""

    text: str
    intent: Intent
    examples: tuple[Any, ...] = ()
    parts: tuple[Part, ...] = ()

    def names(self) -> list[str]:
        """Everything that is wanted, in order."""
        each = [part.intent for part in self.parts] or [self.intent]
        return [intent.name for intent in each if intent.name is not None]


def record(answered: Answered) -> dict[str, Any]:
    """One JSON object: name is None for out of scope, score the probability of being in scope."""
    examples = [each._asdict() for each in answered.examples]
    told = {"text": answered.text, **_said(answered.intent), "examples": examples}
    if answered.parts:
        told["parts"] = [{"text": part.text, **_said(part.intent)} for part in answered.parts]
    return told


def _said(intent: Intent) -> dict[str, Any]:
    return {key: value for key, value in asdict(intent).items() if key != "position"}


def rasa(text: str, said: Intent | Sequence[Intent]) -> dict[str, Any]:
    """What Rasa's parser answers to a text; the intents of several parts are joined by +, as Rasa does it."""
    several = [said] if isinstance(said, Intent) else list(said)
    joined = "+".join(each.name for each in several if each.name is not None) or None
    sureness = min(map(confidence, several))
    ranking = several[0].ranking if len(several) == 1 else _together(joined, sureness, several)
    return {
        "text": text,
        "intent": {"name": joined, "confidence": sureness},
        "entities": [],
        "intent_ranking": [{"name": name, "confidence": chance} for name, chance in ranking],
    }


def _together(joined: str | None, sureness: float, several: Sequence[Intent]) -> list[tuple[str, float]]:
    """One ranking of several parts: all that is wanted, then each intent as sure as where it is surest."""
    best = dict(sorted((pair for each in several for pair in each.ranking), key=lambda pair: pair[1]))
    ranking = sorted(best.items(), key=lambda pair: -pair[1])[: max(len(each.ranking) for each in several)]
    return [(joined, sureness), *ranking] if joined and joined not in best else ranking
