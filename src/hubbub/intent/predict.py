"""The predictor that users call: a classifier, a threshold, and limits of what may be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Self

from ..chat import Message
from ..errors import ModelError, OptionError, TooLong
from ..layers import Intent
from ..ml.parameters import cut
from ..ml.registry import AnyModel, model_for
from ..ml.task import task
from ..text import whole
from .inference.clauses import Clause, split_intents
from .inference.neighbours import NearExample
from .inference.scope import parse_criterion, rethreshold
from .models._classifier import RANKING_LENGTH, Classifier

MAX_QUERY_CHARACTERS = 100_000  # a longer text is not a query
BATCH = 1024  # messages that are classified together in a stream

BLANK = Intent(0, None, 0.0)  # the prediction for an empty text


@dataclass(frozen=True, slots=True)
class IntentPredictor:
    """`threshold` is used instead of the model's own, if given; `top` is the length of rankings."""

    model: Classifier
    threshold: float | None = None
    top: int = RANKING_LENGTH

    @classmethod
    def of(
        cls,
        model: str | Path | Classifier | None = None,
        *,
        threshold: float | None = None,
        criterion: str = "",
        top: int = RANKING_LENGTH,
    ) -> Self:
        check_options(threshold, criterion, top)
        ready = classifier(model)
        if criterion:
            ready.check_criterion(criterion)
        return cls(ready, ready.scope.chosen(criterion).threshold if criterion else threshold, top)

    def answers(self, texts: Sequence[str]) -> list[Intent]:
        """One prediction a text; a blank text is out of scope."""
        for number, text in enumerate(texts, 1):
            if len(text) > MAX_QUERY_CHARACTERS:
                raise TooLong(f"text {number}" if len(texts) > 1 else "the text", MAX_QUERY_CHARACTERS)
        return self._scored(texts)

    def _scored(self, texts: Sequence[str]) -> list[Intent]:
        filled = [place for place, text in enumerate(texts) if text.strip()]
        predicted = self.model.predict([whole(texts[place]) for place in filled], top=self.top)
        if self.threshold is not None:
            predicted = rethreshold(predicted, self.threshold)
        found = [BLANK] * len(texts)
        for place, each in zip(filled, predicted, strict=True):
            found[place] = each
        return found

    def several(self, texts: Sequence[str]) -> list[tuple[Clause, ...]]:
        """The clauses of each text with different intents; the whole text where there is no confident split."""
        return split_intents(texts, self._scored)

    def over(self, messages: Iterable[Message], multi: bool = False) -> Iterator[tuple[Message, tuple[Intent, ...]]]:
        """Each message with its intents, none for system messages, predicted in batches."""
        passing, position = iter(messages), 0
        while batch := list(islice(passing, BATCH)):
            texts = [message.text[:MAX_QUERY_CHARACTERS] for message in batch if message.kind != "system"]
            predicted = iter([tuple(p.intent for p in each) for each in self.several(texts)] if multi else
                        [(each,) for each in self._scored(texts)])  # fmt: skip
            for message in batch:
                found = next(predicted) if message.kind != "system" else ()
                yield message, tuple(replace(each, position=position) for each in found)
                position += 1

    def nearest(self, texts: Sequence[str], count: int) -> list[tuple[NearExample, ...]]:
        """The training examples that come nearest to each text, where the model keeps any."""
        if not count or not texts:
            return [()] * len(texts)
        found = self.model.nearest([whole(text) for text in texts], count)
        return [each if text.strip() else () for text, each in zip(texts, found, strict=True)]


def check_options(threshold: float | None = None, criterion: str = "", top: int = RANKING_LENGTH) -> None:
    """Whether answers can be given so, known before there is a model."""
    if threshold is not None and criterion:
        raise OptionError("threshold and criterion", "both given", "give one of them")
    if threshold is not None and not 0 <= threshold <= 1:
        raise OptionError("threshold", threshold, "it is a probability from 0 to 1")
    if criterion:
        parse_criterion(criterion)
    if top < 1:
        raise OptionError("top", top, "a ranking has at least one intent")


def classifier(source: str | Path | AnyModel | None = None) -> Classifier:
    """The trained classifier of that name, in that folder or as it is, the default one if none is given."""
    chosen = task("intent").default if source is None else source
    model = model_for("intent", chosen)
    if not isinstance(model, Classifier):
        raise ModelError(cut(chosen), "models of intents are classifiers, and this is none")
    return model
