"""hubbub reproduce: a published table beside our results: ours, published, the difference."""

from __future__ import annotations

import logging
from math import log10

import click

from ..errors import OptionError
from ..jsonl import dump
from ..ml.reproduce import PublishedTable, ResultCell, cells, papers, recorded, results_file, table, tables
from ..ml.reproduce import run as run_table
from .command import Arguments, HubbubCommand
from .console import show
from .options import data_folder, output_format
from .parameter_types import FILE, FOLDER, Known
from .progress import working
from .tables import table as aligned

log = logging.getLogger(__name__)


def _table_names() -> list[str]:
    return [f"{paper}:{number}" for paper in papers() for number in tables(paper)]


@click.command(cls=HubbubCommand)
@click.argument("table", metavar="[PAPER[:N]]", required=False, type=Known("table", _table_names))
@click.option("--run", is_flag=True, help="Run every row that can be run, and record the results.")
@click.option("--row", metavar="NAME", multiple=True, help="With --run: only this row.")
@click.option("--models", metavar="FOLDER", type=FOLDER, help="Folder to keep trained models in between runs.")
@output_format("text", "json", default="text")
@click.option("--svg", metavar="FILE", type=FILE, help="Save the plot as an SVG picture.")
@data_folder
def command(arguments: Arguments) -> None:
    """Show a published table beside our results, cell by cell.

    PAPER:N is a table, such as disentanglement-2019:3; without N, the tables are listed.
    """
    if not arguments.table or ":" not in arguments.table:
        wanted = [arguments.table] if arguments.table else papers()
        show("\n".join(f"{paper}:{n}  {each.title}" for paper in wanted for n, each in tables(paper).items()))
        return
    chosen = table(arguments.table)
    if arguments.run:
        with working(f"{chosen.name}: running"):
            run_table(chosen, list(arguments.row), data=arguments.data, models=arguments.models)
        log.warning("the results are written to %s", results_file(chosen))
    if not recorded(chosen):
        log.warning("there are no results of ours for %s yet; --run computes those that can be computed", chosen.name)
    if arguments.svg:
        _picture(chosen, arguments.svg)
        return
    drawn = _plotted if chosen.plot else _drawn
    show("\n".join([chosen.title, drawn(chosen)] if arguments.to == "text" else map(_json, cells(chosen))))


def _json(cell: ResultCell) -> str:
    given = {"row": cell.row, "column": cell.head, "ours": cell.ours, "published": cell.published}
    return dump({**given, "difference": cell.difference})


def _drawn(chosen: PublishedTable) -> str:
    """A line a cell: row, column, ours, published, the difference."""
    rows, last = [("", "", "ours", "published", "difference")], None
    for cell in cells(chosen):
        rows.append((cell.row if cell.row != last else "", cell.head, *_figures(cell, chosen.digits)))
        last = cell.row
    return aligned(rows)


def _plotted(chosen: PublishedTable) -> str:
    """A bar a row; lengths are logarithmic, so that rare values are visible too."""
    rows = []
    for cell in cells(chosen):
        bar = "█" * round(10 * log10(1000 * cell.ours)) if cell.ours and cell.ours > 0.001 else ""
        rows.append((cell.row, _figures(cell, chosen.digits)[0], bar))
    return aligned(rows)


def _picture(chosen: PublishedTable, file: str) -> None:
    if not chosen.plot:
        raise OptionError("--svg", file, f"{chosen.name} is a table; only plots can be saved as pictures")
    from ..view.bar_chart import bars
    from ..view.export import placed

    shares = [(cell.row, cell.ours or 0.0) for cell in cells(chosen)]
    with placed(file) as out:
        out.write(bars(chosen.title, chosen.heads[0], shares))


def _figures(cell: ResultCell, digits: int) -> tuple[str, str, str]:
    ours = f"{cell.ours:7.{digits}f}" if cell.ours is not None else "not run"
    theirs = f"{cell.published:9.{digits}f}" if cell.published is not None else f"{'-':>9}"
    apart = f"{cell.difference:+10.{digits}f}" if cell.difference is not None else f"{'-':>10}"
    return ours, theirs, apart
