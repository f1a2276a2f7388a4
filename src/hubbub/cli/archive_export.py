"""hubbub archive export: an archive as JSON lines, Parquet or SQLite."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import OptionError
from ..text import plural
from .archive_options import archive_option, map_option, opened
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
@click.option("--pseudonyms", is_flag=True, help="Write roles (asker, helper 1) in place of names.")
@map_option
def command(arguments: Arguments) -> None:
    """Export all messages with their conversations and reply links; sqlite makes a copy of the archive.

    With --pseudonyms, names in texts, addresses, phone numbers and secrets are replaced too, as by hubbub archive
    pseudonymise.
    """
    from ..archive.export import export

    if arguments.map and not arguments.pseudonyms:
        raise OptionError("--map", arguments.map, "it needs --pseudonyms")
    options = {"pseudonyms": arguments.pseudonyms, "map_file": arguments.map}
    with opened(arguments) as archive:
        count = export(archive, Path(arguments.out), arguments.to, **options)
    tell(f"{arguments.out}: {plural(count, 'message')}")
