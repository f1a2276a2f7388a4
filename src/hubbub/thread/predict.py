"""The predictor of reply links: a model with its options, for whole chats and for messages as they arrive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from ..chat import Chat, Message
from ..errors import OptionError
from ..layers import ReplyGraph
from ..ml.registry import AnyModel, model_for

DEFAULT_MODEL = "thread/hubbub"


class ThreadDecision(NamedTuple):
    """The parents of one message and their probabilities. A message that starts a conversation is its own parent."""

    position: int
    parents: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ThreadPredictor:
    """A model of reply links that is ready to use."""

    model: AnyModel

    @classmethod
    def of(
        cls,
        model: str | Path | AnyModel | None = None,
        *,
        threshold: float | None = None,
        second: float | None = None,
    ) -> Self:
        """The predictor of a model by name, by folder or as it is; the caller's model is not modified.

        Below the probability `threshold` a link is dropped and the message starts a conversation; a second parent is
        named from the probability `second` on.
        """
        ready = model_for("thread", DEFAULT_MODEL if model is None else model)
        for option, value in (("threshold", threshold), ("second", second)):
            if value is None:
                continue
            if not (hasattr(ready, option) and 0 <= value <= 1):
                raise OptionError(f"--{option}", value, "it is a probability from 0 to 1, for models that have one")
            ready = copy(ready)
            setattr(ready, option, value)
        return cls(ready)

    def arriving(self, messages: Iterable[Message], name: str = "", format: str = "") -> Iterator[ThreadDecision]:
        """The same decisions, each before the next message is awaited, if the model can; slower on a whole chat."""
        if hasattr(self.model, "runner"):
            push = self.model.runner().push
            yield from map(push, messages)
        else:
            yield from self.decisions(messages, name, format)

    def graph(self, chat: Chat) -> ReplyGraph:
        found: ReplyGraph = self.model.predict([chat])[0]
        return found

    def decisions(self, messages: Iterable[Message], name: str = "", format: str = "") -> Iterator[ThreadDecision]:
        """The decision about every message in order: as it arrives if the model can, else after the last one."""
        if hasattr(self.model, "stream"):
            yield from self.model.stream(messages)
            return
        graph = self.graph(Chat(name, tuple(messages), format))
        scores = graph.scores or ((),) * len(graph.parents)
        for position, (parents, probabilities) in enumerate(zip(graph.parents, scores, strict=True)):
            yield ThreadDecision(position, parents, probabilities)


def graph_of(decisions: Iterable[ThreadDecision]) -> ReplyGraph:
    listed = list(decisions)
    return ReplyGraph(tuple(each.parents for each in listed), tuple(each.scores for each in listed))
