"""The options of commands that read an archive, and its messages as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..errors import OptionError
from ..text import whole
from .command import Arguments
from .options import all_of
from .parameter_types import DAY, FILE

if TYPE_CHECKING:
    from ..archive.search import SearchFilters
    from ..archive.store import ArchiveStore, StoredMessage


def archive_option(help: str = "Archive made by hubbub index.", required: bool = True) -> Callable[[Any], Any]:
    return click.option("--in", "archive", metavar="ARCHIVE", type=FILE, required=required, help=help)


map_option: Callable[[Any], Any] = click.option(
    "--map", metavar="FILE", type=FILE, help="Keep the names behind the roles in this file; without it they are lost."
)


def filter_options(what: str) -> Callable[[Any], Any]:
    return all_of(
        click.option("--person", metavar="NAME", default="", help=f"Only {what} by this person."),
        click.option("--channel", metavar="NAME", default="", help="Only this channel."),
        click.option("--since", metavar="DAY", type=DAY, help="From this day on (2013-01-31)."),
        click.option("--until", metavar="DAY", type=DAY, help="Up to this day."),
    )


def opened(arguments: Arguments, *, write: bool = False) -> ArchiveStore:
    from ..archive.store import ArchiveStore

    return ArchiveStore(arguments.archive, write=write)


def filters(arguments: Arguments, archive: ArchiveStore) -> SearchFilters:
    """The filters of the command line; a channel that the archive does not have is an error that lists channels."""
    from ..archive.search import SearchFilters

    channels = archive.channel_names()
    channel = arguments.channel
    if channel and channel.lower() not in (name.lower() for name in channels):
        raise OptionError("--channel", channel, f"{arguments.archive} has {', '.join(channels[:20]) or 'none'}")
    since, until = (each.isoformat() if each else "" for each in (arguments.since, arguments.until))
    return SearchFilters(whole(arguments.person), channel, since, until)


def record(stored: StoredMessage) -> dict[str, Any]:
    message = stored.message
    when = message.time.isoformat() if message.time else None
    clock = {"clock": message.clock.isoformat()} if message.clock else {}
    said = {"author": message.author, "text": message.text, "kind": message.kind}
    return {"message": stored.id, "time": when, **clock, **said}
