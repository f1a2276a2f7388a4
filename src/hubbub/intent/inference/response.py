"""An answer as others read it: hubbub's own record, and the response of Rasa's parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import NamedTuple

from ...layers import Intent
from ..metrics import confidence
from .clauses import Clause
from .neighbours import NearExample


class IntentAnswer(NamedTuple):
    """A text, its intent, the nearest examples, and its clauses if it was split."""

    text: str
    intent: Intent
    examples: tuple[NearExample, ...] = ()
    parts: tuple[Clause, ...] = ()

    def names(self) -> list[str]:
        """The names of all intents found, in order."""
        each = [part.intent for part in self.parts] or [self.intent]
        return [intent.name for intent in each if intent.name is not None]


def record(answered: IntentAnswer) -> dict[str, object]:
    """One JSON object: name is None for out of scope, score the probability of being in scope."""
    examples = [each._asdict() for each in answered.examples]
    fields = {"text": answered.text, **_said(answered.intent), "examples": examples}
    if answered.parts:
        fields["parts"] = [{"text": part.text, **_said(part.intent)} for part in answered.parts]
    return fields


def _said(intent: Intent) -> dict[str, object]:
    return {key: value for key, value in asdict(intent).items() if key != "position"}


def rasa_response(text: str, predicted: Intent | Sequence[Intent]) -> dict[str, object]:
    """What Rasa's parser answers to a text; the intents of several parts are joined by +, as Rasa does it."""
    several = [predicted] if isinstance(predicted, Intent) else list(predicted)
    joined = "+".join(each.name for each in several if each.name is not None) or None
    lowest = min(map(confidence, several))
    ranking = several[0].ranking if len(several) == 1 else _together(joined, lowest, several)
    return {
        "text": text,
        "intent": {"name": joined, "confidence": lowest},
        "entities": [],
        "intent_ranking": [{"name": name, "confidence": probability} for name, probability in ranking],
    }


def _together(joined: str | None, lowest: float, several: Sequence[Intent]) -> list[tuple[str, float]]:
    """One ranking for several clauses: the joined intent, then each intent with its highest probability."""
    best = dict(sorted((pair for each in several for pair in each.ranking), key=lambda pair: pair[1]))
    ranking = sorted(best.items(), key=lambda pair: -pair[1])[: max(len(each.ranking) for each in several)]
    return [(joined, lowest), *ranking] if joined and joined not in best else ranking
