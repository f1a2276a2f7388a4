"""hubbub search with the real command line: results, highlights, facets, notes and mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.cli import main
from hubbub.data import samples

from ..conftest import Run


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "a.db"
    assert main(["index", str(samples.path("support.log")), "--in", str(path), "--no-vectors"]) == 0
    return path


def test_found_lines_are_marked_and_matches_are_styled(run: Run, archive: Path) -> None:
    plain = run("search", "fsck", "--in", archive, "-n", 1)
    assert plain.out.startswith("conversation c-")
    assert any(line.startswith("> ") and "fsck" in line for line in plain.out.splitlines())
    assert "\x1b" not in plain.out
    styled = run("search", "fsck", "--in", archive, "-n", 1, "--colour", "always")
    assert "mfsck\x1b[0m" in styled.out


def test_json_has_snippets_with_offsets(run: Run, archive: Path) -> None:
    (found,) = run("search", '"kettle"', "--in", archive, "-n", 1, "--json").records()
    (first, *_) = found["snippets"]
    text = next(each["text"] for each in found["messages"] if each["message"] == first["message"])
    (span, *_) = first["highlights"]
    assert text[span["start"] : span["end"]].lower() == "kettle"
    assert text[first["start"] :].startswith(first["text"])


def test_facets_follow_the_results(run: Run, archive: Path) -> None:
    lines = run("search", "fsck", "--in", archive, "--facets").out.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["people", "channels", "months"]
    *_, last = run("search", "fsck", "--in", archive, "--facets", "--json").records()
    assert last["complete"]
    assert set(last["facets"]) == {"people", "channels", "months"}
    assert sum(last["facets"]["channels"].values()) >= 1


def test_the_latest_first(run: Run, archive: Path) -> None:
    found = run("search", "from:tessaly", "--in", archive, "--sort", "date", "--json").records()
    times = [max(each["time"] for each in hit["messages"] if each["message"] in hit["found"]) for hit in found]
    assert times == sorted(times, reverse=True)
    assert run("search", "kettle", "--in", archive, "--sort", "dat").status == 2


@pytest.mark.parametrize("query", ['"kettle', "kettle OR", "form:ada kettle", "kettle after:tomorrow", "(kettle", "!?"])
def test_a_mistake_in_a_query_is_a_note(run: Run, archive: Path, query: str) -> None:
    ran = run("search", query, "--in", archive)
    assert ran.status == 0
    assert ran.err.startswith("hubbub: ")
    assert ran.err.count("\n") == 1
    assert run("search", query, "--in", archive, "-q").err == ""


def test_options_and_keys_mean_the_same(run: Run, archive: Path) -> None:
    by_option = run("search", "fsck", "--person", "tessaly", "--in", archive, "--json").out
    assert by_option == run("search", "fsck from:tessaly", "--in", archive, "--json").out
    assert run("search", "fsck", "--channel", "nowhere", "--in", archive).status == 2


def test_exclusions_on_the_command_line(run: Run, archive: Path) -> None:
    without = run("search", "--in", archive, "--json", "--", "fsck", "-cable").records()
    texts = [snippet["text"] for hit in without for snippet in hit["snippets"]]
    assert texts
    assert not any("cable" in text for text in texts)
