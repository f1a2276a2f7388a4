"""hubbub archive and show: listings as text and JSON, exports to standard output, and names that are not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hubbub.cli import main
from hubbub.cli.tables import lines

from ..conftest import Run

LOG = "[12:00] <ana> who knows java?\n[12:01] <ben> ana: I do\n[12:02] <cleo> is there any cake left?\n"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    (folder / "tea.log").write_text(LOG, encoding="utf-8")
    words = ["index", str(folder / "tea.log"), "--in", str(folder / "a.db"), "--no-vectors"]
    assert main([*words, "--model", "thread/previous"]) == 0
    return folder / "a.db"


def test_what_an_archive_contains_as_text_and_json(archive: Path, run: Run) -> None:
    (record,) = run("archive", "info", "--json", "--in", archive).records()
    assert (record["messages"], record["has_vectors"]) == (3, False)
    (channel,) = record["channels"]
    assert (channel["name"], channel["messages"], channel["people"]) == ("tea", 3, 3)
    shown = run("archive", "info", "--in", archive).out.splitlines()
    assert shown[0].split() == ["channel", "messages", "people", "conversations", "days"]
    assert shown[-1].startswith("total: 3 messages, not yet with vectors")


def test_conversations_as_text_and_json(archive: Path, run: Run) -> None:
    records = run("archive", "list", "--to", "json", "--in", archive).records()
    assert sum(each["messages"] for each in records) == 3
    shown = run("archive", "list", "--in", archive).out.splitlines()
    assert [line.split()[0] for line in shown] == ["id", *(each["conversation"] for each in records)]


def test_an_unknown_id_says_so_and_names_those_that_begin_alike(archive: Path, run: Run) -> None:
    known = run("archive", "list", "--to", "json", "--in", archive).records()[0]["conversation"]
    wrong = known[:-1] + ("b" if known[-1] == "a" else "a")
    near = run("show", wrong, "--in", archive)
    assert f"ID {wrong}: {archive} has no conversation with this id; ids that begin alike are" in near.err
    assert known in near.err
    beginning = run("show", known[:-1], "--in", archive)
    assert beginning.out.startswith(f"conversation {known}, ")
    assert beginning.err == ""
    far = run("show", "0000", "--in", archive).err
    assert "has no conversation with this id; hubbub archive list lists them." in far


@pytest.mark.parametrize("out", [[], ["--out", "-"]])
def test_an_export_to_standard_output(archive: Path, run: Run, out: list[str], tmp_path: Path) -> None:
    written = run("archive", "export", "--in", archive, *out)
    assert [each["author"] for each in written.records()] == ["ana", "ben", "cleo"]
    assert run("archive", "export", "--in", archive, "--out", tmp_path / "x").status == 0
    assert (tmp_path / "x").read_text(encoding="utf-8") == written.out


def test_a_copy_to_a_pipe(archive: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hubbub", "archive", "export", "--to", "sqlite", "--in", str(archive)]
    made = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=60).stdout
    assert made.startswith(b"SQLite format 3")


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_no_copy_to_a_terminal(archive: Path) -> None:
    import pty

    inside, outside = pty.openpty()
    command = [sys.executable, "-m", "hubbub", "archive", "export", "--to", "sqlite", "--in", str(archive)]
    done = subprocess.run(command, stdout=outside, stderr=subprocess.PIPE, timeout=60)
    os.close(outside)
    os.close(inside)
    assert (done.returncode, b"it is no text for a terminal" in done.stderr) == (2, True)


@pytest.mark.parametrize("verb", [["search", "java"], ["ask", "java"]])
def test_a_person_who_is_not_there_is_an_error_in_every_command(archive: Path, run: Run, verb: list[str]) -> None:
    assert "Nobody in " in (done := run(*verb, "--person", "anna", "--in", archive)).err
    assert "is named 'anna'; near it: ana." in done.err
    assert done.status == 2


def test_a_channel_that_is_not_there(archive: Path, run: Run) -> None:
    for words in (["search", "java"], ["archive", "list"]):
        done = run(*words, "--channel", "teas", "--in", archive)
        assert "There is no channel named 'teas' (did you mean 'tea'?); known: tea." in done.err


@pytest.mark.parametrize("words", [["search", ""], ["ask", " "], ["intent", ""], ["search", "java", "--person", ""]])
def test_an_empty_text_asks_nothing(archive: Path, run: Run, words: list[str]) -> None:
    done = run(*words, *(["--in", archive] if words[0] != "intent" else []))
    assert (done.status, "has an empty value" in done.err) == (2, True)


def test_days_in_the_wrong_order(archive: Path, run: Run) -> None:
    done = run("search", "java", "--since", "2020-01-02", "--until", "2020-01-01", "--in", archive)
    assert "--since 2020-01-02: it is after --until 2020-01-01." in done.err


ROWS = [("name", "state", "what"), ("thread/hubbub", "bundled", "the model that is used by default, and more words")]


def test_a_table_is_one_line_a_row_where_it_fits() -> None:
    assert list(lines(ROWS, None, 1))[1].startswith(" thread/hubbub  bundled  the model that is used by default, and")
    assert list(lines(ROWS, 200)) == list(lines(ROWS, None))


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_a_table_fits_the_terminal(width: int) -> None:
    shown = list(lines(ROWS, width))
    assert max(map(len, shown)) <= width
    assert " ".join(" ".join(shown).split()).endswith("and more words")


def test_json_and_text_of_an_archive_agree(archive: Path, run: Run) -> None:
    identifier = run("archive", "list", "--to", "json", "--in", archive).records()[0]["conversation"]
    record = json.loads(run("archive", "show", identifier, "--json", "--in", archive).out)
    shown = run("show", identifier, "--in", archive).out
    assert all(each["text"] in shown for each in record["messages"])
