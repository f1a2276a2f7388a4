"""The bundled model one message at a time, for chats that are still going on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...chat import Chat, Message
from ...errors import ModelError
from ...layers import ReplyGraph
from ...ml.model_schema import Schema
from ...ml.parameters import ranged
from ...ml.registry import BaseModel, load, make
from ..predict import ThreadDecision, graph_of
from .hubbub import HubbubThreader

if TYPE_CHECKING:
    from ..inference.runner import Runner


@dataclass(repr=False)
class Live(BaseModel):
    """thread/hubbub as messages arrive: push(message) returns its parents and their probabilities.

    It uses the bundled weights, or those of the folder that `model` names, until it is trained itself.
    """

    model: str = "thread/hubbub"
    second: float = ranged(0.0, 0, 1)
    threshold: float = ranged(0.0, 0, 1)
    renamed_state: ClassVar = HubbubThreader.renamed_state
    _own: HubbubThreader | None = field(default=None, init=False, repr=False)
    _runner: Any = field(default=None, init=False, repr=False, compare=False)

    def push(self, message: Message) -> ThreadDecision:
        """The parents of the next message of the chat, each with its probability."""
        if self._runner is None:
            self._runner = self._new_runner()
        decision: ThreadDecision = self._runner.push(message)
        return decision

    def reset(self) -> Self:
        """Forgets the chat so far."""
        self._runner = None
        return self

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        model = make("thread/hubbub")
        assert isinstance(model, HubbubThreader)
        self._own = model.fit(inputs, golds, seed=seed)
        return self.reset()

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [graph_of(map(self._new_runner().push, chat)) for chat in inputs]

    def _new_runner(self) -> Runner:
        from ..inference.runner import Runner

        return Runner(self._hubbub().trained(), self.second, self.threshold)

    def _hubbub(self) -> HubbubThreader:
        if self._own is None:
            loaded = load(self.model, task="thread")
            if not isinstance(loaded, HubbubThreader):
                raise ModelError(self.model, "thread/live runs models of the kind thread/hubbub only")
            self._own = loaded
        return self._own

    def state(self) -> Mapping[str, Any]:
        return self._hubbub().state()

    def schema(self) -> Schema:
        return HubbubThreader().schema()

    def restore(self, state: Mapping[str, Any]) -> Self:
        if state:
            self._own = HubbubThreader().restore(state)
        return self.reset()
