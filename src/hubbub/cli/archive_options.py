"""The options of commands that read an archive, and its messages as JSON."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from ..errors import OptionError, UnknownName, UnknownPerson
from ..text import whole
from .command import Arguments
from .options import all_of
from .parameter_types import DAY, FILE

if TYPE_CHECKING:
    from ..archive.search import SearchFilters
    from ..archive.store import ArchiveStore, StoredMessage


def archive_option(help: str = "Archive made by hubbub index.", required: bool = True) -> Callable[[Any], Any]:
    return click.option("--in", "archive", metavar="ARCHIVE", type=FILE, required=required, help=help)


channel_and_days: Callable[[Any], Any] = all_of(
    click.option("--channel", metavar="NAME", default="", help="Only this channel."),
    click.option("--since", metavar="DAY", type=DAY, help="From this day on (2013-01-31)."),
    click.option("--until", metavar="DAY", type=DAY, help="Up to this day."),
)
map_option: Callable[[Any], Any] = click.option(
    "--map", metavar="FILE", type=FILE, help="Keep the names behind the roles in this file; without it they are lost."
)


def filter_options(what: str) -> Callable[[Any], Any]:
    person = click.option("--person", metavar="NAME", default="", help=f"Only {what} by this person.")
    return all_of(person, channel_and_days)


def opened(arguments: Arguments, *, write: bool = False) -> ArchiveStore:
    from ..archive.store import ArchiveStore

    return ArchiveStore(arguments.archive, write=write)


def filters(arguments: Arguments, archive: ArchiveStore) -> SearchFilters:
    """The filters of the command line; a channel or person that the archive does not have is an error."""
    from ..archive.search import SearchFilters

    channels, channel = archive.channel_names(), arguments.channel
    person = whole(getattr(arguments, "person", ""))
    if channel and channel.lower() not in (name.lower() for name in channels):
        raise UnknownName("channel", channel, channels)
    if person:
        _must_be_an_author(archive, person, arguments.archive)
    since, until = (each.isoformat() if each else "" for each in (arguments.since, arguments.until))
    if since and until and since > until:
        raise OptionError("--since", since, f"it is after --until {until}")
    return SearchFilters(person, channel, since, until)


def _must_be_an_author(archive: ArchiveStore, person: str, where: str) -> None:
    said = "from messages where kind <> 'system'"
    if not archive.rows(f"select 1 {said} and lower(author) = lower(:name) limit 1", name=person):
        names = [name for (name,) in archive.rows(f"select distinct author {said}")]
        raise UnknownPerson(person, where, get_close_matches(person, names), len(names))


def record(stored: StoredMessage) -> dict[str, Any]:
    message = stored.message
    when = message.time.isoformat() if message.time else None
    clock = {"clock": message.clock.isoformat()} if message.clock else {}
    said = {"author": message.author, "text": message.text, "kind": message.kind}
    return {"message": stored.id, "time": when, **clock, **said}
