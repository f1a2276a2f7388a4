"""Where the scope ends: every criterion by hand, moving the threshold, and data at the edges."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hubbub.errors import OptionError
from hubbub.intent.inference.scope import Scope, parse_criterion, rethreshold
from hubbub.intent.models._classifier import _held_out, _holdout_rounds
from hubbub.intent.models.fast import Fast
from hubbub.layers import Intent

# Six in scope, of which the fourth is mistaken, and four that are not.
EVIDENCE = [9, 8, 7, 6, 3, 2, 5, 4, 1, 0]
RIGHT = [True, True, True, False, True, True, False, False, False, False]
INSIDE = [True] * 6 + [False] * 4


def tuned(criterion: str) -> Scope:
    return Scope.tuned(criterion, EVIDENCE, RIGHT, INSIDE)


def rejected(scope: Scope, evidence: Sequence[float] = EVIDENCE) -> set[float]:
    """The evidence of what is below the threshold."""
    return {each for each in evidence if scope.probability(each) < scope.threshold}


def test_the_curve_trades_accuracy_for_recall() -> None:
    rows = [(round(accuracy, 1), recall) for _, accuracy, recall in tuned("paper").curve]
    assert rows == [(83.3, 0), (83.3, 25), (83.3, 50), (50, 75), (50, 100)]


@pytest.mark.parametrize(
    ("criterion", "below"),
    [
        ("paper", {0, 1}),  # 5 + 2 right; all four out of scope would be 3 + 4, the same with less accuracy
        ("auto", {0, 1}),
        ("lost:0", {0, 1}),
        ("lost:40", {0, 1, 2, 3, 4, 5}),
        ("recall:50", {0, 1}),
        ("recall:51", {0, 1, 2, 3, 4, 5}),
        ("cost:2", {0, 1, 2, 3, 4, 5}),
        ("cost:0.1", {0, 1}),
        ("argmax", set()),
    ],
)
def test_criteria(criterion: str, below: set[int]) -> None:
    assert rejected(tuned(criterion)) == below


def test_argmax_cuts_where_the_evidence_is_zero() -> None:
    scope = Scope.tuned("argmax", [3, 2, 1, -1, -2], [True] * 3 + [False] * 2, [True] * 3 + [False] * 2)
    assert rejected(scope, [-2, -1, 0, 1]) == {-2, -1}


def test_another_criterion_needs_no_evidence() -> None:
    for criterion in ("paper", "recall:90", "lost:1", "argmax"):
        assert tuned("auto").chosen(criterion) == tuned(criterion)


def test_a_blank_answer_stays_blank() -> None:
    assert rethreshold([Intent(0, None, 0.0)], 0.0) == [Intent(0, None, 0.0)]


def test_probabilities_rise_with_evidence_and_stay_in_range() -> None:
    probabilities = tuned("paper").probability([-1e9, -5, 0, 5, 1e9])
    assert (np.diff(probabilities) >= 0).all()
    assert probabilities[0] >= 0
    assert probabilities[-1] <= 1


def test_probabilities_are_calibrated_to_the_expected_share() -> None:
    random = np.random.default_rng(0)
    inside = np.arange(4000) < 2000
    evidence = random.normal(np.where(inside, 1, -1), 1)
    scope = Scope.tuned("paper", evidence, inside, inside, share=0.5)
    assert (scope.slope, scope.offset) == pytest.approx((2, 0), abs=0.2)


def test_a_scope_survives_json() -> None:
    scope = tuned("cost:2")
    assert Scope.from_dict(json.loads(json.dumps(scope.as_dict()))) == scope


def test_with_nothing_out_of_scope_few_are_turned_away() -> None:
    evidence, right = np.arange(200), np.ones(200, bool)
    scope = Scope.tuned("auto", evidence, right, right)
    assert scope.criterion == "lost:2"
    assert (scope.probability(evidence) < scope.threshold).sum() == 4
    assert rejected(scope.chosen("paper"), evidence.tolist()) == set()
    assert rejected(scope.chosen("paper"), [-1]) == {-1}


def test_a_cut_among_few_is_not_zero_whatever_it_would_lose() -> None:
    scope = Scope.tuned("lost:1", [1, 2, 3, 2.5], [True] * 3 + [False], [True] * 3 + [False])
    assert rejected(scope, [0.5, 1, 2, 3]) == {0.5}


def test_among_few_one_may_be_lost_for_much_recall() -> None:
    evidence, inside = [*range(10, 40), 11.5, 10.5, 10.6, 10.7, 10.8], [True] * 30 + [False] * 5
    scope = Scope.tuned("auto", evidence, inside, inside)
    assert scope.criterion == "lost:3.34"
    assert rejected(scope, evidence) == {10, 10.5, 10.6, 10.7, 10.8}
    assert rejected(scope.chosen("lost:1"), evidence) == set()


def test_every_rehearsal_holds_other_examples_back() -> None:
    wanted = ["open"] * 5 + ["paid"] * 5 + ["lost", "open"]
    texts = [*"abcdefghijk", "a"]
    turns = [_held_out(texts, wanted, 0.15, 0, 2, turn) for turn in range(_holdout_rounds(len(wanted), 0.15, 3))]
    assert [len(turn) for turn in turns] == [2] * 3
    assert len({place for turn in turns for place in turn if place < 10}) == 6
    assert _holdout_rounds(3000, 0.15, 5) == 1


def test_an_intent_keeps_its_only_text_though_another_has_it_too() -> None:
    texts, wanted = ["saw", "drill", "saw"], ["tool", "tool", "seen"]
    golds = [Intent(0, name, 1.0) for name in wanted]
    for turn in range(2):
        (_, learnt), _ = Fast()._parted(texts, golds, None, 0, least=2, turn=turn)
        assert set(learnt) == {"tool", "seen"}


def test_texts_that_were_learnt_do_not_validate() -> None:
    pairs = [("red apples please", "fruit"), ("ripe pears", "fruit"), ("a sharp saw", "tool"), ("one hammer", "tool")]
    texts, golds = [text for text, _ in pairs * 3], [Intent(0, name, 1.0) for _, name in pairs * 3]
    model = Fast(teacher="").fit(texts, golds, tuning=(texts[:4], golds[:4]))
    assert [said.name for said in model.predict(["a hammer and a saw", "some red apples"])] == ["tool", "fruit"]


def test_with_nothing_in_scope() -> None:
    scope = Scope.tuned("paper", [1, 2], [False] * 2, [False] * 2)
    assert rejected(scope, [1]) == {1}
    assert scope.inside == 0


@pytest.mark.parametrize("inside", [[True] * 4, [True, True, False, False], [False] * 4])
def test_equal_evidence_lets_all_in_or_none(inside: list[bool]) -> None:
    scope = Scope.tuned("auto", [1.5] * 4, inside, inside)
    assert 0 <= scope.probability(1.5) <= 1
    assert np.isfinite([scope.slope, scope.offset, scope.threshold]).all()
    kept = scope.probability(1.5) >= scope.threshold
    assert kept == any(inside)


def test_validated_on_nothing() -> None:
    scope = Scope.tuned("auto", [], [], [])
    assert scope.threshold == 0
    with pytest.raises(OptionError, match="no validation data"):
        Scope().chosen("paper")


@pytest.mark.parametrize("wrong", ["best", "lost", "recall:", "cost:much", "paper:1", "argmax:0", "", "recall:nan"])
def test_a_wrong_criterion_says_what_is_right(wrong: str) -> None:
    with pytest.raises(OptionError, match="a criterion is auto"):
        parse_criterion(wrong)


def test_moving_the_threshold_moves_names_and_nothing_else() -> None:
    sure = Intent(0, "a", 0.9, (("a", 0.8), ("b", 0.1)))
    unsure = Intent(1, None, 0.4, (("b", 0.3), ("a", 0.1)))
    assert [each.name for each in rethreshold([sure, unsure], 0.3)] == ["a", "b"]
    assert [each.name for each in rethreshold([sure, unsure], 0.95)] == [None, None]
    assert rethreshold([sure, unsure], 0.4) == [sure, replace(unsure, name="b")]
