"""Training and evaluating through the frame, from files to a Result, in Python and on the command line."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path

import pytest

import hubbub
from hubbub.cli import main
from hubbub.errors import Broken, ModelError, UnknownName, Unwritable
from hubbub.ml import task as tasks
from hubbub.ml.registry import load_with_card
from hubbub.ml.task import Result, evaluate, train, whole_chat
from hubbub.thread.models.previous import Previous

LOG = """[10:00] <ines> does anybody know why my printer is offline?
=== mika [~mika@example.org] has joined #desk
[10:01] <raul> ines: is it plugged in?
[10:01] <ines> raul: yes
"""
GOLD = "0 0 -\n1 1 -\n0 2 -\n0 3 -\n"
RIGHT = {
    **dict.fromkeys(("link_precision", "link_recall", "link_f"), 75.0),
    **dict.fromkeys(("vi", "one_to_one", "exact_precision", "exact_recall", "exact_f", "ari", "shen", "loc3"), 100.0),
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with one file a split; previous gets three of its four links right."""
    monkeypatch.delenv("HUBBUB_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for split in ("train", "test"):
        folder = tmp_path / "data" / "irc" / split
        folder.mkdir(parents=True)
        (folder / "2030-01-02.raw.txt").write_text(LOG)
        (folder / "2030-01-02.annotation.txt").write_text(GOLD)
    return tmp_path / "data"


def test_a_result_says_how_to_get_it_again(data: Path) -> None:
    result = evaluate("thread/previous", "irc:test", data=data)
    assert result.scores == RIGHT
    assert (result.task, result.model, result.dataset, result.split) == ("thread", "thread/previous", "irc", "test")
    assert (result.version, result.python, result.seed) == (hubbub.__version__, platform.python_version(), 0)
    assert len(result.checksum) == 64
    assert result.checksum == evaluate(Previous(), data / "irc" / "test").checksum


def test_a_result_survives_json(data: Path) -> None:
    result = evaluate("thread/previous", "irc:test", data=data)
    record = json.loads(result.json())
    assert record["link_f"] == 75.0
    assert record["result"] == 1
    assert Result.from_dict(record) == result


def test_the_checksum_follows_the_files_that_were_used(data: Path) -> None:
    before = evaluate("thread/previous", "irc:test", data=data).checksum
    (data / "irc" / "test" / "README.txt").write_text("not used")
    assert evaluate("thread/previous", "irc:test", data=data).checksum == before
    (data / "irc" / "test" / "2030-01-02.annotation.txt").write_text("0 0 -\n")
    assert evaluate("thread/previous", "irc:test", data=data).checksum != before


def test_training_saves_a_card(data: Path, tmp_path: Path) -> None:
    train("thread", "thread/previous", "irc:train", seed=5, out=tmp_path / "m", data=data)
    model, card = load_with_card(tmp_path / "m")
    assert model == Previous()
    assert (card.dataset, card.seed) == ("irc:train", 5)
    result = evaluate(tmp_path / "m", "irc:test", data=data)
    assert (result.seed, result.model, result.scores) == (5, "thread/previous", RIGHT)
    assert card.data == result.checksum


def test_a_place_that_takes_no_model_is_said_before_training(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Previous, "fit", lambda *given, **options: pytest.fail("it was trained in vain"))
    with pytest.raises(Unwritable, match="something else is there already"):
        train("thread", "thread/previous", "irc:train", out=data, data=data)


def test_a_model_of_another_room_is_refused(data: Path) -> None:
    with pytest.raises(ModelError, match="of the task thread, and one of the task people is needed"):
        train("people", "thread/previous", "irc:train", data=data)
    with pytest.raises(UnknownName, match=r"no task named 'weave'; known: .*thread"):
        train("weave", "thread/previous", "irc:train", data=data)


def test_a_line_that_is_no_message_would_shift_the_gold(tmp_path: Path) -> None:
    (tmp_path / "day.txt").write_text(LOG.replace("=== mika", "\n=== mika"))
    with pytest.raises(Broken, match="line 2 is no message, so line numbers are no positions"):
        whole_chat(tmp_path / "day.txt")


def test_every_line_of_a_log_is_a_position(data: Path) -> None:
    chat = whole_chat(data / "irc" / "test" / "2030-01-02.raw.txt", "ubuntu")
    assert [message.kind for message in chat] == ["message", "system", "message", "message"]


def test_outside_a_checkout_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "__file__", str(tmp_path / "lib" / "hubbub" / "task.py"))
    tasks.commit.cache_clear()
    assert tasks.commit() == ""
    tasks.commit.cache_clear()


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_evaluate_prints_json_or_lines(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(said(capsys, "evaluate", "thread/previous", "--on", "irc:test", "--json", "--data", data))
    assert record["link_f"] == 75.0
    lines = said(capsys, "evaluate", "thread/previous", "--on", "irc:test", "--data", data).splitlines()
    assert lines[0] == "thread/previous on irc:test"
    assert "  link_f             75.000" in lines


def test_evaluate_takes_a_pair_of_files(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "desk.log").write_text(LOG)
    (tmp_path / "links").write_text(GOLD)
    words = ("evaluate", "thread/previous", "--json", "--on", tmp_path / "desk.log", tmp_path / "links")
    assert json.loads(said(capsys, *words))["link_f"] == 75.0


def test_train_then_evaluate(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "models" / "t1"
    words = ("train", "thread", "--model", "thread/previous", "--on", "irc:train", "--out", out, "--data", data)
    assert "trained on irc:train" in said(capsys, *words)
    record = json.loads(said(capsys, "evaluate", out, "--on", "irc:test", "--json", "--data", data))
    assert record["model"] == "thread/previous"


def test_models_and_datasets_are_listed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert re.search(r"^thread/previous +ready", said(capsys, "models"), re.MULTILINE)
    first = json.loads(said(capsys, "models", "--json").splitlines()[0])
    assert set(first) == {"name", "state", "what"}
    assert first["what"]
    records = [json.loads(line) for line in said(capsys, "datasets", "--json", "--data", data).splitlines()]
    found = {record["name"]: record["found"] for record in records}
    assert found["irc"] == str(data / "irc")
    assert found["clinc"] is None
    assert "found     missing" in said(capsys, "datasets", "--data", data)


WRONG = [
    (["evaluate", "thread/best", "--on", "irc:test"], "There is no model or folder named 'thread/best'; known: "),
    (["evaluate", "thread/previous", "--on", "irc:dev"], "The dataset irc (#Ubuntu IRC"),
    (["evaluate", "thread/previous", "--on", "irc"], "--on irc: say which split: irc:train or"),
    (["evaluate", "thread/previous", "--on", "nowhere.txt"], "nowhere.txt: there is no such file or folder."),
    (["train", "weave", "--on", "irc:train", "--out", "m"], "There is no task named 'weave'"),
    (["train", "thread", "--on", "irc:train", "--out", "m", "--set", "far"], "--set far: a parameter is written as"),
    (
        ["train", "thread", "--on", "irc:train", "--out", "m", "--set", "far=1"],
        "parameter far: the parameters of thread/hubbub",
    ),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_a_mistake_is_one_sentence(
    words: list[str],
    sentence: str,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--data", str(data)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"hubbub: {sentence}")
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "m").exists()
