"""hubbub archive export: an archive as JSON lines, Parquet or SQLite."""

from __future__ import annotations

from pathlib import Path

import click

from ..text import plural
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import tell
from .parameter_types import FILE, Name


@click.command(cls=HubbubCommand)
@archive_option()
@click.option("--out", metavar="FILE", type=FILE, required=True, help="File to write; it must not exist.")
@click.option(
    "--to", metavar="FORMAT", type=Name(("jsonl", "parquet", "sqlite")), default="jsonl",
    help="Output format: jsonl, parquet, sqlite (default: jsonl).",
)  # fmt: skip
def command(arguments: Arguments) -> None:
    """Export all messages with their conversations and reply links; sqlite makes a copy of the archive."""
    from ..archive.export import export

    with opened(arguments) as archive:
        count = export(archive, Path(arguments.out), arguments.to)
    tell(f"{arguments.out}: {plural(count, 'message')}")
