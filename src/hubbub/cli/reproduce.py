"""hubbub reproduce: a published table beside our own figures: ours, theirs, the difference."""

from __future__ import annotations

import argparse
import logging
from math import log10

from ..errors import OptionError
from ..pipe import dump
from ..placing import placed_file
from ..reproduce import Cell, Table, cells, papers, recorded, results_file, table, tables
from ..reproduce import run as run_table
from .console import show
from .options import add_folder
from .options import table as lined_up

log = logging.getLogger(__name__)


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="PAPER[:N]", nargs="?", help="disentanglement-2019:3; without N, the list")
    parser.add_argument("--run", action="store_true", help="run what can be run, and write the results down")
    parser.add_argument("--row", metavar="NAME", action="append", default=[], help="with --run: this row only")
    parser.add_argument("--models", metavar="FOLDER", help="where trained models are kept between runs")
    parser.add_argument("--json", action="store_true", help="print one JSON object a cell")
    parser.add_argument("--svg", metavar="FILE", help="write a plot as a picture")
    add_folder(parser)


def run(arguments: argparse.Namespace) -> int:
    if not arguments.table or ":" not in arguments.table:
        wanted = [arguments.table] if arguments.table else papers()
        show("\n".join(f"{paper}:{n}  {each.title}" for paper in wanted for n, each in tables(paper).items()))
        return 0
    chosen = table(arguments.table)
    if arguments.run:
        run_table(chosen, arguments.row, data=arguments.data, models=arguments.models)
        log.warning("the results are written to %s", results_file(chosen))
    if not recorded(chosen):
        log.warning("there are no results of ours for %s yet; --run makes those that can be made", chosen.name)
    if arguments.svg:
        _picture(chosen, arguments.svg)
        return 0
    drawn = _plotted if chosen.plot else _drawn
    show("\n".join(map(_json, cells(chosen)) if arguments.json else [chosen.title, drawn(chosen)]))
    return 0


def _json(cell: Cell) -> str:
    given = {"row": cell.row, "column": cell.head, "ours": cell.ours, "published": cell.published}
    return dump({**given, "difference": cell.difference})


def _drawn(chosen: Table) -> str:
    """A line a cell: row, column, ours, published, the difference."""
    rows, last = [("", "", "ours", "published", "difference")], None
    for cell in cells(chosen):
        rows.append((cell.row if cell.row != last else "", cell.head, *_figures(cell, chosen.digits)))
        last = cell.row
    return lined_up(rows)


def _plotted(chosen: Table) -> str:
    """A bar a row; lengths are logarithmic, so that what is rare is seen too."""
    rows = []
    for cell in cells(chosen):
        bar = "█" * round(10 * log10(1000 * cell.ours)) if cell.ours and cell.ours > 0.001 else ""
        rows.append((cell.row, _figures(cell, chosen.digits)[0], bar))
    return lined_up(rows)


def _picture(chosen: Table, file: str) -> None:
    if not chosen.plot:
        raise OptionError("--svg", file, f"{chosen.name} is a table, and plots alone become pictures")
    from ..view.bars import bars

    shares = [(cell.row, cell.ours or 0.0) for cell in cells(chosen)]
    with placed_file(file) as out:
        out.write(bars(chosen.title, chosen.heads[0], shares))


def _figures(cell: Cell, digits: int) -> tuple[str, str, str]:
    ours = f"{cell.ours:7.{digits}f}" if cell.ours is not None else "not run"
    theirs = f"{cell.published:9.{digits}f}" if cell.published is not None else f"{'-':>9}"
    apart = f"{cell.difference:+10.{digits}f}" if cell.difference is not None else f"{'-':>10}"
    return ours, theirs, apart
