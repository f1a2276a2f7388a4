"""hubbub archive list: the conversations of an archive."""

from __future__ import annotations

import click

from ..text import plural
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show
from .parameter_types import AT_LEAST_ONE

TEXT = 60  # characters of a first message that fit a line beside the rest


@click.command(cls=HubbubCommand)
@archive_option()
@click.option("--channel", metavar="NAME", default="", help="Only this channel.")
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=20, help="Maximum number of conversations (default: 20).")
def command(arguments: Arguments) -> None:
    """List the conversations of an archive with their ids, latest first."""
    from ..archive.housekeeping import conversation_infos

    with opened(arguments) as archive:
        for each in conversation_infos(archive, arguments.channel, arguments.n):
            when = (each.started or "undated")[:16].replace("T", " ")
            counts = f"{plural(each.size, 'message')}, {plural(each.people, 'person', 'people')}"
            show(f"{each.id}  {when}  {each.chat}  {counts}  {' '.join(each.text.split())[:TEXT]}")
