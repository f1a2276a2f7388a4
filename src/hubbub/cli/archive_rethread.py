"""hubbub archive rethread: reply links predicted again."""

from __future__ import annotations

import click

from ..text import plural
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import tell
from .parameter_types import model_name


@click.command(cls=HubbubCommand)
@archive_option()
@click.option(
    "--model", metavar="MODEL", type=model_name("thread"), default="thread/hubbub",
    help="Thread model, by name or folder (default: thread/hubbub).",
)  # fmt: skip
def command(arguments: Arguments) -> None:
    """Predict the reply links of an archive again. Old conversation ids stay valid."""
    from ..archive.housekeeping import rethread

    with opened(arguments, write=True) as archive:
        for name, count in rethread(archive, arguments.model):
            tell(f"{name}: {plural(count, 'message')} threaded again")
