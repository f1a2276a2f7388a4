"""The dual encoders of Lowe et al. 2015: one recurrent layer encodes the context and, with the same
weights, the reply; a bilinear form M of both encodings is the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import ClassVar, Literal

import numpy as np

from ...ml.calibration import MASKED_LOGIT, sigmoid
from ...ml.model_schema import Size
from ...ml.parameters import ranged
from ...ml.recurrent import GATES, Kind, run_layer, torch_layer
from ...ml.types import UNTRAINED, Array, Network, Tensor
from ._network import ContextReplyPair, ReplyNetwork, embedded

# The matrix starts near a multiple of the identity: a context and a reply match as far as their vectors are alike.
INITIAL_MATCH_SCALE, INITIAL_MATCH_NOISE = 5.0, 0.01


@dataclass(repr=False)
class DualEncoder(ReplyNetwork):
    """A context is held `negatives` the replies of its whole batch, or, as published, against one true and one false
    reply. A text is the mean of its states or, as published, the `last` one, which takes many more examples to learn.
    `dropout` is of word vectors.
    """

    kind: ClassVar[Kind] = "lstm"

    renamed_parameters: ClassVar = {**ReplyNetwork.renamed_parameters, "against": "negatives"}
    hidden: int = ranged(200, 1, 2048)
    dropout: float = ranged(0.2, 0, 0.95)
    negatives: Literal["batch", "one"] = "batch"
    pool: Literal["mean", "last"] = "mean"
    reader_: Array = UNTRAINED
    match_: Array = UNTRAINED
    offset_: Array = UNTRAINED

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        reader = GATES[self.kind] * self.hidden, f"width+{self.hidden + 2}"
        return {"reader_": reader, "match_": (self.hidden, self.hidden), "offset_": (1,)}

    def build(self, torch: ModuleType, network: Network, width: int) -> None:
        layer = torch_layer(torch, self.kind, width, self.hidden)
        torch.nn.init.orthogonal_(layer.weight_hh_l0)
        network.add_module("reader_layer", layer)
        noise = INITIAL_MATCH_NOISE * torch.randn(self.hidden, self.hidden)
        network.match = torch.nn.Parameter(INITIAL_MATCH_SCALE * torch.eye(self.hidden) + noise)
        network.offset = torch.nn.Parameter(torch.zeros(1))

    def loss(self, torch: ModuleType, network: Network, batch: Sequence[ContextReplyPair], random: Random) -> Tensor:
        functional = torch.nn.functional
        contexts = self._read(torch, network, [pair.context for pair in batch])
        replies = self._read(torch, network, [pair.reply for pair in batch])
        scores = contexts @ network.match @ replies.T + network.offset
        reply_texts = [pair.text for pair in batch]
        if self.negatives == "batch":
            same = torch.tensor([[one == other for other in reply_texts] for one in reply_texts]) & ~torch.eye(
                len(reply_texts), dtype=bool
            )
            return functional.cross_entropy(scores.masked_fill(same, MASKED_LOGIT), torch.arange(len(reply_texts)))
        true = scores.diagonal()
        false = scores.roll(-random.randrange(1, len(reply_texts)), 1).diagonal()
        targets = torch.cat([torch.ones_like(true), torch.zeros_like(false)])
        return functional.binary_cross_entropy_with_logits(torch.cat([true, false]), targets)

    def _read(self, torch: ModuleType, network: Network, sequences: Sequence[Array]) -> Tensor:
        vectors, lengths = embedded(torch, network, sequences)
        states, _ = network.reader_layer(torch.nn.functional.dropout(vectors, self.dropout))
        if self.pool == "last":
            return states[lengths - 1, torch.arange(len(sequences))]
        mask = torch.arange(len(states))[:, None] < lengths
        return (states * mask[..., None]).sum(0) / lengths[:, None]

    def scores(self, context: Array, replies: Sequence[Array]) -> Array:
        (read,), answers = self._encoded([context]), self._encoded(replies)
        return sigmoid(answers @ (read @ self.match_) + self.offset_)

    def _encoded(self, sequences: Sequence[Array]) -> Array:
        vectors, lengths = self.embedded(sequences)
        states = run_layer(self.kind, self.reader_, vectors)
        if self.pool == "last":
            return states[np.array(lengths) - 1, np.arange(len(sequences))]
        return np.stack([states[:length, place].mean(0) for place, length in enumerate(lengths)])
