"""Published tables beside our own figures.

`tables/PAPER.toml` of the checkout holds what was published, and how each row is run; `results/PAPER-N.json` what we
got, with the checksum of the data, the version and the seed. Rooms do the running: a paper, or one of its
tables, names its runner.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from . import __version__
from .datasets import Place, cache_folder
from .errors import Broken, Missing, OptionError, UnknownName
from .task import commit

TOP = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Row:
    """`published` has a figure for each column, None where the paper has none; `run` is None if we cannot run it."""

    name: str
    published: tuple[float | None, ...]
    run: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` are the names of the figures that a run gives, `heads` what the paper calls them; a `plot` has bars."""

    paper: str
    number: str
    title: str
    columns: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    runner: str
    digits: int = 1
    plot: bool = False

    def results(self) -> Path:
        return TOP / "results" / f"{self.paper}-{self.number}.json"


@dataclass(frozen=True, slots=True)
class Cell:
    row: str
    head: str
    ours: float | None
    published: float | None

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.published is None else self.ours - self.published


def papers() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (TOP / "tables").glob("*.toml")))


def tables(paper: str) -> dict[str, Table]:
    """Number -> table of a paper."""
    path = TOP / "tables" / f"{paper}.toml"
    if not (TOP / "tables").is_dir():
        raise Missing(str(TOP / "tables"))
    if not path.is_file():
        raise UnknownName("paper", paper, papers())
    try:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise Broken(str(path), str(error)) from error
    return {each["number"]: _table(paper, each.get("runner", record["runner"]), each) for each in record["table"]}


def _table(paper: str, runner: str, record: Mapping[str, Any]) -> Table:
    columns = tuple(record["columns"])
    rows = tuple(Row(each["name"], _figures(each["published"]), each.get("run")) for each in record["row"])
    heads = tuple(record.get("heads", columns))
    drawn = record.get("digits", 1), record.get("plot", False)
    return Table(paper, record["number"], record["title"], columns, heads, rows, runner, *drawn)


def _figures(given: Sequence[Any]) -> tuple[float | None, ...]:
    return tuple(None if each == "-" else float(each) for each in given)


def table(name: str) -> Table:
    """PAPER:N."""
    paper, _, number = name.partition(":")
    found = tables(paper)
    if number not in found:
        raise OptionError("table", name, f"say which: {', '.join(f'{paper}:{each}' for each in found)}")
    return found[number]


def recorded(of: Table) -> dict[str, dict[str, Any]]:
    """Row -> what we got, as committed."""
    path = of.results()
    if not path.is_file():
        return {}
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    except (ValueError, KeyError, TypeError) as error:
        raise Broken(str(path), f"it holds no results: {error}") from error
    return found


def cells(of: Table) -> Iterator[Cell]:
    """Every cell with ours and theirs."""
    ours = recorded(of)
    for row in of.rows:
        figures = ours.get(row.name, {}).get("figures", {})
        for column, head, published in zip(of.columns, of.heads, row.published, strict=True):
            yield Cell(row.name, head, figures.get(column), published)


def run(of: Table, names: Sequence[str] = (), *, data: Place | None = None, models: Place | None = None) -> list[str]:
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
    for row in of.rows:
        if row.run is not None and (row.name in names or not names):
            given = runner(row.run, of.columns, data=data, models=home)
            _write(of, row.name, {**given, "run": dict(row.run), "version": __version__, "commit": commit()})
            done.append(row.name)
    return done


def _write(of: Table, name: str, record: dict[str, Any]) -> None:
    rows = recorded(of) | {name: record}
    ordered = {row.name: rows[row.name] for row in of.rows if row.name in rows}
    whole = {"paper": of.paper, "table": of.number, "rows": ordered}
    of.results().parent.mkdir(exist_ok=True)
    of.results().write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
