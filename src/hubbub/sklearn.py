"""Intent classifiers for scikit-learn: the same models as an estimator for its pipelines, searches and validation.

The intent models as a scikit-learn estimator. It needs scikit-learn: pip install 'hubbub[sklearn]'.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from .errors import NeedsExtra

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise NeedsExtra("hubbub.sklearn", "sklearn") from None

import numpy as np

from .intent.data.loading import gold
from .intent.models._classifier import Classifier
from .intent.predict import IntentPredictor
from .ml.registry import make
from .ml.task import task
from .text import plural

__all__ = ["IntentClassifier"]


class IntentClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Texts in, labels out.

    `model` is the name of a classifier (see hubbub models), the default one if None, and `settings` are its parameters.
    `outside` is the label that means out of scope: texts of it train and tune the scope, and predict gives it where the
    cut of `criterion` says so, even if no training text had it. Without it every text gets its best intent.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        outside: Any = None,
        criterion: str = "auto",
        settings: Mapping[str, Any] | None = None,
        random_state: int = 0,
    ) -> None:
        self.model = model
        self.outside = outside
        self.criterion = criterion
        self.settings = settings
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array = True, False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags

    def fit(self, X: Iterable[str], y: Iterable[Any]) -> Self:  # noqa: N803
        texts, labels = _texts(X), np.asarray(y)
        if len(texts) != len(labels):
            raise ValueError(f"There are {len(texts)} texts and {len(labels)} labels.")
        known = np.unique(labels)
        names = {label: str(label) for label in known.tolist()}
        if len(known) - self._is_outside(known).sum() < 2:
            raise ValueError(
                f"It takes at least two intents to tell apart, got {plural(len(known), 'class', 'classes')}."
            )
        golds = [
            gold(None if outside else names[label])
            for label, outside in zip(labels.tolist(), self._is_outside(labels), strict=True)
        ]
        made = make(self.model or task("intent").default, criterion=self.criterion, **(self.settings or {}))
        made.fit(texts, golds, seed=self.random_state)
        self.classes_ = known if self.outside is None else np.unique([*known.tolist(), self.outside])
        self.label_of_ = {name: label for label, name in names.items()}
        self.classifier_ = made
        return self

    def predict(self, X: Iterable[str]) -> Any:  # noqa: N803
        check_is_fitted(self)
        said = IntentPredictor(self._trained()).answers(_texts(X))
        best = [each.name if self.outside is not None or not each.ranking else each.ranking[0][0] for each in said]
        return np.array([self._label(name) for name in best], dtype=self.classes_.dtype)

    def predict_proba(self, X: Iterable[str]) -> Any:  # noqa: N803
        """A column for each of classes_; without `outside` as if every text were in scope."""
        check_is_fitted(self)
        texts, model = _texts(X), self._trained()
        shares = np.zeros((len(texts), len(self.classes_)))
        if not texts:
            return shares
        inside, joint = model.probabilities(texts)
        places = {label: place for place, label in enumerate(self.classes_.tolist())}
        shares[:, [places[self._label(name)] for name in model.names_ or []]] = joint
        if self.outside is not None:
            shares[:, places[self.outside]] = 1 - inside
        return shares / shares.sum(1, keepdims=True)

    def _trained(self) -> Classifier:
        made = self.classifier_
        assert isinstance(made, Classifier)
        return made

    def _is_outside(self, labels: Any) -> Any:
        return np.array([self.outside is not None and label == self.outside for label in labels.tolist()], bool)

    def _label(self, name: str | None) -> Any:
        """The label of a name; a blank text has the first one where there is none for out of scope."""
        if name is None:
            return self.outside if self.outside is not None else self.classes_[0]
        return self.label_of_[name]


def _texts(given: Iterable[str]) -> list[str]:
    """The texts as a list, from any sequence or column of them."""
    if isinstance(given, str):
        raise ValueError("Expected several texts, got one string: put it in a list.")
    if getattr(given, "ndim", 1) != 1:
        raise ValueError("Expected a sequence of texts, got an array of more than one dimension.")
    texts = list(given)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"Expected texts, got a {type(text).__name__} at {place}.")
    return [str(text) for text in texts]
