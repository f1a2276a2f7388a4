"""Softmax, the logistic function and temperature scaling."""

from __future__ import annotations

import numpy as np
import pytest

from hubbub.ml.calibration import best_temperature, grouped_softmax, log_sum_exp, masked_softmax, sigmoid, softmax

SCORES = np.array([[1.0, 2.0, 3.0], [1000.0, 0.0, -1000.0]])


def test_softmax_sums_to_one_and_does_not_overflow() -> None:
    assert softmax(SCORES).sum(1) == pytest.approx([1, 1])
    assert log_sum_exp(SCORES) == pytest.approx([np.log(np.exp(SCORES[0]).sum()), 1000])
    assert sigmoid(np.array([-1e9, 0, 1e9])).tolist() == [0, 0.5, 1]


def test_groups_and_masks_give_the_softmax_of_their_cells() -> None:
    flat, sizes = np.array([1.0, 2.0, 3.0, 5.0, 5.0]), np.array([3, 2])
    assert grouped_softmax(flat, sizes) == pytest.approx([*softmax(flat[:3]), 0.5, 0.5])
    mask = np.array([[True, True, True], [True, True, False]])
    assert masked_softmax(mask, flat)[1].tolist() == [0.5, 0.5, 0]


def test_the_temperature_that_scores_were_multiplied_by_is_found() -> None:
    random = np.random.default_rng(0)
    logits = random.normal(size=(4000, 5))
    labels = np.array([random.choice(5, p=row) for row in softmax(logits)])
    grid = np.array([0.5, 1.0, 2.0, 4.0])
    assert best_temperature(2 * logits, labels, grid) == 2
    assert best_temperature(logits[:0], labels[:0], grid) == 1


def test_shares_of_several_correct_columns_count_like_labels() -> None:
    scores, grid = np.array([[2.0, 1.0, -np.inf], [0.0, 3.0, 1.0]]), np.array([0.5, 1.0, 2.0])
    shares = np.array([[1.0, 0, 0], [0, 1.0, 0]])
    assert best_temperature(scores, shares, grid) == best_temperature(scores, np.array([0, 1]), grid) == 0.5
    assert best_temperature(scores, np.array([[0.5, 0.5, 0], [0, 0.5, 0.5]]), grid) in grid
