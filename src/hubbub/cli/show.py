"""hubbub show: a conversation of an archive by its permanent id."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..errors import OptionError, UnknownName
from .archive_options import archive_option, opened, record
from .command import Arguments, HubbubCommand
from .console import show, tell
from .options import output_format


@click.command(cls=HubbubCommand)
@click.argument("id", metavar="ID")
@archive_option()
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Print a conversation from an archive by its id, such as c-7f3k2.

    The beginning of an id is enough if no other id begins with it.
    After a split or a merge, an id leads to where its messages are now.
    """
    from ..archive.conversation_lookup import find_conversation
    from ..jsonl import dump
    from ..view.search_results import message_line
    from ..view.style import plain

    with opened(arguments) as archive:
        try:
            found = find_conversation(archive, arguments.id)
        except UnknownName as error:
            raise _unknown(arguments, error.known) from None
    if not found.id.removeprefix("c-").startswith(arguments.id.lower().removeprefix("c-")):
        tell(f"{arguments.id} is now part of {found.id}")
    for other in found.moved:
        tell(f"some of its messages are in {other}")
    if arguments.to == "text":
        lines = (plain(message_line(each)) for each in found.messages)
        show("\n".join([f"conversation {found.id}, {found.chat}", *(f"  {line}" for line in lines)]))
    else:
        records = [record(each) for each in found.messages]
        show(dump({"conversation": found.id, "chat": found.chat, "messages": records}))


def _unknown(arguments: Arguments, near: Sequence[str]) -> OptionError:
    begins = f"c-{arguments.id.lower().removeprefix('c-')[:1]}"
    near = [each for each in near if each.startswith(begins) and len(begins) > 2]
    hint = f"ids that begin alike are {', '.join(near)}" if near else "hubbub archive list lists them"
    return OptionError("ID", arguments.id, f"{arguments.archive} has no conversation with this id; {hint}")
