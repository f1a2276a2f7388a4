"""hubbub archive list: the conversations of an archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..jsonl import dump
from ..titles import shortened
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show, tell
from .options import output_format
from .parameter_types import AT_LEAST_ONE
from .tables import table

if TYPE_CHECKING:
    from ..archive.housekeeping import ConversationInfo

MAX_TEXT = 60  # characters of a first message that fit a line beside the rest


@click.command(cls=HubbubCommand)
@archive_option()
@click.option("--channel", metavar="NAME", default="", help="Only this channel.")
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=20, help="Maximum number of conversations (default: 20).")
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """List the conversations of an archive with their ids, latest first."""
    from ..archive.housekeeping import conversation_infos

    with opened(arguments) as archive:
        found = conversation_infos(archive, arguments.channel, arguments.n)
    if not found:
        tell(f"{arguments.archive}: there are no conversations yet")
    elif arguments.to == "text":
        rows = [("id", "started", "channel", "messages", "people", "first message")]
        for each in found:
            when = (each.started or "undated")[:16].replace("T", " ")
            text = shortened(" ".join(each.text.split()), MAX_TEXT)
            rows.append((each.id, when, each.chat, f"{each.size:8,}", f"{each.people:6,}", text))
        show(table(rows))
    else:
        show("\n".join(dump(_record(each)) for each in found))


def _record(each: ConversationInfo) -> dict[str, Any]:
    counts = {"messages": each.size, "people": each.people}
    return {"conversation": each.id, "chat": each.chat, "started": each.started, **counts, "text": each.text}
