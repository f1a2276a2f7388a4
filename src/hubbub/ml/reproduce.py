"""Published tables beside our own figures.

`research/tables/PAPER.toml` holds what was published, and how each row is run; `research/results/PAPER-N.json` what we
got, with the checksum of the data, the version and the seed. Both are part of the package. Running is up to the
packages of the tasks: a paper, or one of its tables, names its runner.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import Broken, Missing, OptionError, UnknownName, Unwritable
from ..output_files import placed_file
from .datasets import Place, cache_folder
from .task import commit

RESEARCH = Path(__file__).resolve().parents[1] / "research"


@dataclass(frozen=True, slots=True)
class TableRow:
    """`published` has a figure for each column, None where the paper has none; `run` is None if we cannot run it."""

    name: str
    published: tuple[float | None, ...]
    run: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """`columns` are the names of the figures that a run gives, `heads` what the paper calls them; a `plot` has bars."""

    paper: str
    number: str
    title: str
    columns: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]
    runner: str
    digits: int = 1
    plot: bool = False

    @property
    def name(self) -> str:
        return f"{self.paper}:{self.number}"


@dataclass(frozen=True, slots=True)
class ResultCell:
    row: str
    head: str
    ours: float | None
    published: float | None

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.published is None else self.ours - self.published


def papers() -> tuple[str, ...]:
    found = tuple(sorted(path.stem for path in (RESEARCH / "tables").glob("*.toml")))
    if not found:
        raise Missing(str(RESEARCH / "tables" / "*.toml"))
    return found


def tables(paper: str) -> dict[str, PublishedTable]:
    """Number -> table of a paper."""
    if paper not in papers():
        raise UnknownName("paper", paper, papers())
    path = RESEARCH / "tables" / f"{paper}.toml"
    try:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
        return {each["number"]: _table(paper, each.get("runner", record["runner"]), each) for each in record["table"]}
    except tomllib.TOMLDecodeError as error:
        raise Broken(str(path), str(error)) from error
    except KeyError as error:
        raise Broken(str(path), f"{error} is missing") from error


def _table(paper: str, runner: str, record: Mapping[str, Any]) -> PublishedTable:
    columns = tuple(record["columns"])
    rows = []
    for each in record["row"]:
        published = tuple(None if cell == "-" else float(cell) for cell in each["published"])
        rows.append(TableRow(each["name"], published, each.get("run")))
    heads = tuple(record.get("heads", columns))
    drawn = record.get("digits", 1), record.get("plot", False)
    return PublishedTable(paper, record["number"], record["title"], columns, heads, tuple(rows), runner, *drawn)


def table(name: str) -> PublishedTable:
    """PAPER:N."""
    paper, _, number = name.partition(":")
    found = tables(paper)
    if number not in found:
        raise OptionError("table", name, f"say which: {', '.join(f'{paper}:{each}' for each in found)}")
    return found[number]


def results_file(of: PublishedTable) -> Path:
    """Where a run writes what it gives: in a checkout beside the results that ship, to be committed; elsewhere below
    the cache, because the files of an installed package are not the user's to change."""
    checkout = (RESEARCH.parents[2] / "pyproject.toml").is_file()
    return (RESEARCH if checkout else cache_folder()) / "results" / _file(of)


def _file(of: PublishedTable) -> str:
    return f"{of.paper}-{of.number}.json"


def recorded(of: PublishedTable) -> dict[str, dict[str, Any]]:
    """Row -> what we got: as it ships, and in its place what was run here."""
    return _rows(RESEARCH / "results" / _file(of)) | _rows(results_file(of))


def _rows(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    try:
        found: dict[str, dict[str, Any]] = dict(json.loads(path.read_text(encoding="utf-8"))["rows"])
    except (ValueError, KeyError, TypeError) as error:
        raise Broken(str(path), f"it holds no results: {error}") from error
    return found


def cells(of: PublishedTable) -> Iterator[ResultCell]:
    """Every cell with ours and theirs."""
    ours = recorded(of)
    for row in of.rows:
        figures = ours.get(row.name, {}).get("figures", {})
        for column, head, published in zip(of.columns, of.heads, row.published, strict=True):
            yield ResultCell(row.name, head, figures.get(column), published)


def run(
    of: PublishedTable, names: Sequence[str] = (), *, data: Place | None = None, models: Place | None = None
) -> list[str]:
    """Runs these rows, or all that can be run, and writes down what they give; returns their names."""
    for name in set(names) - {row.name for row in of.rows}:
        raise UnknownName("row", name, (row.name for row in of.rows))
    for row in of.rows:
        if row.name in names and row.run is None:
            raise OptionError("--row", row.name, "it is quoted as published, and there is nothing here to run")
    module, _, function = of.runner.partition(":")
    runner: Callable[..., dict[str, Any]] = getattr(import_module(module), function)
    home = Path(models) if models else cache_folder() / "models"
    done = []
    # Asked before anything runs, because a run may take hours.
    path = results_file(of)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unwritable(str(path), error.strerror or str(error)) from error
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Unwritable(str(path), "permission denied")
    for row in of.rows:
        if row.run is not None and (row.name in names or not names):
            result = runner(row.run, of.columns, data=data, models=home)
            _write(of, row.name, {**result, "run": dict(row.run), "version": __version__, "commit": commit()})
            done.append(row.name)
    return done


def _write(of: PublishedTable, name: str, record: dict[str, Any]) -> None:
    path = results_file(of)
    rows = _rows(path) | {name: record}
    ordered = {row.name: rows[row.name] for row in of.rows if row.name in rows}
    whole = {"paper": of.paper, "table": of.number, "rows": ordered}
    with placed_file(str(path)) as file:
        file.write(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
