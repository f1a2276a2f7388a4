"""How good intents are: by hand on tiny cases, and beside scikit-learn on random ones."""

from __future__ import annotations

import numpy as np
import pytest

from hubbub.intent.data.loading import gold
from hubbub.intent.metrics import aupr, auroc, calibration_error, confidence, fpr95, score
from hubbub.layers import Intent

IN = Intent(0, "a", 0.9, (("a", 0.8), ("b", 0.1)))
WRONG = Intent(0, "b", 0.7, (("b", 0.6), ("a", 0.1)))
OUT = Intent(0, None, 0.2, (("a", 0.1), ("b", 0.1)))


def test_figures_by_hand() -> None:
    golds = [gold("a"), gold("a"), gold("b"), gold(None), gold(None)]
    found = score(golds, [IN, OUT, WRONG, OUT, IN])
    assert found["accuracy"] == pytest.approx(60)
    assert found["in_scope_accuracy"] == pytest.approx(200 / 3)
    assert found["out_of_scope_recall"] == pytest.approx(50)
    assert found["out_of_scope_precision"] == pytest.approx(50)
    assert found["auroc"] == pytest.approx((2.5 + 0.5) / 6)


def test_what_needs_examples_out_of_scope_is_left_out() -> None:
    assert score([gold("a")], [IN]).keys() == {"accuracy", "in_scope_accuracy", "ece"}
    outside = score([gold(None)], [OUT])
    assert outside["out_of_scope_recall"] == 100
    assert not outside.keys() & {"in_scope_accuracy", "auroc"}


def test_nothing_to_score() -> None:
    assert score([], []) == {"accuracy": 0.0, "ece": 0.0}


def test_nothing_turned_away_has_no_precision() -> None:
    assert score([gold(None)], [IN])["out_of_scope_precision"] == 0


def test_confidence_is_that_of_the_answer() -> None:
    assert confidence(IN) == 0.8
    assert confidence(OUT) == pytest.approx(0.8)


def test_areas_by_hand() -> None:
    positive, negative = np.array([0.9, 0.4]), np.array([0.5, 0.4])
    assert auroc(positive, negative) == pytest.approx((2 + 0.5) / 4)
    assert aupr(positive, negative) == pytest.approx(1 / 2 * 1 + 1 / 2 * 2 / 4)
    assert auroc(np.ones(3), np.ones(5)) == 0.5


def test_false_positives_where_nearly_all_positives_are_found() -> None:
    positive = np.arange(1, 21) / 20
    assert fpr95(positive, np.array([0.05, 0.1, 0.5])) == pytest.approx(2 / 3)
    assert fpr95(np.array([0.5]), np.array([0.4])) == 0


def test_calibration_by_hand() -> None:
    sure, right = np.array([0.95, 0.95, 0.05]), np.array([True, False, False])
    assert calibration_error(sure, right) == pytest.approx((0.9 + 0.05) / 3)
    assert calibration_error(np.array([1.0]), np.array([True])) == 0


@pytest.mark.parametrize("decimals", [1, 9], ids=["many equal", "none equal"])
def test_areas_are_those_of_scikit_learn(decimals: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(3)
    doubt, outside = random.random(300).round(decimals), random.random(300) < 0.2
    assert auroc(doubt[outside], doubt[~outside]) == pytest.approx(metrics.roc_auc_score(outside, doubt))
    assert aupr(doubt[outside], doubt[~outside]) == pytest.approx(metrics.average_precision_score(outside, doubt))
    wrong, found, _ = metrics.roc_curve(outside, doubt, drop_intermediate=False)
    assert fpr95(doubt[outside], doubt[~outside]) == pytest.approx(wrong[np.argmax(found >= 0.95)])
