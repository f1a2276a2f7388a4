"""The bundled model one message at a time, for chats that are still going on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from ..chat import Chat, Message
from ..errors import ModelError
from ..layers import ReplyGraph
from ..model import load, make
from ..parameters import ranged
from ..schema import Schema
from .hubbub import Hubbub, Judged, graph_of

if TYPE_CHECKING:
    from .running import Runner


@dataclass
class Live:
    """thread/hubbub as messages come: push(message) tells its parents and how sure they are.

    It uses the bundled weights, or those of the folder that `model` names, until it is fitted itself.
    """

    model: str = "thread/hubbub"
    second: float = ranged(0.0, 0, 1)
    threshold: float = ranged(0.0, 0, 1)
    _own: Hubbub | None = field(default=None, init=False, repr=False)
    _runner: Any = field(default=None, init=False, repr=False, compare=False)

    def push(self, message: Message) -> Judged:
        """The parents of the next message of the chat, each with its probability."""
        if self._runner is None:
            self._runner = self._new_runner()
        judged: Judged = self._runner.push(message)
        return judged

    def reset(self) -> Self:
        """Forgets the chat so far."""
        self._runner = None
        return self

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        made = make("thread/hubbub")
        assert isinstance(made, Hubbub)
        self._own = made.fit(inputs, golds, seed=seed)
        return self.reset()

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [graph_of(map(self._new_runner().push, chat)) for chat in inputs]

    def _new_runner(self) -> Runner:
        from .running import Runner

        return Runner(self._hubbub().trained(), self.second, self.threshold)

    def _hubbub(self) -> Hubbub:
        if self._own is None:
            loaded = load(self.model, task="thread")
            if not isinstance(loaded, Hubbub):
                raise ModelError(self.model, "thread/live runs models of the kind thread/hubbub only")
            self._own = loaded
        return self._own

    def state(self) -> Mapping[str, Any]:
        return self._hubbub().state()

    def schema(self) -> Schema:
        return Hubbub().schema()

    def restore(self, state: Mapping[str, Any]) -> Self:
        if state:
            self._own = Hubbub().restore(state)
        return self.reset()
