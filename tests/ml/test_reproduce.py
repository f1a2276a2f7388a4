"""Published tables beside ours: read, run, written down and drawn; and those that ship are whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from hubbub.errors import Broken, OptionError, UnknownName, Unwritable
from hubbub.ml import reproduce
from hubbub.ml.registry import names
from hubbub.ml.reproduce import ResultCell, cells, recorded, table, tables

from ..conftest import Run

PAPER = """
runner = "tests.ml.test_reproduce:runner"
[[table]]
number = "1"
title = "A table"
columns = ["f", "g"]
heads = ["F", "G"]
[[table.row]]
name = "ours too"
published = [70.0, "-"]
run = { times = 2 }
[[table.row]]
name = "theirs alone"
published = [50.5, 1]
[[table]]
number = "plot"
title = "A plot"
columns = ["f"]
plot = true
[[table.row]]
name = "much"
published = ["-"]
run = { times = 50 }
"""


def runner(run: Mapping[str, Any], columns: Sequence[str], **options: Any) -> dict[str, Any]:
    return {"figures": dict.fromkeys(columns, 36.0 * run["times"]), "checksum": "c", "seed": 0}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed package with one paper, and a home of its own."""
    folder = tmp_path / "lib" / "site-packages" / "hubbub" / "research"
    monkeypatch.setattr(reproduce, "RESEARCH", folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "paper.toml").write_text(PAPER)
    return folder


@pytest.fixture
def top(installed: Path) -> Path:
    """The same folder in a checkout."""
    (installed.parents[2] / "pyproject.toml").touch()
    return installed


def test_a_row_that_was_not_run(top: Path) -> None:
    first = next(iter(cells(table("paper:1"))))
    assert first == ResultCell("ours too", "F", None, 70.0)
    assert first.difference is None


def test_a_row_that_cannot_be_run_says_so(top: Path) -> None:
    with pytest.raises(OptionError, match="quoted as published"):
        reproduce.run(table("paper:1"), ["theirs alone"])


def test_what_was_run_is_written_down(top: Path) -> None:
    assert reproduce.run(table("paper:1")) == ["ours too"]
    found = list(cells(table("paper:1")))
    assert found[0].difference == pytest.approx(2.0)
    assert found[1].difference is None
    assert found[2].ours is None
    record = json.loads((top / "results" / "paper-1.json").read_text())["rows"]["ours too"]
    assert {"figures", "checksum", "seed", "version", "commit", "run"} <= record.keys()


def test_the_verb(top: Path, run: Run) -> None:
    assert "not run" in run("reproduce", "paper:1").out
    lines = run("reproduce", "paper:1", "--run", "--row", "ours too").out.splitlines()
    assert lines[0] == "A table"
    assert lines[2].split() == ["ours", "too", "F", "72.0", "70.0", "+2.0"]
    assert run("reproduce", "paper:1", "--json").records()[0]["difference"] == pytest.approx(2.0)
    assert run("reproduce", "paper").out.splitlines() == ["paper:1  A table", "paper:plot  A plot"]
    assert "█" in run("reproduce", "paper:plot", "--run").out


def test_a_plot_becomes_a_picture(top: Path, run: Run) -> None:
    run("reproduce", "paper:plot", "--run", "--svg", str(top / "plot.svg"))
    words = [each.text for each in ElementTree.parse(top / "plot.svg").iter() if each.tag.endswith("text")]
    assert words[0] == "A plot"
    assert {"much", "1800.00", "10000", "f"} <= set(words)
    assert "only plots can be saved as pictures" in run("reproduce", "paper:1", "--svg", "x.svg").err
    assert run("reproduce", "paper:plot", "--svg", str(top)).status == 2


def test_names_that_are_not_there(top: Path) -> None:
    with pytest.raises(UnknownName, match="There is no paper named 'other'"):
        tables("other")
    with pytest.raises(OptionError, match="say which: paper:1, paper:plot"):
        table("paper:7")
    with pytest.raises(UnknownName, match="There is no row named 'x'"):
        reproduce.run(table("paper:1"), ["x"])


def test_broken_files(top: Path) -> None:
    (top / "results").mkdir()
    (top / "results" / "paper-1.json").write_text("[]")
    with pytest.raises(Broken, match="it holds no results"):
        recorded(table("paper:1"))
    for wrong in ("runner = ", "[[table]]\nnumber = '1'"):
        (top / "tables" / "paper.toml").write_text(wrong)
        with pytest.raises(Broken):
            tables("paper")


def test_tables_that_are_missing_are_said(installed: Path, run: Run) -> None:
    (installed / "tables" / "paper.toml").unlink()
    for words in ([], ["paper"], ["paper:1"]):
        missing = run("reproduce", *words)
        assert (missing.status, missing.out, missing.err.count("\n")) == (2, "", 1)
        assert "there is no such file" in missing.err


def test_results_that_are_missing_are_said(top: Path, run: Run) -> None:
    for words in ([], ["--json"]):
        assert run("reproduce", "paper:1", *words).err == (
            "hubbub: there are no results of ours for paper:1 yet; --run computes those that can be computed.\n"
        )


def test_an_installed_package_is_not_written_to(installed: Path, tmp_path: Path, run: Run) -> None:
    (installed / "results").mkdir()
    shipped = {"rows": {"ours too": {"figures": {"f": 1.0}}, "theirs alone": {"figures": {"f": 9.0}}}}
    (installed / "results" / "paper-1.json").write_text(json.dumps(shipped))
    own = tmp_path / "cache" / "hubbub" / "results" / "paper-1.json"
    assert str(own) in run("reproduce", "paper:1", "--run").err
    assert json.loads((installed / "results" / "paper-1.json").read_text()) == shipped
    assert list(json.loads(own.read_text())["rows"]) == ["ours too"]
    assert [cell.ours for cell in cells(table("paper:1"))] == [72.0, 72.0, 9.0, None]


def test_a_run_whose_results_could_not_be_written_does_not_start(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setattr(sys.modules[__name__], "runner", lambda *_, **__: pytest.fail("it was run"))
    with pytest.raises(Unwritable):
        reproduce.run(table("paper:1"))


def test_without_a_table_all_are_listed(run: Run) -> None:
    lines = run("reproduce").out.splitlines()
    assert [line.split()[0] for line in lines] == [each.name for each in shipped()]
    assert len(lines) > 15


def shipped() -> list[reproduce.PublishedTable]:
    return [each for paper in reproduce.papers() for each in tables(paper).values()]


@pytest.mark.parametrize("each", shipped(), ids=lambda each: f"{each.paper}:{each.number}")
def test_the_tables_that_ship_are_whole(each: reproduce.PublishedTable) -> None:
    for row in each.rows:
        assert len(row.published) == len(each.columns) == len(each.heads)
        assert row.run is None or row.run.get("model", "thread/previous") in names()
    assert set(recorded(each)) <= {row.name for row in each.rows}
    published = {row.name: dict(zip(each.columns, row.published, strict=True)) for row in each.rows}
    for name, record in recorded(each).items():
        ours = record["figures"].keys() | {"kappa"}
        assert not [column for column, theirs in published[name].items() if theirs is not None and column not in ours]
        assert record["checksum"]
        assert record["version"]
