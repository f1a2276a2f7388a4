"""hubbub intent with the real command line: queries, pipes, chats, every way out, and everything that may go wrong."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from hubbub.jsonl import load
from hubbub.view.style import plain

from ..conftest import Put, Run
from ..intents import shop_folder

LOG = """\
[09:00] <ines> where is my parcel?
=== mika [~m@example.org] has joined #shop
[09:01] <mika> ines: who won the match last night
[09:02] <ines> can you fix a flat tyre and when do you open on saturday
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(shop_folder(tmp_path_factory.mktemp("models")))


def hubbub(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "hubbub", *words], input=stdin, capture_output=True, timeout=120)


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_queries_on_the_command_line(model: str) -> None:
    first, second = answers(hubbub("intent", "where is my parcel", "who won the match last night", "--model", model))
    assert (first["text"], first["name"]) == ("where is my parcel", "order_status")
    assert first["ranking"][0][0] == "order_status"
    assert first["score"] > 0.8
    assert second["name"] is None
    assert {"text", "name", "score", "ranking", "examples"} == set(second)


def test_a_line_an_answer_and_blank_lines_keep_their_place(model: str) -> None:
    piped = "\ufeffwhere is my parcel\r\n\n  \nbook a repair for thursday".encode()
    said = answers(hubbub("intent", "--model", model, stdin=piped))
    assert [each["text"] for each in said] == ["where is my parcel", "", "  ", "book a repair for thursday"]
    assert [each["name"] for each in said] == ["order_status", None, None, "book_repair"]
    assert said[1]["ranking"] == []


def test_queries_as_windows_wrote_them(model: str) -> None:
    said = answers(hubbub("intent", "--model", model, stdin="where is my parcel\nschön\n".encode("cp1252")))
    assert [each["text"] for each in said] == ["where is my parcel", "schön"]


def test_what_stands_before_a_bad_line_is_answered(model: str) -> None:
    done = hubbub("intent", "--model", model, stdin=b"where is my parcel\n\0\n")
    assert done.returncode == 2
    assert [json.loads(line)["name"] for line in done.stdout.splitlines()] == ["order_status"]


def test_a_pipe_keeps_its_messages_and_earlier_layers(model: str, put: Put) -> None:
    threaded = hubbub("thread", str(put("shop.log", LOG)), "--model", "thread/previous").stdout
    done = hubbub("intent", "--model", model, "--multi", stdin=threaded)
    ((chat, layers),) = load(done.stdout.decode().splitlines())
    assert len(chat) == 4
    assert layers.replies is not None
    assert [(each.position, each.name) for each in layers.intents] == [
        (0, "order_status"),
        (2, None),
        (3, "book_repair"),
        (3, "opening_hours"),
    ]
    drawn = hubbub("view", "--width", "80", stdin=done.stdout).stdout.decode()
    assert "→ book_repair" in drawn
    assert "+ opening_hours" in drawn


def test_a_chat_is_read_in_any_format(model: str, run: Run, put: Put) -> None:
    log = put("shop.log", LOG)
    rows = list(csv.DictReader(StringIO(run("intent", "--chat", log, "--model", model, "--to", "csv").out)))
    assert [(row["kind"], row["name"]) for row in rows][:3] == [
        ("message", "order_status"),
        ("system", ""),
        ("message", ""),
    ]
    drawn = run("intent", "--chat", log, "--model", model, "--to", "text", "--width", 80).out
    assert drawn.count("→ order_status") == 1
    assert len(run("intent", "--chat", log, "--model", model, "--rasa").records()) == 3


def test_the_shape_of_rasa(model: str, run: Run) -> None:
    ran = run("intent", "where is my parcel", "a poem about the sea", "--model", model, "--rasa", "--top", 2)
    first, second = ran.records()
    assert set(first) == {"text", "intent", "entities", "intent_ranking"}
    assert first["intent"]["name"] == first["intent_ranking"][0]["name"] == "order_status"
    assert first["intent"]["confidence"] == first["intent_ranking"][0]["confidence"]
    assert len(first["intent_ranking"]) == 2
    assert second["intent"]["name"] is None


def test_several_intents(model: str, run: Run) -> None:
    asked = ("intent", "can you fix a flat tyre and when do you open on saturday", "--model", model, "--multi")
    (said,) = run(*asked).records()
    assert [part["name"] for part in said["parts"]] == ["book_repair", "opening_hours"]
    rasa = run(*asked, "--rasa").records()[0]
    assert rasa["intent"] == rasa["intent_ranking"][0]
    assert rasa["intent"]["name"] == "book_repair+opening_hours"
    assert {each["name"] for each in rasa["intent_ranking"][1:3]} == {"book_repair", "opening_hours"}
    assert next(csv.DictReader(StringIO(run(*asked, "--to", "csv").out)))["name"] == "book_repair+opening_hours"
    assert "when do you open on saturday  opening_hours" in run(*asked, "--to", "text").out


def test_the_cut_moves(model: str, run: Run) -> None:
    asked = ("intent", "who won the match last night", "where is my parcel", "--model", model)
    assert None not in [each["name"] for each in run(*asked, "--threshold", 0).records()]
    assert [each["name"] for each in run(*asked, "--threshold", 1).records()] == [None, None]
    assert [each["name"] for each in run(*asked, "--criterion", "recall:100").records()] == [None, "order_status"]


