"""hubbub read: any chat in; JSON lines, CSV, Parquet, text or a summary out."""

from __future__ import annotations

import click

from .command import Arguments, HubbubCommand
from .input_options import inputs, streams
from .options import csv_options, out, output_format, spreadsheet_safe, writer_name


@click.command(cls=HubbubCommand)
@inputs
@output_format("jsonl", "csv", "parquet", "text", "summary", default="jsonl")
@spreadsheet_safe
@out()
def command(arguments: Arguments) -> None:
    """Convert a chat to JSON lines, CSV, Parquet, plain text or a summary.

    PATH is a file, packed or not, a folder or a quoted glob; - or nothing is standard input.
    """
    from ..view.export import write

    options = csv_options(arguments)
    arguments.cuts = False  # what is written is complete, however long a message is
    write(streams(arguments), writer_name(arguments), arguments.out, **options)
