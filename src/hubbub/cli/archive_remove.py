"""hubbub archive remove: a channel and all that belongs to it."""

from __future__ import annotations

import click

from ..text import plural
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show


@click.command(cls=HubbubCommand)
@click.argument("channel", metavar="CHANNEL")
@archive_option()
def command(arguments: Arguments) -> None:
    """Remove a channel from an archive, with its messages, conversations and vectors."""
    from ..archive.housekeeping import remove_channel

    with opened(arguments, write=True) as archive:
        show(f"{arguments.channel}: {plural(remove_channel(archive, arguments.channel), 'message')} removed")
