"""The dual encoders of Lowe et al. 2015: one recurrent layer reads the context and, with the same weights, the reply;
a matrix M between what it makes of both says how well the two fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Literal

import numpy as np

from ..parameters import ranged
from ..recurrent import GATES, Kind, module, run, sigmoid
from ..schema import Size
from .network import Network, Pair, embedded

NEVER = -1e4
SHARP, NOISE = 5.0, 0.01


@dataclass
class Dual(Network):
    """A context is held `against` the replies of its whole batch, or, as published, against one true and one false
    reply. A text is the mean of its states or, as published, the `last` one, which takes many more examples to learn.
    `dropout` is of word vectors.
    """

    kind: ClassVar[Kind] = "lstm"

    hidden: int = ranged(200, 1, 2048)
    dropout: float = ranged(0.2, 0, 0.95)
    against: Literal["batch", "one"] = "batch"
    pool: Literal["mean", "last"] = "mean"
    reader_: Any = None
    match_: Any = None
    offset_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        reader = GATES[self.kind] * self.hidden, f"width+{self.hidden + 2}"
        return {"reader_": reader, "match_": (self.hidden, self.hidden), "offset_": (1,)}

    def build(self, torch: Any, network: Any, width: int) -> None:
        layer = module(torch, self.kind, width, self.hidden)
        torch.nn.init.orthogonal_(layer.weight_hh_l0)
        network.add_module("reader_layer", layer)
        noise = NOISE * torch.randn(self.hidden, self.hidden)
        network.match = torch.nn.Parameter(SHARP * torch.eye(self.hidden) + noise)
        network.offset = torch.nn.Parameter(torch.zeros(1))

    def loss(self, torch: Any, network: Any, batch: Sequence[Pair], random: Random) -> Any:
        functional = torch.nn.functional
        contexts = self._read(torch, network, [pair.context for pair in batch])
        replies = self._read(torch, network, [pair.reply for pair in batch])
        scores = contexts @ network.match @ replies.T + network.offset
        said = [pair.said for pair in batch]
        if self.against == "batch":
            same = torch.tensor([[one == other for other in said] for one in said]) & ~torch.eye(len(said), dtype=bool)
            return functional.cross_entropy(scores.masked_fill(same, NEVER), torch.arange(len(said)))
        true = scores.diagonal()
        false = scores.roll(-random.randrange(1, len(said)), 1).diagonal()
        right = torch.cat([torch.ones_like(true), torch.zeros_like(false)])
        return functional.binary_cross_entropy_with_logits(torch.cat([true, false]), right)

    def _read(self, torch: Any, network: Any, sequences: Sequence[Any]) -> Any:
        vectors, lengths = embedded(torch, network, sequences)
        states, _ = network.reader_layer(torch.nn.functional.dropout(vectors, self.dropout))
        if self.pool == "last":
            return states[lengths - 1, torch.arange(len(sequences))]
        said = torch.arange(len(states))[:, None] < lengths
        return (states * said[..., None]).sum(0) / lengths[:, None]

    def scores(self, context: Any, replies: Sequence[Any]) -> Any:
        (read,), answers = self._encoded([context]), self._encoded(replies)
        return sigmoid(answers @ (read @ self.match_) + self.offset_)

    def _encoded(self, sequences: Sequence[Any]) -> Any:
        vectors, lengths = self.embedded(sequences)
        states = run(self.kind, self.reader_, vectors)
        if self.pool == "last":
            return states[np.array(lengths) - 1, np.arange(len(sequences))]
        return np.stack([states[:length, place].mean(0) for place, length in enumerate(lengths)])


@dataclass
class Rnn(Dual):
    """The plain recurrent network, with the paper's 50 units."""

    kind: ClassVar[Kind] = "rnn"
    hidden: int = ranged(50, 1, 2048)


@dataclass
class Lstm(Dual):
    """The long short-term memory, with the paper's 200 units."""
