"""The model of answers: a saved model whose probability follows from match, lead, resolution and size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hubbub.archive.answer_features import ENCODED, MATCH, RESOLUTION
from hubbub.archive.confidence import AnswerModel, bundled_model, calibration_features, leads, logits
from hubbub.errors import ModelError
from hubbub.ml.storage import read_card


def test_a_conversation_is_ahead_of_the_best_other_one() -> None:
    assert leads([3.0, 1.5, 1.0]) == [1.5, -1.5, -2.0]
    assert leads([2.0, 2.0]) == [0.0, 0.0]
    assert leads([2.0]) == [0.0], "there is no other"
    assert leads([]) == []


def test_a_probability_rises_with_what_is_known() -> None:
    model = bundled_model()

    def probability(match: float, lead: float, resolution: float, encoded: float, messages: int) -> float:
        row = [0.5] * len(MATCH)
        row[ENCODED] = encoded
        return model.probability(calibration_features(match, lead, resolution, row), messages)

    for messages in (1, 300, 200_000, 10**8):
        low = probability(0.0, 0.0, 0.0, 0.3, messages)
        assert 0 <= low < probability(3.0, 2.0, 0.0, 0.3, messages) <= 1
        assert low < probability(0.0, 0.0, 0.0, 0.9, messages)
        assert low < probability(0.0, 0.0, 2.0, 0.3, messages)
    assert 0 <= probability(-1e9, -1e9, 0.0, 0.0, 0) < 0.02


def test_evidence_counts_in_the_right_direction() -> None:
    model = bundled_model()
    for name in ("thanked", "last before the thanks"):
        assert model.resolution[RESOLUTION.index(name)] >= 0
    for name in ("question back", "small talk", "bot"):
        assert model.resolution[RESOLUTION.index(name)] < 0
    assert logits(model.match, []) == []


def test_the_bundled_numbers_are_a_saved_model_with_a_card(tmp_path: Path) -> None:
    folder = bundled_model().save(tmp_path / "model", dataset="mine")
    loaded = AnswerModel.load(folder)
    assert all(np.array_equal(value, loaded.state()[name]) for name, value in bundled_model().state().items())
    assert read_card(folder).dataset == "mine"


@pytest.mark.parametrize("damage", ["longer", "infinite", "cut"])
def test_a_folder_that_is_not_as_declared_is_refused(tmp_path: Path, damage: str) -> None:
    model = bundled_model()
    if damage == "longer":
        model = replace(model, match=np.append(model.match, np.float32(0)))
    if damage == "infinite":
        model = replace(model, calibration=np.full_like(model.calibration, np.inf))
    folder = model.save(tmp_path / "model")
    if damage == "cut":
        weights = folder / "weights.npz"
        weights.write_bytes(weights.read_bytes()[:-9])
    with pytest.raises(ModelError):
        AnswerModel.load(folder)
