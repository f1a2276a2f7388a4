"""hubbub archive check: whether an archive is sound."""

from __future__ import annotations

import click

from ..errors import ArchiveError
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show


@click.command(cls=HubbubCommand)
@archive_option()
def command(arguments: Arguments) -> None:
    """Check an archive for damage: database files, counts, and references to missing rows."""
    from ..archive.housekeeping import check

    with opened(arguments) as archive:
        if found := check(archive):
            raise ArchiveError(arguments.archive, f"problems were found: {'; '.join(found)}")
    show(f"{arguments.archive}: no problems were found")
