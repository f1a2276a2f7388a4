"""Every model in the table through the one suite, and models that break the promise caught by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from hubbub.chat import Chat
from hubbub.errors import NeedsExtra
from hubbub.layers import ReplyGraph
from hubbub.ml.registry import MODELS, BaseModel, task_in_name
from hubbub.ml.task import TASKS, task

from .. import conformance
from ..conformance import CHECKS, VALID, Check


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_every_model_keeps_the_promise(name: str, check: Check, tmp_path: Path) -> None:
    try:
        check(name, task(task_in_name(name)), tmp_path)
    except NeedsExtra as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("name", TASKS)
def test_every_task_says_what_a_valid_answer_is(name: str) -> None:
    found_task, sample = task(name), task(name).sample()
    assert name in VALID
    assert found_task.default in MODELS
    assert len(sample.inputs) == len(sample.golds) > 1
    assert all(isinstance(score, float) for score in found_task.score(sample.golds, sample.golds).values())


@dataclass
class Right(BaseModel):
    """Every message starts a conversation; the wrong ones below each break one thing of it."""

    count_: int | None = None

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        self.count_ = len(inputs)
        return self

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [ReplyGraph(tuple((position,) for position in range(len(chat)))) for chat in inputs]


class ReturnsAnother(Right):
    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        return type(self)()


class ForgetsOne(Right):
    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return super().predict(inputs)[1:]


class LooksAround(Right):
    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [ReplyGraph(((len(inputs),),)) for _ in inputs]


class WritesOnInputs(Right):
    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        assert isinstance(golds, list)
        golds.reverse()
        return self


class Rolls(Right):
    rolled = 0

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        Rolls.rolled += 1
        return [ReplyGraph(((Rolls.rolled,),)) for _ in inputs]


class LosesItself(Right):
    def restore(self, state: object) -> Self:
        return self

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [ReplyGraph(((self.count_ or 0,),)) for _ in inputs]


class AnswersTheFuture(Right):
    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [ReplyGraph(tuple((position + 1,) for position in range(len(chat)))) for chat in inputs]


BROKEN = (
    (ReturnsAnother, conformance.fit_returns_the_model_itself),
    (ForgetsOne, conformance.one_valid_answer_per_input),
    (LooksAround, conformance.an_answer_depends_on_its_own_input_only),
    (WritesOnInputs, conformance.inputs_stay_untouched),
    (Rolls, conformance.same_seed_same_decisions),
    (LosesItself, conformance.saved_and_loaded_is_equal),
    (AnswersTheFuture, conformance.odd_chats_get_valid_answers),
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_right_model_passes(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "thread/mine", f"{__name__}:Right")
    check("thread/mine", task("thread"), tmp_path)


@pytest.mark.parametrize(("kind", "check"), BROKEN, ids=lambda each: each.__name__)
def test_a_broken_promise_is_caught(kind: type, check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "thread/mine", f"{__name__}:{kind.__name__}")
    with pytest.raises(AssertionError):
        check("thread/mine", task("thread"), tmp_path)


def test_no_check_is_without_its_broken_model() -> None:
    assert {check for _, check in BROKEN} == set(CHECKS)
