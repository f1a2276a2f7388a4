"""How likely an answer is right: what is said of it must follow from what speaks for it, and for others."""

from __future__ import annotations

from hubbub.answer.judging import FEATURES, WEIGHTS, chance, leads, strength


def test_an_answer_is_ahead_of_the_best_from_another_conversation() -> None:
    assert leads([3.0, 2.0, 1.5, 1.0], [7, 7, 8, 9]) == [1.5, 0.5, -1.5, -2.0]
    assert leads([2.0, 2.0], [1, 2]) == [0.0, 0.0]
    assert leads([2.0, 0.5], [1, 1]) == [2.0, 0.5], "nothing speaks for a conversation that is not there"
    assert leads([], []) == []


def test_a_chance_rises_with_strength_and_lead_and_falls_with_the_size_of_the_archive() -> None:
    for messages in (1, 300, 200_000, 10**8):
        assert 0 < chance(4.0, 0.0, messages) < chance(5.0, 0.0, messages) < chance(5.0, 1.0, messages) < 1
    assert chance(6.0, 0.5, 300) > chance(6.0, 0.5, 3_000) > chance(6.0, 0.5, 200_000)
    assert 0 < chance(0.0, -20.0, 0) < 0.01


def test_every_feature_has_a_weight_and_none_speaks_against() -> None:
    assert len(WEIGHTS) == len(FEATURES)
    assert min(WEIGHTS) >= 0
    assert strength([0.0] * len(FEATURES)) == 0
