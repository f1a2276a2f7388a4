"""Where queries are asked: a classifier, the cut that its answers are given with, and what may be asked at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Self

from ..chat import Message
from ..errors import ModelError, OptionError, TooLong
from ..layers import Intent
from ..model import AnyModel, model_for
from ..parameters import cut
from ..task import task
from ..text import whole
from .classifier import RANKING, Classifier
from .multi import Part, parts
from .nearest import Near
from .scope import checked, rethreshold

LONGEST_QUERY = 100_000
BATCH = 1024

BLANK = Intent(0, None, 0.0)


@dataclass(frozen=True, slots=True)
class Desk:
    """`cut` is the threshold where it is another than the model's own; `top` is how long rankings are."""

    model: Classifier
    cut: float | None = None
    top: int = RANKING

    @classmethod
    def of(
        cls,
        model: str | Path | Classifier | None = None,
        *,
        threshold: float | None = None,
        criterion: str = "",
        top: int = RANKING,
    ) -> Self:
        must_be_cut(threshold, criterion, top)
        ready = classifier(model)
        if criterion:
            ready.must_take(criterion)
        return cls(ready, ready.scope.chosen(criterion).threshold if criterion else threshold, top)

    def answers(self, texts: Sequence[str]) -> list[Intent]:
        """An answer a text; what says nothing wants nothing."""
        for number, text in enumerate(texts, 1):
            if len(text) > LONGEST_QUERY:
                raise TooLong(f"text {number}" if len(texts) > 1 else "the text", LONGEST_QUERY)
        return self._judged(texts)

    def _judged(self, texts: Sequence[str]) -> list[Intent]:
        asked = [place for place, text in enumerate(texts) if text.strip()]
        said = self.model.predict([whole(texts[place]) for place in asked], top=self.top)
        if self.cut is not None:
            said = rethreshold(said, self.cut)
        found = [BLANK] * len(texts)
        for place, each in zip(asked, said, strict=True):
            found[place] = each
        return found

    def several(self, texts: Sequence[str]) -> list[tuple[Part, ...]]:
        """The clauses of each text that want different things; one part, the whole text, where they do not."""
        return parts(texts, self._judged)

    def over(self, messages: Iterable[Message], multi: bool = False) -> Iterator[tuple[Message, tuple[Intent, ...]]]:
        """Each message with what it wants, which is nothing for system lines, in batches as they pass."""
        passing, position = iter(messages), 0
        while batch := list(islice(passing, BATCH)):
            texts = [message.text[:LONGEST_QUERY] for message in batch if message.kind != "system"]
            said = iter([tuple(p.intent for p in each) for each in self.several(texts)] if multi else
                        [(each,) for each in self._judged(texts)])  # fmt: skip
            for message in batch:
                found = next(said) if message.kind != "system" else ()
                yield message, tuple(replace(each, position=position) for each in found)
                position += 1

    def nearest(self, texts: Sequence[str], count: int) -> list[tuple[Near, ...]]:
        """The training examples that come nearest to each text, where the model keeps any."""
        if not count or not texts:
            return [()] * len(texts)
        found = self.model.nearest([whole(text) for text in texts], count)
        return [each if text.strip() else () for text, each in zip(texts, found, strict=True)]


def must_be_cut(threshold: float | None = None, criterion: str = "", top: int = RANKING) -> None:
    """Whether answers can be given so, known before there is a model."""
    if threshold is not None and criterion:
        raise OptionError("threshold and criterion", "both given", "one of them says where the cut is")
    if threshold is not None and not 0 <= threshold <= 1:
        raise OptionError("threshold", threshold, "it is a probability from 0 to 1")
    if criterion:
        checked(criterion)
    if top < 1:
        raise OptionError("top", top, "a ranking has at least one intent")


def classifier(given: str | Path | AnyModel | None = None) -> Classifier:
    """The trained classifier of that name, in that folder or as it is, the default one if none is given."""
    wanted = task("intent").default if given is None else given
    model = model_for("intent", wanted)
    if not isinstance(model, Classifier):
        raise ModelError(cut(wanted), "models of intents are classifiers, and this is none")
    return model
