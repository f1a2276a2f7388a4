"""The bundled model: boosted trees over a shortlist of candidates, twice, the second time with its own threads.

It reads a chat once from front to back, decides about each message before it sees the next, and remembers a bounded
amount. Everything that runs is in `compiled`, everything that trains in `learning`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ..chat import Chat, Message
from ..datasets import find
from ..layers import ReplyGraph
from ..parameters import ranged
from ..schema import DEEPEST_TREE, Schema
from ..task import whole_chat

if TYPE_CHECKING:
    from .compiled.memory import Weights


class Judged(NamedTuple):
    """What was decided about one message: its parents and how sure each is. A message that answers none is its own."""

    position: int
    parents: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass
class Hubbub:
    """Boosted trees over pairs and predicted threads, causal and compiled; what hubbub uses if nothing else is said.

    `second` is the probability from which on a second parent is named (0: never), `threshold` the one below which a
    message is said to answer nothing. The others are for training: how many folds of chats, how many trees in the
    two forests and how deep they are, and chats without annotation, as --on names them, from which words are learnt.
    """

    goes_on = True
    second: float = ranged(0.0, 0, 1)
    threshold: float = ranged(0.0, 0, 1)
    folds: int = ranged(3, 1, 100)
    first_trees: int = ranged(150, 1, 5000)
    second_trees: int = ranged(400, 1, 5000)
    depth: int = ranged(7, 1, DEEPEST_TREE)
    rate: float = ranged(0.07, 0.0001, 1)
    unlabelled: str = ""
    weights_: Any = None

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        """From scratch; or, if it is trained already, with trees added that fit these chats."""
        from .learning import require_parts
        from .learning.school import continued, trained

        require_parts()
        if self.weights_ is None:
            self.weights_ = trained(inputs, golds, self._others(), self, seed)
        else:
            self.weights_ = continued(self.weights_, inputs, golds, self, seed)
        return self

    def _others(self) -> list[Chat]:
        found = find(self.unlabelled) if self.unlabelled else None
        return [whole_chat(path, found.format) for path in found.files] if found else []

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [graph_of(self.stream(chat)) for chat in inputs]

    def stream(self, messages: Iterable[Message]) -> Iterator[Judged]:
        """Every message judged in order, in a memory that does not grow with the chat."""
        from .running import Runner

        return Runner(self.trained(), self.second, self.threshold).stream(messages)

    def trained(self) -> Weights:
        if self.weights_ is None:
            raise ValueError("the model is not trained")
        weights: Weights = self.weights_
        return weights

    def state(self) -> Mapping[str, Any]:
        from .running import flattened

        return flattened(self.trained())

    def schema(self) -> Schema:
        from .running import schema

        return schema()

    def restore(self, state: Mapping[str, Any]) -> Self:
        from .running import unflattened

        self.weights_ = unflattened(state)
        return self


def judged(model: Any, name: str, format: str, messages: Iterable[Message]) -> Iterable[Judged]:
    """Every message judged by any model of threads: as it passes, or all at once by models that need the whole chat."""
    if hasattr(model, "stream"):
        found: Iterable[Judged] = model.stream(messages)
        return found
    graph = model.predict([Chat(name, tuple(messages), format)])[0]
    scores = graph.scores or ((),) * len(graph.parents)
    return [Judged(place, *each) for place, each in enumerate(zip(graph.parents, scores, strict=True))]


def graph_of(judged: Iterable[Judged]) -> ReplyGraph:
    whole = list(judged)
    return ReplyGraph(tuple(each.parents for each in whole), tuple(each.scores for each in whole))
