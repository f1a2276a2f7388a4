"""The paper's linear support vector machine over which words a text has. scikit-learn trains it, NumPy runs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NeedsExtra
from ...ml.model_schema import Field, Items, Numbers, Text
from ...ml.parameters import ranged
from ...ml.types import UNTRAINED, Array
from ...text import words
from ._classifier import Classifier, ScoredTexts, split_scores


@dataclass(repr=False)
class Svm(Classifier):
    """A linear support vector machine over one-hot words; `penalty` is the C of its loss."""

    penalty: float = ranged(1.0, 1e-9, 1e6)
    vocabulary_: list[str] | None = None
    weights_: Array = UNTRAINED
    bias_: Array = UNTRAINED

    def fields(self, tuned: bool) -> dict[str, Field]:
        return {
            "vocabulary_": Items(Text(), "words", distinct=True),
            "weights_": Numbers("float32", ("words", "classes")),
            "bias_": Numbers("float32", ("classes",)),
        }

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        try:
            from sklearn.svm import LinearSVC
        except ImportError:
            raise NeedsExtra("Training this model", "train") from None
        self.vocabulary_ = sorted({word for text in texts for word in words(text)})
        svc = LinearSVC(C=self.penalty, random_state=seed).fit(self._one_hot(texts), labels)
        two_sided = np.concatenate([-svc.coef_, svc.coef_]) if classes == 2 else svc.coef_
        offsets = np.concatenate([-svc.intercept_, svc.intercept_]) if classes == 2 else svc.intercept_
        self.weights_, self.bias_ = two_sided.T.astype(np.float32), offsets.astype(np.float32)

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        place = {word: index for index, word in enumerate(self.vocabulary_ or [])}
        scores = [self.weights_[sorted({place[w] for w in words(text) if w in place})].sum(0) for text in texts]
        return split_scores(np.array(scores) + self.bias_, len(self.names_ or []))

    def _one_hot(self, texts: Sequence[str]) -> Array:
        from scipy.sparse import csr_array

        place = {word: index for index, word in enumerate(self.vocabulary_ or [])}
        rows = [sorted({place[word] for word in words(text) if word in place}) for text in texts]
        ends = np.cumsum([0, *map(len, rows)], dtype=np.int32)
        columns = np.array([column for row in rows for column in row], dtype=np.int32)
        return csr_array((np.ones(len(columns)), columns, ends), shape=(len(texts), len(place)))
