"""What the parts of a file are for, in training and in evaluating."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hubbub.intent.data.files import read_parts
from hubbub.intent.data.loading import load
from hubbub.ml.task import ExampleSource, whole_chat

from ..conftest import Put, Run


def given(file: Path, use: str) -> ExampleSource:
    return ExampleSource(str(file), (file,), "train" if use == "train" else "evaluate", whole_chat)


WHOLE = "split,text,intent\ntrain,hi,greet\ntrain,bye,leave\n"


def test_what_the_parts_are_for(put: Put) -> None:
    full = put("full.csv", WHOLE + "val,hey,greet\ntest,cheerio,leave\n")
    learnt = load(given(full, "train"))
    assert (learnt.inputs, learnt.tuning.inputs if learnt.tuning else None) == (["hi", "bye"], ["hey"])
    held = load(given(full, "evaluate"))
    assert held.inputs == ["cheerio"]
    assert held.training == learnt


def test_without_validation_nothing_tunes(put: Put) -> None:
    held = load(given(put("a.csv", WHOLE + "test,cheerio,leave\n"), "evaluate"))
    assert held.training is not None
    assert held.training.tuning is None
    held = load(given(put("b.csv", WHOLE + "dev,cheerio,leave\n"), "evaluate"))
    assert held.inputs == ["cheerio"]
    assert held.training is not None
    assert held.training.tuning is None


def test_one_part_is_all_there_is(put: Put) -> None:
    only = put("a.csv", "split,text,intent\ntest,hi,greet\ntest,bye,leave\n")
    held = load(given(only, "evaluate"))
    assert (held.inputs, held.training) == (["hi", "bye"], None)
    assert load(given(only, "train")).inputs == ["hi", "bye"]


def test_the_binary_files_of_clinc_are_read(put: Put) -> None:
    file = put("binary.json", json.dumps({"train": [["a", "in"], ["b", "oos"]], "test": [["c", "in"]]}))
    assert [each.name for each in load(given(file, "train")).golds] == ["in", None]
    assert read_parts([file])["test"][0].name == "in"


LAMPS = "".join(f"{part},lamp {word} please,lamp\n" for part, word in (("train", "a"), ("train", "b"), ("test", "c")))
DOORS = "".join(f"{part},door {word} now,door\n" for part, word in (("train", "a"), ("train", "b"), ("test", "c")))


def test_a_model_by_name_is_trained_on_the_training_part_and_scored_on_the_test_part(put: Put, run: Run) -> None:
    pytest.importorskip("sklearn")
    file = put("a.csv", f"split,text,intent\n{LAMPS}{DOORS}")
    ran = run("evaluate", "intent/svm", "--on", file, "--json")
    assert ran.status == 0, ran.err
    assert ran.records()[0]["in_scope_accuracy"] == 100.0
    assert f"hubbub: intent/svm is trained first, on the training part of {file} (" in ran.err


def test_a_trained_model_is_scored_on_all_of_a_file_with_one_part(put: Put, run: Run) -> None:
    pytest.importorskip("sklearn")
    file = put("a.csv", f"split,text,intent\n{LAMPS}{DOORS}")
    assert run("train", "intent", "--model", "intent/svm", "--on", file, "--out", file.parent / "m").status == 0
    ran = run(
        "evaluate", file.parent / "m", "--on", put("b.jsonl", '{"text": "door x now", "intent": "door"}'), "--json"
    )
    assert ran.status == 0, ran.err
    assert ran.records()[0]["accuracy"] == 100.0
