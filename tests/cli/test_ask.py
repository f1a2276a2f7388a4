"""hubbub index, ask, answer and search with the real command line, and everything that may go wrong."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hubbub.answer.data.loading import sample
from hubbub.answer.models.bm25 import Bm25
from hubbub.cli import main
from hubbub.data import samples
from hubbub.ml.registry import save

from ..conftest import Run

LOG = """\
[09:00] <ines> the kettle in the kitchen trips the fuse every morning, what can I do?
[09:01] <bo> ines: descale it, a crust on the element makes it leak current
[09:02] <ines> bo: that did it, thanks a lot
[09:40] <mika> my bicycle chain jumps on the small cogs, any idea?
"""
REPLIES = "the cassette of the bicycle is worn, so the chain jumps\nrye bread keeps fresh\n\nturn the kettle off\n"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "a.db"
    assert main(["index", str(samples.path("support.log")), "--in", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = sample()
    return save(Bm25().fit(given.inputs, given.golds), tmp_path_factory.mktemp("model") / "bm25")


def test_indexing_makes_vectors_unless_it_is_told_not_to(run: Run, tmp_path: Path) -> None:
    log, place = samples.path("support.log"), tmp_path / "a.db"
    bare = run("index", log, "--in", place, "--no-vectors")
    assert "not yet with vectors" in bare.out
    refused = run("ask", "fsck", "--in", place)
    assert (refused.status, refused.out) == (2, "")
    assert f"hubbub index --in {place}" in refused.err
    assert refused.err.count("\n") == 1
    filled = run("index", "--in", place)
    assert (filled.status, "not yet" in filled.out) == (0, False)
    assert run("ask", "fsck", "--in", place, "--threshold", "0").records()


def test_an_answer_a_line(run: Run, archive: Path) -> None:
    asked = ["my", "disk", "is", "suddenly", "read-only"]
    found = run("ask", *asked, "--in", archive, "-n", 2, "--threshold", 0).records()
    assert len(found) == 2
    first = found[0]
    assert set(first) == {
        "score",
        "chat",
        "conversation",
        "question",
        "between",
        "answer",
        "followed",
        "thanked",
    }
    assert first["question"]["author"] == "zephine"
    assert first["answer"]["author"] != "zephine"
    assert first["score"] >= found[1]["score"]


@pytest.mark.parametrize(
    ("question", "fix"),
    [
        ("the printer feeds paper but the pages are blank", "sudo apt install ipp-usb"),
        ("my pages come out blank", "sudo apt install ipp-usb"),
        ("the wifi is gone after suspend", "sudo modprobe -r rt2800pci"),
        ("my ssh key is not accepted", "IdentityFile"),
    ],
)
def test_the_message_that_solved_it_is_shown(run: Run, archive: Path, question: str, fix: str) -> None:
    first = run("ask", question, "--in", archive).records()[0]
    assert fix in first["answer"]["text"]
    assert first["score"] > 0.5


@pytest.mark.parametrize(
    "question", ["asdf qwer zxcv", "what is the capital of France?", "how do I tune a harpsichord"]
)
def test_nonsense_and_other_topics_are_declined(run: Run, archive: Path, question: str) -> None:
    declined = run("ask", question, "--in", archive)
    assert (declined.status, declined.out) == (0, "")
    assert "No answer is probable enough" in declined.err


def test_the_drawing_has_question_answer_and_chance(run: Run, archive: Path) -> None:
    drawn = run("ask", "usb disk read-only", "--in", archive, "--to", "text", "--threshold", 0, "--width", 60, "-n", 1)
    assert " usb disk read-only\n" in drawn.out
    assert "%" in drawn.out
    assert "\n   ▸ " in drawn.out
    assert "\n   ? " in drawn.out
    assert max(map(len, drawn.out.splitlines())) <= 60
    assert "\x1b" not in drawn.out
    coloured = run("ask", "usb disk", "--in", archive, "--to", "text", "--threshold", 0, "--colour", "always")
    assert "\x1b[" in coloured.out


def test_nothing_good_enough_is_said_and_no_error(run: Run, archive: Path) -> None:
    drawn = run("ask", "harpsichord tuning", "--in", archive, "--to", "text", "--threshold", 1)
    assert (drawn.status, "No answer is probable enough" in drawn.out) == (0, True)
    piped = run("ask", "harpsichord tuning", "--in", archive, "--threshold", 1)
    assert (piped.status, piped.out) == (0, "")
    assert "No answer is probable enough" in piped.err
    before = run("ask", "disk", "--in", archive, "--until", "1999-01-01")
    assert "No similar question" in before.err


@pytest.mark.parametrize(
    "words",
    [
        ["--threshold", "2"],
        ["--threshold", "much"],
        ["-n", "0"],
        ["--since", "yesterday"],
        ["--channel", "#elsewhere"],
        ["--width", "3", "--to", "text"],
    ],
)
def test_a_wrong_option_is_one_sentence(run: Run, archive: Path, words: list[str]) -> None:
    wrong = run("ask", "disk", "--in", archive, *words)
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("create table cats (name text)")


@pytest.mark.parametrize("verb", [["ask", "disk"], ["search", "disk"]])
@pytest.mark.parametrize(
    "spoil",
    [
        foreign,
        lambda path: path.write_bytes(b"no database at all" * 100),
        lambda path: path.write_bytes(b""),
        lambda path: path.mkdir(),
        lambda path: None,
    ],
)
def test_what_is_no_archive_is_one_sentence(run: Run, tmp_path: Path, spoil: object, verb: list[str]) -> None:
    spoil(tmp_path / "a.db")  # type: ignore[operator]
    wrong = run(*verb, "--in", tmp_path / "a.db")
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)


def test_a_damaged_archive_is_one_sentence(run: Run, archive: Path, tmp_path: Path) -> None:
    place = tmp_path / "a.db"
    raw = bytearray(archive.read_bytes())
    raw[8192:] = bytes(len(raw) - 8192)
    place.write_bytes(raw)
    wrong = run("ask", "disk", "--in", place)
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)


def test_a_locked_archive_is_still_asked_but_not_indexed(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hubbub.archive.sqlite.WAIT_SECONDS", 0.05)
    place = tmp_path / "a.db"
    shutil.copy(archive, place)
    (tmp_path / "new.log").write_text(LOG)
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert run("ask", "disk", "--in", place, "--threshold", 0).records()
        wrong = run("index", tmp_path / "new.log", "--in", place)
    assert (wrong.status, "another program" in wrong.err) == (2, True)


def test_replies_from_a_file(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(LOG)
    (tmp_path / "replies.txt").write_text(REPLIES)
    given = ["answer", tmp_path / "a.log", "--candidates", tmp_path / "replies.txt", "--model", model]
    found = run(*given, "--at", 4).records()
    assert len(found) == 3
    assert found[0]["text"].startswith("the cassette of the bicycle")
    assert len(run(*given, "--at", 4, "-n", 1).records()) == 1
    drawn = run(*given, "--at", 1, "--to", "text").out
    assert "trips the fuse" in drawn
    assert drawn.index("turn the kettle off") < drawn.index("rye bread")


def test_replies_from_an_archive_leave_out_what_came_next(run: Run, model: Path, archive: Path) -> None:
    log = samples.path("support.log")
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
    at = next(i for i, line in enumerate(lines) if "suddenly read-only" in line)
    found = run("answer", log, "--at", at + 1, "--in", archive, "--model", model).records()
    later = " ".join(lines[at + 1 :])
    assert found
    assert not any(each["text"] in later for each in found)
    assert all(each["source"] for each in found)


@pytest.mark.parametrize(
    "words",
    [
        ["--at", "4"],
        ["--at", "99", "--candidates", "replies.txt"],
        ["--at", "0", "--candidates", "replies.txt"],
        ["--at", "4", "--candidates", "missing.txt"],
        ["--at", "4", "--candidates", "empty.txt"],
        ["--at", "4", "--candidates", "binary.txt"],
        ["--at", "4", "--candidates", "."],
        ["--at", "4", "--in", "missing.db"],
        ["--at", "4", "--in", "missing.db", "--candidates", "replies.txt"],
        ["--candidates", "replies.txt"],
    ],
)
def test_a_wrong_wish_for_replies_is_one_sentence(
    run: Run, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_text(LOG)
    Path("replies.txt").write_text(REPLIES)
    Path("empty.txt").write_text("\n")
    Path("binary.txt").write_bytes(b"\xff\xfe\x00")
    wrong = run("answer", "a.log", "--model", model, *words)
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)


def test_search_shows_what_is_around_and_the_whole_if_asked(run: Run, archive: Path) -> None:
    around = run("search", "fsck", "--in", archive, "-n", 1).out
    whole = run("search", "fsck", "--in", archive, "-n", 1, "--whole").out
    assert any(line.startswith(">") and "fsck" in line for line in around.splitlines())
    assert set(around.splitlines()) - {"  ..."} <= set(whole.splitlines())
    assert len(around.splitlines()) <= len(whole.splitlines())
    assert run("search", "xylophone", "--in", archive).out == "Nothing was found.\n"
    assert run("search", "fsck", "--in", archive, "--channel", "nowhere").status == 2
