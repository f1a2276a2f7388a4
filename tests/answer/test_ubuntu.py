"""The Ubuntu logs as examples: which days are learnt from and which are not, and no names in what models see."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hubbub.answer.data.examples import turn_texts
from hubbub.answer.data.ubuntu import annotated, day
from hubbub.ml.datasets import find, looking_in
from hubbub.ml.task import Examples, examples, task

HELD_BACK = {date(2013, 1, number) for number in range(19, 25)}
PROBLEMS = (*("sound", "printer", "screen", "mouse", "network"), *("disk", "camera", "keyboard", "battery", "kernel"))


def _talk(number: int, thing: str) -> str:
    asks, helps = f"Asker{number}x", f"helpful{number}"
    said = (
        (asks, f"since the update my {thing} number {number} is gone"),
        (helps, f"{asks}: what does the {thing} log say at line {number}?"),
        (asks, f"{helps}: it says that {thing} {number} was not found, as {helps} guessed"),
        (helps, f"{asks}: then install the {thing} package version {number} again"),
        (asks, f"{helps}: thanks, the {thing} works after {number} minutes"),
    )
    return "".join(f"[{number % 24:02}:{minute:02}] <{who}> {text}\n" for minute, (who, text) in enumerate(said))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for number in range(1, 25):
        folder = tmp_path / "ubuntu-logs" / "2013-01" / f"{number:02}"
        folder.mkdir(parents=True)
        for channel in ("#ubuntu", "#kubuntu"):
            talks = (_talk(hour, thing) for hour, thing in enumerate(PROBLEMS, 1))
            (folder / f"{channel}.txt").write_text("".join(talks))
    (tmp_path / "irc" / "train").mkdir(parents=True)
    for name in ("2013-01-11.train-a", "2013-01-20.train-a", "2013-01-30.train-c", "2012-05-01.train-a"):
        (tmp_path / "irc" / "train" / f"{name}.raw.txt").write_text(_talk(1, "scanner"))
    return tmp_path


def _given(data: Path, split: str) -> Examples[object, object]:
    with looking_in(data):
        found = find(f"ubuntu-logs:{split}")
        return examples(task("answer"), found, "train" if split.startswith("train") else "evaluate")


@pytest.mark.parametrize("split", ["train", "train-any", "train-rest", "train-threads"])
def test_no_day_that_is_tested_or_chosen_on_is_learnt_from(data: Path, split: str) -> None:
    given = _given(data, split)
    days = {day(file) for file in given.files}
    assert given.inputs
    assert not days & HELD_BACK
    assert {date(2013, 1, 1), date(2013, 1, 18), date(2012, 5, 1)} <= days


def test_of_the_annotated_logs_none_of_that_january_is_learnt_from(data: Path) -> None:
    with looking_in(data):
        assert [file.name for file in annotated()] == ["2012-05-01.train-a.raw.txt"]


@pytest.mark.parametrize(("split", "days"), [("dev", (19, 20, 21)), ("test", (22, 23, 24))])
@pytest.mark.parametrize("variant", ["", "-threads", "-helpers"])
def test_three_days_of_one_channel_are_evaluated_on(
    data: Path, split: str, days: tuple[int, ...], variant: str
) -> None:
    given = _given(data, split + variant)
    assert [day(file).day for file in given.files] == list(days)
    assert {file.name for file in given.files} == {"#ubuntu.txt"}
    assert all(len(choice.candidates) == 10 for choice in given.inputs)  # type: ignore[attr-defined]


@pytest.mark.parametrize("split", ["train", "train-any", "dev", "dev-threads", "dev-helpers", "test"])
def test_no_name_is_left_for_a_model_to_see(data: Path, split: str) -> None:
    for choice in _given(data, split).inputs:
        seen = " ".join([*turn_texts(choice.context), *choice.candidates]).lower()  # type: ignore[attr-defined]
        assert "asker" not in seen
        assert "helpful" not in seen


def test_what_choices_are_made_on_is_kept_from_learning(data: Path) -> None:
    given = _given(data, "train-any")
    assert given.tuning is not None
    assert all(len(choice.candidates) == 10 for choice in given.tuning.inputs)  # type: ignore[attr-defined]
    assert _given(data, "train").tuning is None
