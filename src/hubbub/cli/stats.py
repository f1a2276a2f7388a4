"""hubbub stats: an archive in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import click

from ..errors import OptionError
from .archive_options import archive_option, channel_and_days, filters, opened
from .command import Arguments, HubbubCommand
from .options import csv_options, out, output_format, spreadsheet_safe
from .parameter_types import AT_LEAST_ONE, Name

if TYPE_CHECKING:
    from ..archive.insights.statistics import ArchiveStatistics

TABLES = ("total", "periods", "hours", "helpers", "topics")


@click.command(cls=HubbubCommand)
@archive_option()
@click.option(
    "--by",
    metavar="PERIOD",
    type=Name(("day", "week", "month")),
    default="week",
    help="Period of the figures over time: day, week, month (default: week).",
)
@click.option(
    "-n", metavar="N", type=AT_LEAST_ONE, default=20, help="Maximum number of helpers and of topics (default: 20)."
)
@click.option(
    "--table", metavar="NAME", type=Name(TABLES), help=f"Only one table: {', '.join(TABLES)}. --to csv needs it."
)
@channel_and_days
@output_format("text", "json", "csv", "markdown", "svg", default="text")
@spreadsheet_safe
@out()
def command(arguments: Arguments) -> None:
    """Show an archive in figures: messages, people, conversations, questions, helpers and topics.

    Minutes are medians, from a question to the first reply and to the confirmation, which is thanks or "that worked" by
    its asker.
    """
    from ..archive.insights.statistics import archive_statistics
    from ..view.export import placed

    csv_options(arguments)
    if arguments.to == "csv" and not arguments.table:
        raise OptionError("--to", "csv", f"a CSV file has one table: name it with --table ({', '.join(TABLES)})")
    if arguments.to in ("json", "jsonl", "svg") and arguments.table:
        raise OptionError("--table", arguments.table, "it is for --to text, csv or markdown")
    with opened(arguments) as archive:
        chosen = filters(arguments, archive)
        figures = archive_statistics(archive, chosen, period=arguments.by, count=arguments.n)
    with placed(arguments.out) as file:
        _write(figures, arguments, file)


def _write(figures: ArchiveStatistics, arguments: Arguments, file: TextIO) -> None:
    from ..jsonl import dump
    from ..view.statistics_plots import statistics_svg
    from ..view.statistics_tables import statistics_record, statistics_tables

    if arguments.to in ("json", "jsonl"):
        file.write(f"{dump(statistics_record(figures))}\n")
        return
    if arguments.to == "svg":
        file.write(statistics_svg(figures, arguments.by, arguments.channel or "Archive"))
        return
    tables = dict(zip(TABLES, statistics_tables(figures, arguments.by), strict=True))
    shown = [tables[arguments.table]] if arguments.table else list(tables.values())
    if arguments.to == "csv":
        shown[0].write_csv(file, **csv_options(arguments))
    elif arguments.to == "text":
        file.write("\n\n".join(f"{each.title}\n\n{each.text()}" for each in shown) + "\n")
    else:
        file.write("\n\n".join(f"## {each.title}\n\n{each.markdown()}" for each in shown) + "\n")
