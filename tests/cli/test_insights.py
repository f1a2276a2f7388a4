"""hubbub unanswered, stats, faq and export with the real command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ..archive.insights.chats import filled
from ..conftest import Run

FORMATS = {
    "unanswered": ("text", "json", "csv", "markdown"),
    "stats": ("text", "json", "markdown", "svg"),
    "faq": ("text", "json", "markdown", "html"),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("insights") / "a.db"
    filled(path).close()
    return path


def test_unanswered_questions_in_every_format(run: Run, archive: Path) -> None:
    records = run("unanswered", "--in", archive, "--json").records()
    assert [(each["asker"], each["outcome"]) for each in records] == [
        ("tess", "no reply"),
        ("kim", "unresolved"),
        ("sol", "unresolved"),
    ]
    rows = list(csv.DictReader(io.StringIO(run("unanswered", "--in", archive, "--to", "csv").out)))
    assert [row["conversation"] for row in rows] == [each["conversation"] for each in records]
    assert run("unanswered", "--in", archive, "--to", "markdown").out.count("\n") == 5
    shown = run("unanswered", "--in", archive, "--only", "no-reply", "-n", 5).out.splitlines()
    assert len(shown) == 2
    assert "tess" in shown[1]
    assert run("unanswered", "--in", archive, "--since", "2099-01-01").out == "No unanswered question was found.\n"
    assert run("unanswered", "--in", archive, "--person", "nobody").status == 2


def test_statistics_in_every_format(run: Run, archive: Path, tmp_path: Path) -> None:
    (record,) = run("stats", "--in", archive, "--json").records()
    assert (record["total"]["questions"], record["helpers"][0]["name"]) == (7, "bo")
    table = list(csv.DictReader(io.StringIO(run("stats", "--in", archive, "--to", "csv", "--table", "hours").out)))
    assert [row["hour"] for row in table] == ["09", "10", "11"]
    text = run("stats", "--in", archive, "--by", "day").out
    assert "By day" in text
    assert "2024-05-06 to 2024-05-22" in text
    assert run("stats", "--in", archive, "--to", "svg", "--out", tmp_path / "s.svg").status == 0
    drawn = ElementTree.parse(tmp_path / "s.svg").getroot()
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}rect"))) > 24


def test_a_csv_of_statistics_needs_the_name_of_a_table(run: Run, archive: Path) -> None:
    refused = run("stats", "--in", archive, "--to", "csv")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "--table" in refused.err
    assert run("stats", "--in", archive, "--to", "svg", "--table", "hours").status == 2


def test_frequent_questions_in_every_format(run: Run, archive: Path) -> None:
    (record,) = run("faq", "--in", archive, "--json").records()
    assert (record["askers"], record["answer"]["is_confirmed"]) == (3, True)
    for format, start in (("text", "1. "), ("markdown", "# Frequently asked questions\n"), ("html", "<!DOCTYPE html>")):
        out = run("faq", "--in", archive, "--to", format).out
        assert out.startswith(start)
        assert all(id in out for id in record["conversations"])
    assert (
        run("faq", "--in", archive, "--min-askers", 9).out
        == "No question was asked by 9 or more people (--min-askers).\n"
    )


def test_export_writes_a_folder_and_says_what_was_left_out(run: Run, archive: Path, tmp_path: Path) -> None:
    names = tmp_path / "opted-out.txt"
    names.write_text("# these people\nNILS\n", encoding="utf-8")
    ran = run("export", "--for", "finetune", "--in", archive, "--out", tmp_path / "out", "--opt-out", names)
    assert ran.status == 0, ran.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "train.jsonl", "dev.jsonl", "test.jsonl", "README.md"
    }  # fmt: skip
    assert "left out: 1 conversation with somebody who opted out" in ran.err
    again = run("export", "--for", "finetune", "--in", archive, "--out", tmp_path / "out")
    assert (again.status, again.err.count("\n")) == (2, 1)
    few = run("export", "--for", "nuc", "--in", archive, "--out", tmp_path / "nuc")
    assert (few.status, "too few" in few.err) == (2, True)


@pytest.mark.parametrize("verb", ["unanswered", "stats", "faq"])
def test_what_is_in_a_chat_cannot_drive_a_terminal_or_a_page(run: Run, tmp_path: Path, verb: str) -> None:
    from hubbub.archive.adding import add
    from hubbub.archive.store import ArchiveStore

    from ..archive.insights.chats import spoken

    bad = "how do I mount <script>alert(1)</script> | a *floppy* \x1b[2J disk?"
    talks = tuple(((name, bad), ("<b>eve\x1b", "ask | somebody *else* about the <i>floppy</i>")) for name in "abc")
    with ArchiveStore(tmp_path / "a.db", create=True) as store:
        list(add(store, "#<i>", "irssi", spoken((*talks, (("d\x1b", bad),)))))
    for format in FORMATS[verb]:
        ran = run(verb, "--in", tmp_path / "a.db", "--to", format)
        assert ran.status == 0, ran.err
        assert "\x1b" not in ran.out
        if format in ("html", "svg", "markdown"):
            assert "<script>" not in ran.out
            assert "<b>" not in ran.out.replace("<b>&lt;", "")


def test_mistakes_are_one_sentence(run: Run, archive: Path, tmp_path: Path) -> None:
    for words in (
        ("unanswered", "--in", archive, "--channel", "#attic"),
        ("unanswered", "--in", tmp_path / "none.db"),
        ("stats", "--in", archive, "--by", "year"),
        ("faq", "--in", archive, "--min-askers", 1),
        ("export", "--for", "songs", "--in", archive, "--out", tmp_path / "x"),
        ("export", "--for", "rag", "--only-confirmed", "--in", archive, "--out", tmp_path / "x"),
        ("export", "--for", "rag", "--to", "chatml", "--in", archive, "--out", tmp_path / "x"),
        ("export", "--for", "rag", "--in", archive, "--out", tmp_path / "x", "--opt-out", tmp_path / "none"),
    ):
        ran = run(*words)
        assert (ran.status, ran.out) == (2, ""), words
        assert ran.err.count("\n") == 1, ran.err
        assert json.dumps(ran.err)
