"""hubbub archive export: an archive as JSON lines, Parquet or SQLite."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import OptionError
from ..text import plural
from .archive_options import archive_option, opened
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
def command(arguments: Arguments) -> None:
    """Export all messages with their conversations and reply links; sqlite makes a copy of the archive."""
    from ..archive.export import export

    with opened(arguments) as archive:
        if arguments.out in (None, "-"):
            _to_standard_output(archive, arguments.to)
        else:
            count = export(archive, Path(arguments.out), arguments.to)
            tell(f"{arguments.out}: {plural(count, 'message')}")


def _to_standard_output(archive: ArchiveStore, format: str) -> None:
    """JSON lines as they are read; the other formats need a file that they can look back at, and are copied from it."""
    from ..archive.export import export, records
    from ..jsonl import dump

    if format == "jsonl":
        sys.stdout.writelines(f"{dump(each)}\n" for each in records(archive))
        return
    if sys.stdout.isatty():
        raise OptionError("--to", format, "it is no text for a terminal; name a file with --out or use a pipe")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "export")
        export(archive, file, format)
        with file.open("rb") as made:
            shutil.copyfileobj(made, sys.stdout.buffer)
