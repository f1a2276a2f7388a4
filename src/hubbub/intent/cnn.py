"""The paper's convolutional network over words, after Kim, Convolutional Neural Networks for Sentence Classification,
EMNLP 2014: filters of several widths, the most of each over the text, a dense layer. Torch trains it, NumPy runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..parameters import ranged
from ..schema import Field, Items, Numbers, Text
from ..text import words
from ..training import torch_or_error
from ..word_vectors import WIDTH, word_vectors
from .classifier import Classifier, Judged, parted
from .torch_descent import descend

MOST_WORDS = 200
PADDING, UNKNOWN = 0, 1


@dataclass
class Cnn(Classifier):
    """`filters` for each of the `widths` in words, over vectors that start from the file `vectors` and are trained on.

    With no file, the vectors of an installed GloVe package are the start, and random ones where there is none;
    `source_` says which it was.
    """

    most_rehearsals = 1
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
    embeddings_: Any = None
    kernels_: Any = None
    offsets_: Any = None
    dense_: Any = None
    dense_bias_: Any = None
    output_: Any = None
    output_bias_: Any = None

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

    def learn(self, texts: Sequence[str], labels: Any, classes: int, seed: int) -> None:
        torch = torch_or_error()
        self.vocabulary_ = sorted({word for text in texts for word in words(text)})
        start, self.source_ = self._start(np.random.default_rng(seed))
        windows = [torch.as_tensor(each) for each in self._windows(texts)]
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            network = _network(torch, start, self.widths, self.filters, self.dense, classes)

            def scores(places: Any) -> Any:
                return _forward(torch, network, [windows[place] for place in places], self.dropout)

            descend(network, scores, labels, self.epochs, self.batch, self.rate)
        self._keep(network)

    def _start(self, random: np.random.Generator) -> tuple[Any, str]:
        """Vectors before training: none for padding, random ones for words that have none."""
        found, source = word_vectors(self.vectors, self.vocabulary_ or [])
        width = len(next(iter(found.values()), np.zeros(WIDTH)))
        start = random.uniform(-0.25, 0.25, (len(self.vocabulary_ or []) + 2, width)).astype(np.float32)
        start[PADDING] = 0
        for place, word in enumerate(self.vocabulary_ or [], UNKNOWN + 1):
            start[place] = found.get(word, start[place])
        return start, source

    def _windows(self, texts: Sequence[str]) -> list[Any]:
        """For every word of each text the rows of it and of the words after it, as many as the widest filter sees."""
        place = {word: index for index, word in enumerate(self.vocabulary_ or [], UNKNOWN + 1)}
        listed = [[place.get(word, UNKNOWN) for word in words(text)[:MOST_WORDS]] or [UNKNOWN] for text in texts]
        span = np.arange(max(self.widths))
        padded = [np.pad(np.array(rows, np.int64), (0, len(span) - 1)) for rows in listed]
        return [each[np.arange(len(rows))[:, None] + span] for each, rows in zip(padded, listed, strict=True)]

    def _keep(self, network: Any) -> None:
        arrays = {name: value.detach().numpy().copy() for name, value in network.named_parameters()}
        arrays["kernels"] *= network.reach.numpy()
        for name, array in arrays.items():
            setattr(self, f"{name}_", array)

    def judge(self, texts: Sequence[str]) -> Judged:
        scores = np.array([self._scores(windows) for windows in self._windows(texts)], np.float32)
        return parted(scores, len(self.names_ or []))

    def _scores(self, windows: Any) -> Any:
        found = self.embeddings_[windows].reshape(len(windows), -1) @ self.kernels_ + self.offsets_
        hidden = np.maximum(np.maximum(found.max(0), 0) @ self.dense_ + self.dense_bias_, 0)
        return hidden @ self.output_ + self.output_bias_


def _network(torch: Any, start: Any, widths: Sequence[int], filters: int, dense: int, classes: int) -> Any:
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


def _forward(torch: Any, network: Any, windows: Sequence[Any], dropout: float) -> Any:
    """Scores of a batch of texts."""
    functional = torch.nn.functional
    embedded = functional.embedding(torch.cat(list(windows)), network.embeddings, padding_idx=PADDING)
    found = embedded.flatten(1) @ (network.kernels * network.reach) + network.offsets
    most = torch.segment_reduce(found, "max", lengths=torch.tensor([len(each) for each in windows]))
    hidden = functional.relu(functional.relu(most) @ network.dense + network.dense_bias)
    return functional.dropout(hidden, dropout) @ network.output + network.output_bias
