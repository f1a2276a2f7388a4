"""The KNU-CI system of SemEval-2018 Task 4: an encoder reads the dialogue from both ends, a decoder goes from mention
to mention, and each looks at the one other that fits it best before its person is chosen.

The recurrent layers are LSTMs; the system has GRUs, which torch trains several times as slowly on a CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..parameters import ranged
from ..recurrent import module, run
from ..schema import Size
from .network import Network, Piece
from .stream import SORTS

NEVER = -1e4


@dataclass
class Knu(Network):
    """Besides words and speakers it sees whether a word has a capital and what sort of mention ends with it, as `sort`
    numbers; the published system had tags of named entities there. `dense` is the size of the last layer but one. The
    attention is hard: its gradient is that of the soft one, and it also learns, with the weight `together`, to look at
    mentions of the same person.
    """

    dropout: float = ranged(0.2, 0, 0.95)
    epochs: int = ranged(14, 1, 10_000)
    batch: int = ranged(4, 1, 100_000)
    rate: float = ranged(4e-3, 0, 10)
    members: int = ranged(3, 1, 32)
    sort: int = ranged(19, 1, 1024)
    dense: int = ranged(128, 1, 4096)
    together: float = ranged(0.5, 0, 1000)
    sorts_: Any = None
    decoder_: Any = None
    attention_: Any = None
    aim_: Any = None
    dense_: Any = None
    dense_bias_: Any = None
    output_: Any = None
    output_bias_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        states, seen = 2 * self.hidden, 5 * self.hidden
        return {
            "sorts_": ("members", SORTS, self.sort),
            "decoder_": ("members", 4 * self.hidden, states + self.hidden + 2),
            "attention_": ("members", seen, self.hidden),
            "aim_": ("members", self.hidden, 1),
            "dense_": ("members", seen, self.dense),
            "dense_bias_": ("members", self.dense),
            "output_": ("members", self.dense, "people"),
            "output_bias_": ("members", "people"),
        }

    def more(self, member: int, piece: Piece) -> list[Any]:
        return [piece.capital, self.sorts_[member][piece.sorts]]

    def more_width(self) -> int:
        return 1 + self.sort

    def more_learning(self, torch: Any, network: Any, piece: Piece) -> list[Any]:
        sorts = torch.nn.functional.embedding(torch.as_tensor(piece.sorts), network.sorts)
        return [torch.as_tensor(piece.capital), sorts]

    def build(self, torch: Any, network: Any, width: int, classes: int) -> None:
        network.sorts = torch.nn.Parameter(0.3 * torch.randn(SORTS, self.sort))
        network.add_module("decoder_layer", module(torch, "lstm", width, self.hidden))
        seen = self.hidden + 2 * width
        shapes = {
            "attention": (seen, self.hidden),
            "aim": (self.hidden, 1),
            "dense": (seen, self.dense),
            "output": (self.dense, classes),
        }
        for name, shape in shapes.items():
            network.register_parameter(name, torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(shape))))
        network.dense_bias = torch.nn.Parameter(torch.zeros(self.dense))
        network.output_bias = torch.nn.Parameter(torch.zeros(classes))

    def learning(self, torch: Any, network: Any, states: Sequence[Any], golds: Sequence[Any]) -> tuple[Any, Any]:
        functional = torch.nn.functional
        found = [functional.dropout(each, self.dropout) for each in states]
        decoded, _ = network.decoder_layer(torch.nn.utils.rnn.pad_sequence(found))
        scores, astray = [], torch.zeros(())
        for place, (mentions, people) in enumerate(zip(found, golds, strict=True)):
            told = functional.dropout(decoded[: len(mentions), place], self.dropout)
            fits = self._fits(torch, network, told, mentions)
            soft = fits.softmax(1)
            hard = functional.one_hot(soft.argmax(1), len(mentions)).float()
            other = (hard + soft - soft.detach()) @ mentions
            seen = torch.cat([told, other, mentions], 1)
            inside = functional.relu(seen @ network.dense + network.dense_bias)
            scores.append(functional.dropout(inside, self.dropout) @ network.output + network.output_bias)
            astray = astray + _astray(torch, fits, people)
        return torch.cat(scores), self.together * astray / sum(map(len, found))

    def _fits(self, torch: Any, network: Any, told: Any, mentions: Any) -> Any:
        """How well each mention fits each other one; none looks at itself, unless it is alone."""
        parts = network.attention.split([told.shape[1], mentions.shape[1], mentions.shape[1]])
        own = told @ parts[0] + mentions @ parts[2]
        fits = (torch.tanh(own[:, None] + (mentions @ parts[1])[None]) @ network.aim)[..., 0]
        return fits.masked_fill(torch.eye(len(fits), dtype=torch.bool), NEVER)

    def scores(self, member: int, states: Any) -> Any:
        told = run("lstm", self.decoder_[member], states)
        other = states[self._looks_at(member, told, states)]
        seen = np.concatenate([told, other, states], 1)
        inside = np.maximum(seen @ self.dense_[member] + self.dense_bias_[member], 0)
        return inside @ self.output_[member] + self.output_bias_[member]

    def _looks_at(self, member: int, told: Any, states: Any) -> list[int]:
        """For each mention the place of the one that it looks at."""
        first, second, third = np.split(self.attention_[member], [told.shape[1], told.shape[1] + states.shape[1]])
        own, others = told @ first + states @ third, states @ second
        places = []
        for place, each in enumerate(own):
            fits = np.tanh(others + each) @ self.aim_[member][:, 0]
            fits[place] = NEVER
            places.append(int(fits.argmax()))
        return places


def _astray(torch: Any, fits: Any, people: Any) -> Any:
    """How little attention goes to mentions of the same person, summed over the mentions that have such."""
    same = (people[:, None] == people[None]) & ~torch.eye(len(people), dtype=torch.bool)
    some = same.any(1)
    if not some.any():
        return torch.zeros(())
    chances = fits.log_softmax(1).masked_fill(~same, NEVER)
    return -torch.logsumexp(chances, 1)[some].sum()
