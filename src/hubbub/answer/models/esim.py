"""The Enhanced LSTM (Chen et al., ACL 2017) as Kummerfeld et al. 2019 rank replies with it.

Both texts pass a bidirectional LSTM, each word attends to the other text, a second bidirectional LSTM composes the
comparison, and its states are pooled. Unlike in 2019, words are also compared by their own vectors, so that equal words
match from the start, and there are no character vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import ClassVar

import numpy as np

from ...ml.calibration import MASKED_LOGIT, sigmoid, softmax
from ...ml.model_schema import Size
from ...ml.parameters import ranged
from ...ml.recurrent import run_bidirectional, torch_bidirectional, torch_layer
from ...ml.types import UNTRAINED, Array, Network, Tensor
from ._network import ContextReplyPair, ReplyNetwork, embedded


@dataclass(repr=False)
class Esim(ReplyNetwork):
    """`hidden` is the size of each recurrent layer, `dense` that of the last hidden layer. Each context is trained with
    its own reply and `negatives` other ones of its batch.
    """

    renamed_parameters: ClassVar = {**ReplyNetwork.renamed_parameters, "false": "negatives"}
    max_context_tokens: int = ranged(180, 1, 10_000)
    batch: int = ranged(32, 2, 100_000)
    hidden: int = ranged(200, 1, 1024)
    dense: int = ranged(256, 1, 4096)
    negatives: int = ranged(3, 1, 100)
    dropout: float = ranged(0.2, 0, 0.95)
    forward_: Array = UNTRAINED
    backward_: Array = UNTRAINED
    compare_: Array = UNTRAINED
    compare_bias_: Array = UNTRAINED
    again_: Array = UNTRAINED
    again_backward_: Array = UNTRAINED
    dense_: Array = UNTRAINED
    dense_bias_: Array = UNTRAINED
    output_: Array = UNTRAINED

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

    def build(self, torch: ModuleType, network: Network, width: int) -> None:
        for name, size in (
            ("forward", width),
            ("backward", width),
            ("again", self.hidden),
            ("again_backward", self.hidden),
        ):
            network.add_module(f"{name}_layer", torch_layer(torch, "lstm", size, self.hidden))
        shapes = {
            "compare": (4 * (2 * self.hidden + width), self.hidden),
            "dense": (8 * self.hidden, self.dense),
            "output": (self.dense, 1),
        }
        for name, shape in shapes.items():
            network.register_parameter(name, torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(shape))))
        network.compare_bias = torch.nn.Parameter(torch.zeros(self.hidden))
        network.dense_bias = torch.nn.Parameter(torch.zeros(self.dense))

    def loss(self, torch: ModuleType, network: Network, batch: Sequence[ContextReplyPair], random: Random) -> Tensor:
        drop = torch.nn.functional.dropout
        sides = []
        for sequences in ([pair.context for pair in batch], [pair.reply for pair in batch]):
            vectors, lengths = embedded(torch, network, sequences)
            dropped = drop(vectors, self.dropout)
            sides.append((self._read(torch, network, dropped, lengths), lengths))
        candidates = [[place, *_others(batch, place, self.negatives, random)] for place in range(len(batch))]
        width = min(map(len, candidates))
        chosen = torch.tensor([each[:width] for each in candidates]).flatten()
        (contexts, context_lengths), (replies, reply_lengths) = sides
        own = torch.arange(len(batch)).repeat_interleave(width)
        scores = self._scores(
            torch, network, contexts[:, own], context_lengths[own], replies[:, chosen], reply_lengths[chosen]
        )
        targets = torch.zeros(len(batch), dtype=torch.long)
        return torch.nn.functional.cross_entropy(scores.view(len(batch), width), targets)

    def _read(self, torch: ModuleType, network: Network, vectors: Tensor, lengths: Tensor) -> Tensor:
        """The states of the first layers, and the word vectors beside them."""
        states = torch_bidirectional(torch, network.forward_layer, network.backward_layer, vectors, lengths)
        return torch.cat([states, vectors], -1)

    def _scores(
        self, torch: ModuleType, network: Network, one: Tensor, ones: Tensor, other: Tensor, others: Tensor
    ) -> Tensor:
        """How well pairs fit, in training; both sides are states, (step, pair, number), and lengths."""
        functional = torch.nn.functional
        one_mask, other_mask = (
            torch.arange(len(side))[:, None] < lengths for side, lengths in ((one, ones), (other, others))
        )
        similarity = torch.einsum("tpn,spn->pts", one, other)
        to_other = similarity.masked_fill(~other_mask.T[:, None], MASKED_LOGIT).softmax(2)
        to_one = similarity.masked_fill(~one_mask.T[:, :, None], MASKED_LOGIT).softmax(1)
        found = []
        for side, lengths, mask, attended in (
            (one, ones, one_mask, torch.einsum("pts,spn->tpn", to_other, other)),
            (other, others, other_mask, torch.einsum("pts,tpn->spn", to_one, one)),
        ):
            compared = torch.cat([side, attended, side - attended, side * attended], -1)
            compared_states = functional.relu(compared @ network.compare + network.compare_bias)
            compared_states = functional.dropout(compared_states, self.dropout)
            states = torch_bidirectional(
                torch, network.again_layer, network.again_backward_layer, compared_states, lengths
            )
            real = mask[..., None]
            found += [(states * real).sum(0) / lengths[:, None], states.masked_fill(~real, MASKED_LOGIT).amax(0)]
        chosen = torch.tanh(functional.dropout(torch.cat(found, 1), self.dropout) @ network.dense + network.dense_bias)
        return chosen @ network.output

    def scores(self, context: Array, replies: Sequence[Array]) -> Array:
        vectors, _ = self.embedded([context])
        one = np.concatenate([run_bidirectional(self.forward_, self.backward_, vectors[:, 0]), vectors[:, 0]], -1)
        vectors, lengths = self.embedded(replies)
        others = np.concatenate([run_bidirectional(self.forward_, self.backward_, vectors, lengths), vectors], -1)
        attentions = [_cross_attention(one, others[:length, place]) for place, length in enumerate(lengths)]
        context_side = self._compared(np.stack([one] * len(replies), 1), np.stack([look[0] for look in attentions], 1))
        attended = np.zeros_like(others)
        for place, (_, back) in enumerate(attentions):
            attended[: len(back), place] = back
        reply_side = self._compared(others, attended)
        found = [*self._pooled(context_side, [len(context)] * len(replies)), *self._pooled(reply_side, lengths)]
        chosen = np.tanh(np.concatenate(found, 1) @ self.dense_ + self.dense_bias_)
        return sigmoid(chosen @ self.output_)[:, 0]

    def _compared(self, side: Array, attended: Array) -> Array:
        compared = np.concatenate([side, attended, side - attended, side * attended], -1)
        return np.maximum(compared @ self.compare_ + self.compare_bias_, 0)

    def _pooled(self, inside: Array, lengths: Sequence[int]) -> tuple[Array, Array]:
        """The mean and the most of the second reading."""
        states = run_bidirectional(self.again_, self.again_backward_, inside, lengths)
        each = [states[:length, place] for place, length in enumerate(lengths)]
        return np.stack([rows.mean(0) for rows in each]), np.stack([rows.max(0) for rows in each])


def _cross_attention(one: Array, other: Array) -> tuple[Array, Array]:
    """What the words of two texts see of each other."""
    similarity = one @ other.T
    return softmax(similarity) @ other, softmax(similarity.T) @ one


def _others(batch: Sequence[ContextReplyPair], place: int, count: int, random: Random) -> list[int]:
    """Places of replies that say something else; where there are too few, the nearest to be had."""
    order = list(range(len(batch)))
    random.shuffle(order)
    order.sort(key=lambda other: batch[other].text == batch[place].text)
    return [other for other in order if other != place][:count]
