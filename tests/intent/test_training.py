"""Training on the command line: going on from a model, and what is said before any work is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hubbub.intent.data.sample import SAMPLE
from hubbub.ml.registry import load

from ..conftest import Put, Run

EXAMPLES = "text,intent\n" + "".join(f'"{text}",{name or "oos"}\n' for name, texts in SAMPLE.items() for text in texts)
BELLS = "text,intent\nsell me a bell,buy_bell\ni want to buy a bell,buy_bell\ndo you sell bells,buy_bell\n"
FAST = ("--set", "teacher=", "--set", "passes=4")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from hubbub.cli import main

    home = tmp_path_factory.mktemp("shop")
    (home / "shop.csv").write_text(EXAMPLES)
    assert main(["train", "intent", "--on", str(home / "shop.csv"), "--out", str(home / "m"), *FAST]) == 0
    return home / "m"


def test_one_new_intent_is_enough_to_go_on(shop: Path, run: Run, put: Put, tmp_path: Path) -> None:
    ran = run("train", "intent", "--from", shop, "--on", put("bells.csv", BELLS), "--out", tmp_path / "more")
    assert ran.status == 0, ran.err
    assert f"hubbub evaluate {tmp_path / 'more'} --on DATA evaluates it" in ran.out
    said = run("intent", "i want a bell", "where is my parcel", "--model", tmp_path / "more").records()
    assert [each["ranking"][0][0] for each in said] == ["buy_bell", "order_status"]


def test_only_more_that_is_out_of_scope_is_enough_too(shop: Path, run: Run, put: Put, tmp_path: Path) -> None:
    more = put("more.csv", "text,intent\nplay some jazz,oos\nread me the news,oos\n")
    assert run("train", "intent", "--from", shop, "--on", more, "--out", tmp_path / "more").status == 0
    assert load(tmp_path / "more").names_ == load(shop).names_  # type: ignore[attr-defined]


def test_going_on_with_another_criterion_moves_the_cut(shop: Path, run: Run, put: Put, tmp_path: Path) -> None:
    words = ("train", "intent", "--from", shop, "--on", put("bells.csv", BELLS), "--out", tmp_path / "more")
    assert run(*words, "--set", "criterion=recall:100").status == 0
    scope = json.loads((tmp_path / "more" / "state.json").read_text())["scope_"]
    assert scope["criterion"] == "recall:100"
    assert scope["threshold"] == load(shop).scope.chosen("recall:100").threshold  # type: ignore[attr-defined]


def test_a_model_that_would_forget_does_not_go_on(run: Run, put: Put, tmp_path: Path) -> None:
    words = ("train", "intent", "--model", "intent/fasttext", "--set", "epochs=1", "--out", tmp_path / "m")
    assert run(*words, "--on", put("shop.csv", EXAMPLES)).status == 0
    ran = run("train", "intent", "--from", tmp_path / "m", "--on", put("bells.csv", BELLS), "--out", tmp_path / "n")
    assert ran.status == 2
    assert "intent/fasttext cannot continue its training: train it on all examples at once" in ran.err
    assert not (tmp_path / "n").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--check", "missing.csv"), "missing.csv"),
        (("--out", "/proc/somewhere/m"), "cannot be written"),
        (("--out", "FILE/m"), "cannot be written"),
        (("--seed", "-1"), "-1: must be a whole number, 0 or more"),
        (("--set", "criterion=bogus"), "a criterion is auto, paper"),
        (("--set", "criterion=argmax"), "several kinds of evidence have no common zero"),
        (("--set", "criterion=lost:-5"), "a criterion is auto, paper"),
        (("--set", "criterion=recall:150"), "a criterion is auto, paper"),
        (("--set", "scheme=binary", "--set", "gate=missing.csv"), "missing.csv"),
        (("--set", "held=2"), "it takes a number from 0 to 0.9"),
        (("--set", "hidden=0"), "it takes a number from 1 to 8192"),
        (("--set", "alike=nan"), "it takes a number"),
        (("--from", "SHOP", "--model", "intent/svm"), "is intent/fast, and stays that"),
    ],
)
def test_what_can_be_known_before_is_said_before(
    words: tuple[str, ...],
    sentence: str,
    shop: Path,
    run: Run,
    put: Put,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("work was done that is lost")

    monkeypatch.setattr("hubbub.intent.models.fast.Fast.fit_labels", never)
    file = put("shop.csv", EXAMPLES)
    given = [word.replace("FILE", str(file)).replace("SHOP", str(shop)) for word in words]
    ran = run("train", "intent", "--on", file, "--out", tmp_path / "m", *given)
    assert ran.status == 2
    assert sentence in ran.err
    assert "Traceback" not in ran.err


def test_a_report_that_cannot_be_written_is_said_before(run: Run, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("work was done that is lost")

    monkeypatch.setattr("hubbub.intent.reports.check.check", never)
    ran = run("intent", "check", put("shop.csv", EXAMPLES), "--html", "/nowhere/at/all.html")
    assert ran.status == 2
    assert "cannot be written" in ran.err
