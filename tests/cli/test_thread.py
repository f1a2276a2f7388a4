"""hubbub thread: every way out, one conversation, why, and the errors."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from hubbub.cli import main
from hubbub.jsonl import chat_lines, load
from hubbub.layers import Intent

LOG = """\
[09:00] <ines> hi, does anybody know why my printer is offline after the upgrade?
[09:00] <tomo> how do i mount a usb stick from the terminal?
[09:01] <raul> ines: is it plugged in, and does lpstat show it?
=== mika [~m@example.org] has joined #help
[09:01] <mika> tomo: sudo mount /dev/sdb1 /mnt
[09:02] <ines> raul: yes, lpstat says printer disabled
"""


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "help.txt"
    path.write_text(LOG, encoding="utf-8")
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["thread", *words]) == 0
    return capsys.readouterr().out


def test_links(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, log, "--to", "links").splitlines() == ["0 0 -", "1 1 -", "0 2 -", "3 3 -", "1 4 -", "2 5 -"]


def test_json_lines_carry_the_layer(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    ((chat, layers),) = load(said(capsys, log).splitlines())
    assert len(chat) == 6
    assert layers.replies is not None
    assert layers.replies.parents[2] == (0,)
    assert all(len(scores) == 1 for scores in layers.replies.scores)


def test_earlier_layers_pass_on(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ((chat, layers),) = load(said(capsys, log).splitlines())
    asked = replace(layers, replies=None, intents=(Intent(1, "mount", 0.9, (("mount", 0.9),)),))
    (tmp_path / "asked.jsonl").write_text("\n".join(chat_lines(chat, asked)) + "\n", encoding="utf-8")
    ((_, both),) = load(said(capsys, str(tmp_path / "asked.jsonl")).splitlines())
    assert both == replace(layers, intents=asked.intents)


def test_csv_and_clusters(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(StringIO(said(capsys, log, "--to", "csv"))))
    assert [row["conversation"] for row in rows] == ["1", "2", "1", "", "2", "1"]
    clusters = said(capsys, log, "--to", "clusters").splitlines()
    assert [line.partition(":")[2] for line in clusters] == ["0 2 5", "1 4", "3"]


def test_a_corpus_folder(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "corpus"
    said(capsys, log, "--to", "convokit", "--out", str(folder))
    utterances = [json.loads(line) for line in (folder / "utterances.jsonl").read_text("utf-8").splitlines()]
    assert [each["reply-to"] is None for each in utterances] == [True, True, False, True, False, False]
    assert utterances[5]["conversation_id"] == utterances[0]["id"]
    assert set(json.loads((folder / "speakers.json").read_text("utf-8"))) == {"ines", "tomo", "raul", "mika"}


def test_one_conversation_or_each(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, log, "--conversation", "2", "--to", "links").splitlines() == ["1 1 -", "1 4 -"]
    chats = list(load(said(capsys, log, "--by", "conversation").splitlines()))
    assert [[message.author for message in chat] for chat, _ in chats] == [["ines", "raul", "ines"], ["tomo", "mika"]]


def test_a_conversation_keeps_its_number_when_it_is_written_alone(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    every = csv.DictReader(StringIO(said(capsys, log, "--to", "csv")))
    texts = {number: [row["text"] for row in every if row["conversation"] == number] for number in ("2",)}
    alone = list(csv.DictReader(StringIO(said(capsys, log, "--conversation", "2", "--to", "csv"))))
    assert [row["conversation"] for row in alone] == ["2", "2"]
    assert [(row["number"], row["parents"]) for row in alone] == [("2", "2"), ("5", "2")]
    assert [row["text"] for row in alone] == texts["2"]
    apart = csv.DictReader(StringIO(said(capsys, log, "--by", "conversation", "--to", "csv")))
    assert [row["conversation"] for row in apart] == ["1", "1", "1", "2", "2"]


def test_a_threshold_cuts_unsure_links(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, log, "--to", "links", "--threshold", "1").splitlines()
    assert lines == [f"{i} {i} -" for i in range(6)]


def test_why(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, log, "--why", "5").splitlines()
    assert lines[0] == "5  mika: tomo: sudo mount /dev/sdb1 /mnt"
    assert lines[1].split()[2] == "2"
    assert any("rather than" in line for line in lines)
    assert any("starts a conversation" in line for line in lines)


def test_why_as_json(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(said(capsys, log, "--why", "5", "--json"))
    assert (record["position"], record["author"], record["is_stated"]) == (4, "mika", False)
    assert record["candidates"][0]["position"] == 1
    assert record["candidates"][0]["reasons"][0].keys() == {"feature", "value", "instead", "weight"}
    out = tmp_path / "why.json"
    assert said(capsys, log, "--why", "5", "--to", "jsonl", "--out", str(out)) == ""
    assert json.loads(out.read_text("utf-8")) == record


def test_numbers_are_about_one_chat(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.txt"
    other.write_text(LOG, encoding="utf-8")
    for option in ("--why", "--conversation"):
        assert main(["thread", log, str(other), option, "2"]) == 2
        assert f"{option} 2: the input has several chats (help, other); choose one with --chat NAME." in (
            capsys.readouterr().err
        )
    one = said(capsys, log, "--conversation", "2", "--to", "links")
    assert said(capsys, log, str(other), "--chat", "OTHER", "--conversation", "2", "--to", "links") == one
    assert main(["thread", log, "--chat", "halp"]) == 2
    assert "There is no chat named 'halp' (did you mean 'help'?)" in capsys.readouterr().err


def test_another_model(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, log, "--model", "thread/previous", "--to", "links").splitlines()[4] == "2 4 -"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--conversation", "9"], "has conversations 1 to 2"),
        (["--why", "99"], "has messages 1 to 6"),
        (["--why", "4"], "that is a system line"),
        (["--why", "1", "--model", "thread/previous"], "only thread/hubbub can explain its decisions"),
        (["--why", "1", "--conversation", "1"], "--why and --conversation both given"),
        (["--why", "1", "--to", "csv"], "--why is written as text or json"),
        (["--to", "convokit"], "a ConvoKit corpus is a folder"),
        (["--threshold", "3"], "a probability from 0 to 1"),
        (["--second", "0.5", "--model", "thread/previous"], "for models that have one"),
    ],
)
def test_what_cannot_be_done(log: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["thread", log, *words]) == 2
    assert sentence in capsys.readouterr().err


RECIPE = 'model = "thread/previous"\non = "{data}"\ncheck = "{data}"\nseed = 4\n'


@pytest.fixture
def annotated(tmp_path: Path, log: str) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "help.txt").write_text(LOG, encoding="utf-8")
    (folder / "help.annotation.txt").write_text("0 0 -\n1 1 -\n0 2 -\n3 3 -\n1 4 -\n2 5 -\n", encoding="utf-8")
    return folder


def test_a_recipe_says_how_to_train(annotated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe, out = tmp_path / "r.toml", tmp_path / "m"
    recipe.write_text(RECIPE.format(data=annotated), encoding="utf-8")
    assert main(["train", "thread", "--recipe", str(recipe), "--out", str(out)]) == 0
    card = json.loads((out / "model.json").read_text("utf-8"))
    assert (card["name"], card["seed"]) == ("thread/previous", 4)
    assert "link_f" in card["scores"]


def test_training_from_the_bundled_model(annotated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lightgbm")
    out = tmp_path / "m"
    words = ["train", "thread", "--from", "thread/hubbub", "--on", str(annotated), "--out", str(out)]
    assert main(words) == 0
    assert main(["thread", str(annotated / "help.txt"), "--model", str(out), "--to", "links"]) == 0


@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        ('modell = "x"', "a recipe has model"),
        ("on = ", "it is not a valid TOML file"),
        ('model = "thread/previous"', "--on is missing"),
    ],
)
def test_recipes_that_cannot_be_followed(
    recipe: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.toml"
    path.write_text(recipe, encoding="utf-8")
    assert main(["train", "thread", "--recipe", str(path), "--out", str(tmp_path / "m")]) == 2
    assert sentence in capsys.readouterr().err
