"""The intent classifiers as a scikit-learn estimator."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import check_array, estimator_checks

from hubbub.intent.data.sample import SAMPLE
from hubbub.sklearn import IntentClassifier

TEXTS = [text for texts in SAMPLE.values() for text in texts]
LABELS = [name or "oos" for name, texts in SAMPLE.items() for _ in texts]
INSIDE = [(text, label) for text, label in zip(TEXTS, LABELS, strict=True) if label != "oos"]


def made(**options: Any) -> IntentClassifier:
    return IntentClassifier("intent/svm", **options)


class OfNumbers(IntentClassifier):
    """Rows of numbers as texts, a word a cell, because check_estimator has nothing but tables of numbers to try."""

    def __init__(
        self,
        model: str | None = "intent/svm",
        *,
        outside: Any = None,
        criterion: str = "auto",
        settings: Any = None,
        random_state: int = 0,
    ) -> None:
        super().__init__(model, outside=outside, criterion=criterion, settings=settings, random_state=random_state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = False, True, False
        return tags

    def fit(self, X: Any, y: Any) -> OfNumbers:  # noqa: N803
        return super().fit(_as_texts(X), y)

    def predict(self, X: Any) -> Any:  # noqa: N803
        return super().predict(_as_texts(X))

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        return super().predict_proba(_as_texts(X))


def _as_texts(rows: Any) -> list[str]:
    return [" ".join(f"c{n}v{int(2 * cell)}" for n, cell in enumerate(row)) for row in check_array(rows, dtype=float)]


@pytest.mark.filterwarnings("ignore")
def test_every_check_of_check_estimator_that_texts_can_stand_for() -> None:
    results = estimator_checks.check_estimator(OfNumbers(), on_skip=None, on_fail=None)
    failed = {each["check_name"]: each["exception"] for each in results if each["status"] == "failed"}
    assert not failed
    assert len(results) > 30


def test_check_estimator_sees_that_it_takes_texts() -> None:
    with pytest.warns(UserWarning, match="requires input"):
        estimator_checks.check_estimator(made())


def test_without_a_label_for_outside_every_text_gets_an_intent() -> None:
    texts, labels = zip(*INSIDE, strict=True)
    model = made(settings={"held": 0.0}).fit(texts, labels)
    assert model.score(texts, labels) == 1
    assert set(model.predict(["who won the match", "", "zzz"])) <= set(labels)
    shares = model.predict_proba(["where is my parcel", "zzz"])
    assert shares.shape == (2, 4)
    assert np.allclose(shares.sum(1), 1)
    assert model.classes_[shares[0].argmax()] == "order_status"


def test_with_a_label_for_outside() -> None:
    model = made(outside="oos", settings={"held": 0.0}).fit(TEXTS, LABELS)
    assert list(model.predict(["where is my parcel", "who won the match last night", ""])) == [
        "order_status",
        "oos",
        "oos",
    ]
    assert list(model.classes_) == sorted(set(LABELS))
    assert np.allclose(model.predict_proba(TEXTS).sum(1), 1)
    texts, labels = zip(*INSIDE, strict=True)
    assert "oos" in made(outside="oos").fit(texts, labels).classes_


def test_labels_need_not_be_words() -> None:
    numbers = [sorted(SAMPLE).index(label) for _, label in INSIDE]
    model = made().fit(np.array([text for text, _ in INSIDE]), np.array(numbers))
    assert model.predict(["track my order please"]).tolist() == [sorted(SAMPLE).index("order_status")]


def test_it_works_with_the_rest_of_scikit_learn() -> None:
    texts, labels = [list(each) for each in zip(*INSIDE, strict=True)]
    lower = FunctionTransformer(lambda given: [text.lower() for text in given])
    assert make_pipeline(lower, made()).fit(texts, labels).predict(["WHERE IS MY PARCEL"]).tolist() == ["order_status"]
    search = GridSearchCV(made(), {"settings": [{"penalty": 0.1}, {"penalty": 1.0}]}, cv=3).fit(texts, labels)
    assert search.best_params_["settings"] in [{"penalty": 0.1}, {"penalty": 1.0}]
    assert len(cross_val_score(made(), texts, labels, cv=3)) == 3


def test_clone_and_pickle() -> None:
    model = made(outside="oos", criterion="lost:1", random_state=3)
    assert clone(model).get_params() == model.get_params()
    fitted = model.fit(TEXTS, LABELS)
    assert (pickle.loads(pickle.dumps(fitted)).predict(TEXTS) == fitted.predict(TEXTS)).all()


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(NotFittedError):
        made().predict(["hello"])
    with pytest.raises(ValueError, match="got one string"):
        made().fit("hello", ["a"])
    with pytest.raises(ValueError, match="2 texts and 1 labels"):
        made().fit(["a", "b"], ["c"])
    with pytest.raises(ValueError, match="got a int at 1"):
        made().fit(["a", 3], ["c", "d"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="got an array of more than one dimension"):
        made().fit(np.ones((2, 2)), ["c", "d"])
    with pytest.raises(ValueError, match="got 1 class"):
        made().fit(["a", "b"], ["c", "c"])


def test_without_scikit_learn_it_says_what_to_install() -> None:
    hidden = "import sys; sys.modules['sklearn'] = None; import hubbub.sklearn"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert "pip install 'hubbub[sklearn]'" in done.stderr.splitlines()[-1]
