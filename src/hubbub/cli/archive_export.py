"""hubbub archive export: an archive as JSON lines, Parquet or SQLite."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import OptionError
from ..text import plural
from .archive_options import archive_option, map_option, opened
from .command import Arguments, HubbubCommand
from .console import tell
from .options import out
from .parameter_types import Name

if TYPE_CHECKING:
    from ..archive.store import ArchiveStore


@click.command(cls=HubbubCommand)
@archive_option()
@out("Write to this file, which must not exist, instead of standard output.")
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
        if arguments.out in (None, "-"):
            _to_standard_output(archive, arguments.to, options)
        else:
            count = export(archive, Path(arguments.out), arguments.to, **options)
            tell(f"{arguments.out}: {plural(count, 'message')}")


def _to_standard_output(archive: ArchiveStore, format: str, options: dict[str, Any]) -> None:
    """JSON lines as they are read; the other formats need a file that they can look back at, and are copied from it."""
    from ..archive.export import export, records
    from ..jsonl import dump

    if format == "jsonl" and not options["pseudonyms"]:
        sys.stdout.writelines(f"{dump(each)}\n" for each in records(archive))
        return
    if format != "jsonl" and sys.stdout.isatty():
        raise OptionError("--to", format, "it is no text for a terminal; name a file with --out or use a pipe")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "export")
        export(archive, file, format, **options)
        with file.open("rb") as made:
            shutil.copyfileobj(made, sys.stdout.buffer)
