"""Published tables beside ours: read, run, written down and drawn; and those that ship are whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from hubbub import reproduce
from hubbub.errors import Broken, Missing, OptionError, UnknownName
from hubbub.model import names
from hubbub.reproduce import Cell, cells, recorded, table, tables

from .conftest import Run

PAPER = """
runner = "tests.test_reproduce:runner"
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
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reproduce, "TOP", tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "paper.toml").write_text(PAPER)
    return tmp_path


def test_a_row_that_was_not_run(top: Path) -> None:
    first = next(iter(cells(table("paper:1"))))
    assert first == Cell("ours too", "F", None, 70.0)
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
    assert "plots alone become pictures" in run("reproduce", "paper:1", "--svg", "x.svg").err
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
    (top / "tables" / "paper.toml").write_text("runner = ")
    with pytest.raises(Broken):
        tables("paper")


def test_an_installed_package_has_no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "TOP", tmp_path)
    with pytest.raises(Missing):
        tables("paper")


def shipped() -> list[reproduce.Table]:
    return [each for paper in reproduce.papers() for each in tables(paper).values()]


@pytest.mark.parametrize("each", shipped(), ids=lambda each: f"{each.paper}:{each.number}")
def test_the_tables_that_ship_are_whole(each: reproduce.Table) -> None:
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