def test_a_drawing(model: str, run: Run, tmp_path: Path) -> None:
    drawn = run("intent", "where is my parcel", "write a poem", "--model", model, "--to", "text", "--width", 60).out
    lines = drawn.splitlines()
    assert lines[1] == " where is my parcel"
    assert lines[2].split()[0] == "order_status"
    assert "█" in lines[2]
    assert "out of scope" in drawn
    assert max(map(len, lines)) <= 60
    out = tmp_path / "answers.txt"
    assert run("intent", "where is my parcel", "--model", model, "--to", "text", "--out", out).status == 0
    assert "order_status" in out.read_text("utf-8")


def test_examples_are_the_reasons() -> None:
    from hubbub.intent.inference.neighbours import NearExample
    from hubbub.intent.inference.response import IntentAnswer
    from hubbub.layers import Intent
    from hubbub.view.intents import draw_answers

    said = IntentAnswer(
        "where is it",
        Intent(0, "order_status", 0.9, (("order_status", 0.8), ("other", 0.1))),
        (NearExample("track my order", "order_status", 0.9),),
    )
    lines = [plain(line) for line in draw_answers([said], 60)]
    assert lines[2].split()[0] == "order_status"
    assert [line.split()[0] for line in lines[3:5]] == ["other", "out"]
    assert lines[-1] == "   like “track my order” (order_status)"


def test_intents_of_ones_own_are_learnt_once(put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn", reason="training intent/svm needs scikit-learn")
    pairs = [["red apples please", "fruit"], ["ripe pears", "fruit"], ["a sharp saw", "tool"], ["one hammer", "tool"]]
    file = put("mine.json", json.dumps({"train": pairs * 3, "val": pairs}))
    asked = ("intent", "a hammer and a saw", "--intents", str(file))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert answers(hubbub(*asked))[0]["name"] == "tool"
    (card,) = (tmp_path / "cache").rglob("model.json")
    made = card.stat().st_mtime_ns
    assert answers(hubbub(*asked))[0]["name"] == "tool"
    assert card.stat().st_mtime_ns == made
    card.write_text("{}")
    assert answers(hubbub(*asked))[0]["name"] == "tool"


def test_messages_of_a_chat_are_clipped(model: str, put: Put) -> None:
    log = put("long.log", f"[09:00] <ines> where is my parcel {'x' * 300_000}\n[09:01] <mika> track my order please\n")
    done = hubbub("intent", "--chat", str(log), "--model", model)
    ((chat, layers),) = load(done.stdout.decode().splitlines())
    assert len(chat[0].text) > 300_000
    assert [each.name for each in layers.intents][1] == "order_status"


@pytest.mark.parametrize(
    ("words", "stdin", "sentence"),
    [
        (["--model", "MODEL"], b"", "<stdin>: is empty"),
        (["--model", "MODEL"], b"\x7fELF\x00\x01\n", "<stdin>: is a binary file"),
        (["--model", "MODEL"], b"hello\n" + b"word " * 2_000_000, "<stdin>, line 2: is longer than the 100,000"),
        (["--model", "MODEL", "x" * 100_001], b"", "the text: is longer than the 100,000 characters"),
        (["--model", "nonsense", "hello"], b"", "There is no model or folder named 'nonsense'"),
        (["--model", "thread/previous", "hello"], b"", "of the task thread, and one of the task intent is needed"),
        (["--model", "MODEL", "hello", "--threshold", "3"], b"", "a probability from 0 to 1"),
        (["--model", "MODEL", "hello", "--criterion", "best"], b"", "a criterion is auto"),
        (["--model", "MODEL", "hello", "--criterion", "paper", "--threshold", "0.5"], b"", "both given"),
        (["--model", "MODEL", "hello", "--chat", "EMPTY"], b"", "TEXT and --chat both given: only one of them"),
        (["--model", "MODEL", "hello", "--svg", "a.svg", "--out", "b"], b"", "only one of them can be used"),
        (["--intents", "missing.yml", "hello", "--threshold", "7"], b"", "a probability from 0 to 1"),
        (["--model", "intent/fast", "hello", "--criterion", "argmax"], b"", "have no common zero"),
        (["--model", "MODEL", "hello", "--top", "0"], b"", "--top 0: must be a whole number, 1 or more"),
        (["--model", "MODEL", "--intents", "f.yml", "hello"], b"", "--model and --intents both given"),
        (["--intents", "missing.yml", "hello"], b"", "missing.yml: there is no such file"),
        (["--model", "MODEL", "EMPTY"], b"", "this is a file: use --chat"),
        (["--model", "MODEL", "--chat", "EMPTY"], b"", "is empty"),
        (["--model", "MODEL", "--chat", "BINARY"], b"", "is a binary file"),
        (["--model", "MODEL", "hello", "--out", "/nowhere/at/all"], b"", "cannot be written"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_sentence(words: list[str], stdin: bytes, sentence: str, model: str, put: Put) -> None:
    places = {"MODEL": model, "EMPTY": str(put("empty.log", "")), "BINARY": str(put("some.bin", b"\0\1\2\3" * 50))}
    done = hubbub("intent", *(places.get(word, word) for word in words), stdin=stdin)
    assert done.returncode == 2
    told = done.stderr.decode()
    assert sentence in told
    assert told.count("\n") == 1


def test_nothing_asked(model: str, run: Run) -> None:
    ran = run("intent", "--model", model)
    assert ran.status == 2
    assert "write a query in quotes" in ran.err


def test_a_closed_pipe_is_no_mistake(model: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "hubbub", "intent", "--model", model],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as done:  # fmt: skip
        assert done.stdin is not None
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdin.write(b"where is my parcel\n")
        done.stdin.flush()
        assert b"order_status" in done.stdout.readline()
        done.stdout.close()
        done.stdin.write(b"track my order please\n" * 5000)
        done.stdin.close()
        assert done.wait(60) == 141
        assert done.stderr.read() == b""
