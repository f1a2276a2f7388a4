"""The Enhanced LSTM (Chen et al., ACL 2017) as Kummerfeld et al. 2019 choose replies with it.

Context and reply are read from both ends, every word looks at the other text's words that are like it, the two are
compared and read once more, and what is found is pooled. Words are compared by their own vectors too, so that equal
ones are known from the start; the 2019 model has no such shortcut, and vectors of characters besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from ..parameters import ranged
from ..recurrent import both_ways, module, run_both_ways, sigmoid
from ..schema import Size
from .network import Network, Pair, embedded

NEVER = -1e4


@dataclass
class Esim(Network):
    """`hidden` is the size of each recurrent layer, `dense` that of the layer that chooses. A context is held against
    its own reply and `false` other ones of its batch.
    """

    longest: int = ranged(180, 1, 10_000)
    batch: int = ranged(32, 2, 100_000)
    hidden: int = ranged(200, 1, 1024)
    dense: int = ranged(256, 1, 4096)
    false: int = ranged(3, 1, 100)
    dropout: float = ranged(0.2, 0, 0.95)
    forward_: Any = None
    backward_: Any = None
    compare_: Any = None
    compare_bias_: Any = None
    again_: Any = None
    again_backward_: Any = None
    dense_: Any = None
    dense_bias_: Any = None
    output_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        hidden, dense = self.hidden, self.dense
        reader, again = (4 * hidden, f"width+{hidden + 2}"), (4 * hidden, 2 * hidden + 2)
        return {
            "forward_": reader,
            "backward_": reader,
            "compare_": (f"4*width+{8 * hidden}", hidden),
            "compare_bias_": (hidden,),
            "again_": again,
            "again_backward_": again,
            "dense_": (8 * hidden, dense),
            "dense_bias_": (dense,),
            "output_": (dense, 1),
        }

    def build(self, torch: Any, network: Any, width: int) -> None:
        for name, size in (
            ("forward", width),
            ("backward", width),
            ("again", self.hidden),
            ("again_backward", self.hidden),
        ):
            network.add_module(f"{name}_layer", module(torch, "lstm", size, self.hidden))
        shapes = {
            "compare": (4 * (2 * self.hidden + width), self.hidden),
            "dense": (8 * self.hidden, self.dense),
            "output": (self.dense, 1),
        }
        for name, shape in shapes.items():
            network.register_parameter(name, torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(shape))))
        network.compare_bias = torch.nn.Parameter(torch.zeros(self.hidden))
        network.dense_bias = torch.nn.Parameter(torch.zeros(self.dense))

    def loss(self, torch: Any, network: Any, batch: Sequence[Pair], random: Random) -> Any:
        drop = torch.nn.functional.dropout
        sides = []
        for sequences in ([pair.context for pair in batch], [pair.reply for pair in batch]):
            vectors, lengths = embedded(torch, network, sequences)
            given = drop(vectors, self.dropout)
            sides.append((self._read(torch, network, given, lengths), lengths))
        candidates = [[place, *_others(batch, place, self.false, random)] for place in range(len(batch))]
        width = min(map(len, candidates))
        chosen = torch.tensor([each[:width] for each in candidates]).flatten()
        (contexts, context_lengths), (replies, reply_lengths) = sides
        own = torch.arange(len(batch)).repeat_interleave(width)
        scores = self._scores(
            torch, network, contexts[:, own], context_lengths[own], replies[:, chosen], reply_lengths[chosen]
        )
        right = torch.zeros(len(batch), dtype=torch.long)
        return torch.nn.functional.cross_entropy(scores.view(len(batch), width), right)

    def _read(self, torch: Any, network: Any, given: Any, lengths: Any) -> Any:
        """What the first layers make of words, and the words themselves."""
        return torch.cat([both_ways(torch, network.forward_layer, network.backward_layer, given, lengths), given], -1)

    def _scores(self, torch: Any, network: Any, one: Any, ones: Any, other: Any, others: Any) -> Any:
        """How well pairs fit, in training; both sides are states, (step, pair, number), and lengths."""
        functional = torch.nn.functional
        seen, also = (torch.arange(len(side))[:, None] < lengths for side, lengths in ((one, ones), (other, others)))
        like = torch.einsum("tpn,spn->pts", one, other)
        to_other = like.masked_fill(~also.T[:, None], NEVER).softmax(2)
        to_one = like.masked_fill(~seen.T[:, :, None], NEVER).softmax(1)
        found = []
        for side, lengths, mask, looked in (
            (one, ones, seen, torch.einsum("pts,spn->tpn", to_other, other)),
            (other, others, also, torch.einsum("pts,tpn->spn", to_one, one)),
        ):
            compared = torch.cat([side, looked, side - looked, side * looked], -1)
            inside = functional.relu(compared @ network.compare + network.compare_bias)
            inside = functional.dropout(inside, self.dropout)
            states = both_ways(torch, network.again_layer, network.again_backward_layer, inside, lengths)
            kept = mask[..., None]
            found += [(states * kept).sum(0) / lengths[:, None], states.masked_fill(~kept, NEVER).amax(0)]
        chosen = torch.tanh(functional.dropout(torch.cat(found, 1), self.dropout) @ network.dense + network.dense_bias)
        return chosen @ network.output

    def scores(self, context: Any, replies: Sequence[Any]) -> Any:
        vectors, _ = self.embedded([context])
        one = np.concatenate([run_both_ways(self.forward_, self.backward_, vectors[:, 0]), vectors[:, 0]], -1)
        vectors, lengths = self.embedded(replies)
        others = np.concatenate([run_both_ways(self.forward_, self.backward_, vectors, lengths), vectors], -1)
        looks = [_looked(one, others[:length, place]) for place, length in enumerate(lengths)]
        context_side = self._compared(np.stack([one] * len(replies), 1), np.stack([look[0] for look in looks], 1))
        looked = np.zeros_like(others)
        for place, (_, back) in enumerate(looks):
            looked[: len(back), place] = back
        reply_side = self._compared(others, looked)
        found = [*self._pooled(context_side, [len(context)] * len(replies)), *self._pooled(reply_side, lengths)]
        chosen = np.tanh(np.concatenate(found, 1) @ self.dense_ + self.dense_bias_)
        return sigmoid(chosen @ self.output_)[:, 0]

    def _compared(self, side: Any, looked: Any) -> Any:
        compared = np.concatenate([side, looked, side - looked, side * looked], -1)
        return np.maximum(compared @ self.compare_ + self.compare_bias_, 0)

    def _pooled(self, inside: Any, lengths: Sequence[int]) -> tuple[Any, Any]:
        """The mean and the most of the second reading."""
        states = run_both_ways(self.again_, self.again_backward_, inside, lengths)
        each = [states[:length, place] for place, length in enumerate(lengths)]
        return np.stack([rows.mean(0) for rows in each]), np.stack([rows.max(0) for rows in each])


def _looked(one: Any, other: Any) -> tuple[Any, Any]:
    """What the words of two texts see of each other."""
    like = one @ other.T
    return _softmax(like) @ other, _softmax(like.T) @ one


def _softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def _others(batch: Sequence[Pair], place: int, count: int, random: Random) -> list[int]:
    """Places of replies that say something else; where there are too few, the nearest to be had."""
    order = list(range(len(batch)))
    random.shuffle(order)
    order.sort(key=lambda other: batch[other].said == batch[place].said)
    return [other for other in order if other != place][:count]
