"""The KNU-CI system of SemEval-2018 Task 4: a bidirectional encoder over the dialogue, a decoder
from mention to mention, and hard attention of each mention to one other before the person is classified.

The recurrent layers are LSTMs; the system has GRUs, which torch trains several times as slowly on a CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...ml.calibration import MASKED_LOGIT
from ...ml.model_schema import Size
from ...ml.parameters import ranged
from ...ml.recurrent import run_layer, torch_layer
from ..features.token_sequence import MENTION_LABELS
from ._network import EncodedSequence, LinkingNetwork


@dataclass(repr=False)
class Knu(LinkingNetwork):
    """Inputs are also whether a word has a capital and the kind of mention that ends with it, as an embedding of size
    `mention_type_size`; the published system had tags of named entities there. `dense` is the size of the last hidden
    layer. The attention is hard with the gradient of the soft one, and has an auxiliary loss, weighted by
    `attention_loss_weight`, that rewards attention to mentions of the same person.
    """

    dropout: float = ranged(0.2, 0, 0.95)
    epochs: int = ranged(14, 1, 10_000)
    batch: int = ranged(4, 1, 100_000)
    rate: float = ranged(4e-3, 0, 10)
    members: int = ranged(3, 1, 32)
    renamed_parameters: ClassVar = {
        **LinkingNetwork.renamed_parameters,
        "sort": "mention_type_size",
        "together": "attention_loss_weight",
    }
    mention_type_size: int = ranged(19, 1, 1024)
    dense: int = ranged(128, 1, 4096)
    attention_loss_weight: float = ranged(0.5, 0, 1000)
    sorts_: Any = None
    decoder_: Any = None
    attention_: Any = None
    aim_: Any = None
    dense_: Any = None
    dense_bias_: Any = None
    output_: Any = None
    output_bias_: Any = None

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        states, combined = 2 * self.hidden, 5 * self.hidden
        return {
            "sorts_": ("members", MENTION_LABELS, self.mention_type_size),
            "decoder_": ("members", 4 * self.hidden, states + self.hidden + 2),
            "attention_": ("members", combined, self.hidden),
            "aim_": ("members", self.hidden, 1),
            "dense_": ("members", combined, self.dense),
            "dense_bias_": ("members", self.dense),
            "output_": ("members", self.dense, "people"),
            "output_bias_": ("members", "people"),
        }

    def more(self, member: int, piece: EncodedSequence) -> list[Any]:
        return [piece.capital, self.sorts_[member][piece.sorts]]

    def more_width(self) -> int:
        return 1 + self.mention_type_size

    def more_learning(self, torch: Any, network: Any, piece: EncodedSequence) -> list[Any]:
        sorts = torch.nn.functional.embedding(torch.as_tensor(piece.sorts), network.sorts)
        return [torch.as_tensor(piece.capital), sorts]

    def build(self, torch: Any, network: Any, width: int, classes: int) -> None:
        network.sorts = torch.nn.Parameter(0.3 * torch.randn(MENTION_LABELS, self.mention_type_size))
        network.add_module("decoder_layer", torch_layer(torch, "lstm", width, self.hidden))
        combined = self.hidden + 2 * width
        shapes = {
            "attention": (combined, self.hidden),
            "aim": (self.hidden, 1),
            "dense": (combined, self.dense),
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
        scores, attention_loss = [], torch.zeros(())
        for place, (mentions, people) in enumerate(zip(found, golds, strict=True)):
            decoded_states = functional.dropout(decoded[: len(mentions), place], self.dropout)
            # Attention logits between mentions; the diagonal is masked, unless a mention is alone.
            parts = network.attention.split([decoded_states.shape[1], mentions.shape[1], mentions.shape[1]])
            own = decoded_states @ parts[0] + mentions @ parts[2]
            attention_logits = (torch.tanh(own[:, None] + (mentions @ parts[1])[None]) @ network.aim)[..., 0]
            attention_logits = attention_logits.masked_fill(
                torch.eye(len(attention_logits), dtype=torch.bool), MASKED_LOGIT
            )
            soft = attention_logits.softmax(1)
            hard = functional.one_hot(soft.argmax(1), len(mentions)).float()
            other = (hard + soft - soft.detach()) @ mentions
            combined = torch.cat([decoded_states, other, mentions], 1)
            inside = functional.relu(combined @ network.dense + network.dense_bias)
            scores.append(functional.dropout(inside, self.dropout) @ network.output + network.output_bias)
            attention_loss = attention_loss + _attention_loss(torch, attention_logits, people)
        return torch.cat(scores), self.attention_loss_weight * attention_loss / sum(map(len, found))

    def scores(self, member: int, states: Any) -> Any:
        decoded_states = run_layer("lstm", self.decoder_[member], states)
        other = states[self._attended(member, decoded_states, states)]
        combined = np.concatenate([decoded_states, other, states], 1)
        inside = np.maximum(combined @ self.dense_[member] + self.dense_bias_[member], 0)
        return inside @ self.output_[member] + self.output_bias_[member]

    def _attended(self, member: int, decoded_states: Any, states: Any) -> list[int]:
        """For each mention the position of the one that it attends to."""
        first, second, third = np.split(
            self.attention_[member], [decoded_states.shape[1], decoded_states.shape[1] + states.shape[1]]
        )
        own, others = decoded_states @ first + states @ third, states @ second
        places = []
        for place, each in enumerate(own):
            attention_logits = np.tanh(others + each) @ self.aim_[member][:, 0]
            attention_logits[place] = MASKED_LOGIT
            places.append(int(attention_logits.argmax()))
        return places


def _attention_loss(torch: Any, attention_logits: Any, people: Any) -> Any:
    """How little attention goes to mentions of the same person, summed over the mentions that have such."""
    same = (people[:, None] == people[None]) & ~torch.eye(len(people), dtype=torch.bool)
    some = same.any(1)
    if not some.any():
        return torch.zeros(())
    probabilities = attention_logits.log_softmax(1).masked_fill(~same, MASKED_LOGIT)
    return -torch.logsumexp(probabilities, 1)[some].sum()
