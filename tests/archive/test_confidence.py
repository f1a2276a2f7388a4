"""How probable an answer is right: it must follow from the features of it, and of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.archive.confidence import FEATURES, ConfidenceModel, bundled_model, leads
from hubbub.errors import ModelError
from hubbub.ml.storage import read_card


def test_an_answer_is_ahead_of_the_best_from_another_conversation() -> None:
    assert leads([3.0, 2.0, 1.5, 1.0], [7, 7, 8, 9]) == [1.5, 0.5, -1.5, -2.0]
    assert leads([2.0, 2.0], [1, 2]) == [0.0, 0.0]
    assert leads([2.0, 0.5], [1, 1]) == [2.0, 0.5], "a conversation that is not there has no strength"
    assert leads([], []) == []


def test_a_probability_rises_with_strength_and_lead_and_falls_with_the_size_of_the_archive() -> None:
    probability = bundled_model().probability
    for messages in (1, 300, 200_000, 10**8):
        assert 0 < probability(4.0, 0.0, messages) < probability(5.0, 0.0, messages)
        assert probability(5.0, 0.0, messages) < probability(5.0, 1.0, messages) < 1
    assert probability(6.0, 0.5, 300) > probability(6.0, 0.5, 3_000) > probability(6.0, 0.5, 200_000)
    assert 0 < probability(0.0, -20.0, 0) < 0.01


def test_every_feature_has_a_weight_and_none_counts_against() -> None:
    model = bundled_model()
    assert len(model.weights) == len(FEATURES)
    assert min(model.weights) >= 0
    assert model.strength([0.0] * len(FEATURES)) == 0


def test_the_bundled_numbers_are_a_saved_model_with_a_card(tmp_path: Path) -> None:
    folder = bundled_model().save(tmp_path / "model", dataset="mine")
    assert ConfidenceModel.load(folder) == bundled_model()
    assert read_card(folder).dataset == "mine"


@pytest.mark.parametrize("changed", ["0.22", "null"])
def test_a_folder_that_was_edited_is_refused(tmp_path: Path, changed: str) -> None:
    folder = bundled_model().save(tmp_path / "model")
    state = folder / "state.json"
    state.write_text(state.read_text(encoding="utf-8").replace("0.82", changed), encoding="utf-8")
    with pytest.raises(ModelError):
        ConfidenceModel.load(folder)


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    wrong = ConfidenceModel((0.0,) * 5, 1e9, 0, 0, 0)
    with pytest.raises(ModelError):
        ConfidenceModel.load(wrong.save(tmp_path / "model"))
