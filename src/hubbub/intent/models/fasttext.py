"""The paper's bag of word n-grams, after Joulin et al., Bag of Tricks for Efficient Text Classification, EACL 2017.

This is not the fastText library, which has no wheels for most systems, but the network that it trains: the vectors of a
text's words and word n-grams are averaged, one linear layer makes scores of the average, and plain stochastic gradient
descent with a rate that falls to zero goes over the examples one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np

from ...ml.calibration import sigmoid, softmax
from ...ml.model_schema import Field, Numbers
from ...ml.parameters import ranged
from ...ml.types import UNTRAINED, Array
from ...text import whole, words
from ._classifier import Classifier, ScoredTexts, split_scores

END = "</s>"  # ends every text, as one more word
NEGATIVES = 5  # fastText's default


@dataclass(repr=False)
class FastText(Classifier):
    """Vectors of `dim` numbers for words and n-grams of up to `ngrams` words.

    The loss is a `softmax` over all classes, or `ns`: the right class against a few that are drawn.
    """

    dim: int = ranged(100, 1, 2000)
    ngrams: int = ranged(2, 1, 10)
    rate: float = ranged(1.0, 0, 100)
    epochs: int = ranged(30, 1, 10_000)
    loss: Literal["softmax", "ns"] = "softmax"
    keys_: Array = UNTRAINED
    vectors_: Array = UNTRAINED
    weights_: Array = UNTRAINED

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            "keys_": Numbers("uint32", ("grams",), 0, 2**32 - 1, ascending=True),
            "vectors_": Numbers("float32", ("grams", self.dim)),
            "weights_": Numbers("float32", ("classes", self.dim)),
        }

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        grams = [_hashed(_grams(text, self.ngrams)) for text in texts]
        self.keys_ = np.unique(np.concatenate(grams))
        limit = 1 / self.dim
        self.vectors_ = random.uniform(-limit, limit, (len(self.keys_), self.dim)).astype(np.float32)
        self.weights_ = np.zeros((classes, self.dim), np.float32)
        bags = [_shares(np.searchsorted(self.keys_, each), len(each)) for each in grams]
        step = self._softmax_step if self.loss == "softmax" else self._sampled_step
        for rate, place, others in self._schedule(labels, classes, random):
            rows, shares = bags[place]
            step(rows, shares, rate, labels[place], others)

    def _schedule(self, labels: Array, classes: int, random: np.random.Generator) -> Iterator[tuple[float, int, Array]]:
        """For each step the rate, the example, and the classes that its own is compared with if they are sampled."""
        steps, step = self.epochs * len(labels), 0
        negative_weights = np.sqrt(np.bincount(labels, minlength=classes))
        for _ in range(self.epochs):
            drawn = _others(labels, negative_weights / negative_weights.sum(), random) if self.loss == "ns" else labels
            for place in random.permutation(len(labels)):
                yield self.rate * (1 - step / steps), int(place), drawn[place]
                step += 1

    def _softmax_step(self, rows: Array, shares: Array, rate: float, label: int, others: Array) -> None:
        hidden = shares @ self.vectors_[rows]
        scores = self.weights_ @ hidden
        error = -softmax(scores)
        error[label] += 1
        error *= rate
        self.vectors_[rows] += np.outer(shares, error @ self.weights_)
        self.weights_ += np.outer(error, hidden)

    def _sampled_step(self, rows: Array, shares: Array, rate: float, label: int, others: Array) -> None:
        hidden = shares @ self.vectors_[rows]
        places = np.concatenate([[label], others])
        compared = self.weights_[places]
        error = -sigmoid(compared @ hidden)
        error[0] += 1
        error = (rate * error).astype(np.float32)
        self.vectors_[rows] += np.outer(shares, error @ compared)
        np.add.at(self.weights_, places, np.outer(error, hidden))

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        scores = [self.weights_ @ self._average(text) for text in texts]
        return split_scores(np.array(scores, np.float32), len(self.names_ or []))

    def _average(self, text: str) -> Array:
        """Words never seen are left out; n-grams never seen have no vector and still count."""
        grams = _grams(text, self.ngrams)
        keys = _hashed(grams)
        rows = np.minimum(np.searchsorted(self.keys_, keys), len(self.keys_) - 1)
        known = self.keys_[rows] == keys
        counted = sum(bool(is_known) or " " in gram for is_known, gram in zip(known, grams, strict=True))
        found, shares = _shares(rows[known], max(counted, 1))
        return shares @ self.vectors_[found]


def _grams(text: str, longest: int) -> list[str]:
    tokens = [*words(whole(text)), END]
    return [" ".join(tokens[at : at + size]) for size in range(1, longest + 1) for at in range(len(tokens) - size + 1)]


def _hashed(grams: Sequence[str]) -> Array:
    return np.array([crc32(gram.encode()) for gram in grams], np.uint32)


def _shares(rows: Array, count: int) -> tuple[Array, Array]:
    """Each row once, and how much of the average it is."""
    once, times = np.unique(rows, return_counts=True)
    return once, (times / count).astype(np.float32)


def _others(labels: Array, probabilities: Array, random: np.random.Generator) -> Array:
    """Negative classes other than each label, drawn by their probabilities."""
    drawn = random.choice(len(probabilities), (len(labels), NEGATIVES), p=probabilities)
    while (same := drawn == labels[:, None]).any():
        drawn[same] = random.choice(len(probabilities), int(same.sum()), p=probabilities)
    return drawn
