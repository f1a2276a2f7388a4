"""The paper's convolutional network over words, after Kim, Convolutional Neural Networks for Sentence Classification,
EMNLP 2014: filters of several widths, the most of each over the text, a dense layer. Torch trains it, NumPy runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from ...ml.model_schema import Field, Items, Numbers, Text
from ...ml.parameters import ranged
from ...ml.torch_import import torch_or_error
from ...ml.types import UNTRAINED, Array, Network, Tensor
from ...ml.word_vectors import initial_embeddings
from ...text import words
from ..training.small_networks import train_classifier
from ._classifier import Classifier, ScoredTexts, split_scores

MAX_WORDS = 200  # bounds the time for pastes
PADDING, UNKNOWN = 0, 1  # the first rows of the embeddings


@dataclass(repr=False)
class Cnn(Classifier):
    """`filters` for each of the `widths` in words, over vectors that start from the file `vectors` and are trained on.

    With no file, the vectors of an installed GloVe package are the start, and random ones where there is none;
    `source_` says which it was.
    """

    max_holdout_rounds = 1
    vectors: str = ""
    widths: tuple[int, ...] = ranged((3, 4, 5), 1, 20)
    filters: int = ranged(200, 1, 1000)
    dense: int = ranged(300, 1, 4096)
    dropout: float = ranged(0.6, 0, 0.95)
    epochs: int = ranged(15, 1, 10_000)
    batch: int = ranged(16, 1, 100_000)
    rate: float = ranged(1e-3, 0, 10)
    source_: str | None = None
    vocabulary_: list[str] | None = None
    embeddings_: Array = UNTRAINED
    kernels_: Array = UNTRAINED
    offsets_: Array = UNTRAINED
    dense_: Array = UNTRAINED
    dense_bias_: Array = UNTRAINED
    output_: Array = UNTRAINED
    output_bias_: Array = UNTRAINED

    def fields(self, tuned: bool) -> dict[str, Field]:
        every = self.filters * len(self.widths)
        return {
            "source_": Text(),
            "vocabulary_": Items(Text(), "words", distinct=True),
            "embeddings_": Numbers("float32", ("words+2", "width")),
            "kernels_": Numbers("float32", (f"{max(self.widths)}*width", every)),
            "offsets_": Numbers("float32", (every,)),
            "dense_": Numbers("float32", (every, self.dense)),
            "dense_bias_": Numbers("float32", (self.dense,)),
            "output_": Numbers("float32", (self.dense, "classes")),
            "output_bias_": Numbers("float32", ("classes",)),
        }

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        torch = torch_or_error()
        self.vocabulary_ = sorted({word for text in texts for word in words(text)})
        start, self.source_ = initial_embeddings(self.vectors, self.vocabulary_, np.random.default_rng(seed))
        windows = [torch.as_tensor(each) for each in self._windows(texts)]
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            network = _network(torch, start, self.widths, self.filters, self.dense, classes)

            def scores(places: Tensor) -> Tensor:
                return _forward(torch, network, [windows[place] for place in places], self.dropout)

            train_classifier(network, scores, labels, self.epochs, self.batch, self.rate)
        arrays = {name: value.detach().numpy().copy() for name, value in network.named_parameters()}
        arrays["kernels"] *= network.reach.numpy()
        for name, array in arrays.items():
            setattr(self, f"{name}_", array)

    def _windows(self, texts: Sequence[str]) -> list[Array]:
        """For every word of each text the rows of it and of the words after it, as many as the widest filter sees."""
        place = {word: index for index, word in enumerate(self.vocabulary_ or [], UNKNOWN + 1)}
        listed = [[place.get(word, UNKNOWN) for word in words(text)[:MAX_WORDS]] or [UNKNOWN] for text in texts]
        span = np.arange(max(self.widths))
        padded = [np.pad(np.array(rows, np.int64), (0, len(span) - 1)) for rows in listed]
        return [each[np.arange(len(rows))[:, None] + span] for each, rows in zip(padded, listed, strict=True)]

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        scores = np.array([self._scores(windows) for windows in self._windows(texts)], np.float32)
        return split_scores(scores, len(self.names_ or []))

    def _scores(self, windows: Array) -> Array:
        found = self.embeddings_[windows].reshape(len(windows), -1) @ self.kernels_ + self.offsets_
        hidden = np.maximum(np.maximum(found.max(0), 0) @ self.dense_ + self.dense_bias_, 0)
        return hidden @ self.output_ + self.output_bias_


def _network(torch: ModuleType, start: Array, widths: Sequence[int], filters: int, dense: int, classes: int) -> Network:
    """The parameters; filters of all widths stand in one matrix, and `reach` keeps the narrow ones narrow."""
    network, size, span = torch.nn.Module(), start.shape[1], max(widths)
    network.embeddings = torch.nn.Parameter(torch.as_tensor(start).clone())
    shapes = {"kernels": (span * size, filters * len(widths)), "dense": (filters * len(widths), dense)}
    for name, shape in (shapes | {"output": (dense, classes)}).items():
        network.register_parameter(name, torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(shape))))
    for name, count in (("offsets", filters * len(widths)), ("dense_bias", dense), ("output_bias", classes)):
        network.register_parameter(name, torch.nn.Parameter(torch.zeros(count)))
    reach = [[float(row // size < width) for width in widths for _ in range(filters)] for row in range(span * size)]
    network.register_buffer("reach", torch.tensor(reach))
    return network


def _forward(torch: ModuleType, network: Network, windows: Sequence[Tensor], dropout: float) -> Tensor:
    """Scores of a batch of texts."""
    functional = torch.nn.functional
    embedded = functional.embedding(torch.cat(list(windows)), network.embeddings, padding_idx=PADDING)
    found = embedded.flatten(1) @ (network.kernels * network.reach) + network.offsets
    most = torch.segment_reduce(found, "max", lengths=torch.tensor([len(each) for each in windows]))
    hidden = functional.relu(functional.relu(most) @ network.dense + network.dense_bias)
    return functional.dropout(hidden, dropout) @ network.output + network.output_bias
