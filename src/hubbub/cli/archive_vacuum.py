"""hubbub archive vacuum: unused space given back."""

from __future__ import annotations

import click

from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show


@click.command(cls=HubbubCommand)
@archive_option()
def command(arguments: Arguments) -> None:
    """Free unused space in an archive, and return it to the file system."""
    from ..archive.housekeeping import vacuum

    with opened(arguments, write=True) as archive:
        before, after = vacuum(archive)
    show(f"{arguments.archive}: {before / 1e6:,.1f} MB before, {after / 1e6:,.1f} MB after")
