"""The bundled model: boosted trees rank a shortlist of candidates, then rank it again with features of their threads.

It reads a chat once from front to back, decides about each message before it sees the next, and keeps a state of fixed
size. `thread/inference` runs it, `thread/training` trains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...chat import Chat, Message
from ...layers import ReplyGraph
from ...ml.datasets import find
from ...ml.model_schema import MAX_TREE_DEPTH, Schema
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ...ml.task import whole_chat
from ..predict import ThreadDecision, graph_of

if TYPE_CHECKING:
    from ..inference.runner import Runner
    from ..inference.state import ThreaderWeights


@dataclass(repr=False)
class HubbubThreader(BaseModel):
    """Boosted trees over pairs of messages and predicted threads, causal and compiled; the default model.

    A second parent is predicted from the probability `second` on (0: never); below `threshold` a message starts a
    conversation. The others are for training: the number of folds, the boosting rounds of the first and second trees,
    their depth and learning rate, and `unlabelled` chats, as --on names them, for word vectors.
    """

    continues_training = True
    renamed_state: ClassVar = {"ask": "parent_vectors", "say": "reply_vectors"}  # as version 1 saved them
    second: float = ranged(0.0, 0, 1)
    threshold: float = ranged(0.0, 0, 1)
    folds: int = ranged(3, 1, 100)
    first_trees: int = ranged(150, 1, 5000)
    second_trees: int = ranged(400, 1, 5000)
    depth: int = ranged(7, 1, MAX_TREE_DEPTH)
    rate: float = ranged(0.07, 0.0001, 1)
    unlabelled: str = ""
    weights_: Any = None

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        """Trains from scratch; a model that is trained already gets more trees, which correct it on these chats."""
        from ..training import require_libraries
        from ..training.train_hubbub import continue_training, train_weights

        require_libraries()
        if self.weights_ is None:
            found = find(self.unlabelled) if self.unlabelled else None
            unlabelled = [whole_chat(path, found.format) for path in found.files] if found else []
            self.weights_ = train_weights(inputs, golds, unlabelled, self, seed)
        else:
            self.weights_ = continue_training(self.weights_, inputs, golds, self, seed)
        return self

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [graph_of(self.stream(chat)) for chat in inputs]

    def stream(self, messages: Iterable[Message]) -> Iterator[ThreadDecision]:
        """The decision about every message in order, in memory that does not grow with the chat."""
        return self.runner().stream(messages)

    def runner(self) -> Runner:
        """What decides about the messages of one chat, in batches or one by one."""
        from ..inference.runner import Runner

        return Runner(self.trained(), self.second, self.threshold)

    def trained(self) -> ThreaderWeights:
        if self.weights_ is None:
            raise ValueError("the model is not trained")
        weights: ThreaderWeights = self.weights_
        return weights

    def state(self) -> Mapping[str, Any]:
        from ..inference.runner import to_arrays

        return to_arrays(self.trained())

    def schema(self) -> Schema:
        from ..inference.runner import schema

        return schema()

    def restore(self, state: Mapping[str, Any]) -> Self:
        from ..inference.runner import from_arrays

        self.weights_ = from_arrays(state)
        return self
