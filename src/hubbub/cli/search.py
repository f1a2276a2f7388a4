"""hubbub search: conversations of an archive by words, person, channel and date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from .archive_options import archive_option, filter_options, filters, opened, record
from .command import Arguments, HubbubCommand
from .console import show
from .options import output_format
from .parameter_types import AT_LEAST_ONE

if TYPE_CHECKING:
    from ..archive.search import SearchHit
    from ..archive.store import ArchiveStore, StoredMessage

AROUND = 2  # messages that are shown before and after one that was found


@click.command(cls=HubbubCommand)
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@archive_option()
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=10, help="Maximum number of conversations (default: 10).")
@filter_options("messages")
@click.option("--whole", is_flag=True, help="Show whole conversations, not only the messages around each match.")
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Search an archive by words, person, channel and date."""
    from ..archive.search import search

    with opened(arguments) as archive:
        hits = search(archive, " ".join(arguments.words), arguments.n, filters(arguments, archive))
        for hit in hits:
            is_text = arguments.to == "text"
            show("\n".join(_lines(archive, hit, arguments.whole)) if is_text else _json(archive, hit))
    if not hits and arguments.to == "text":
        show("Nothing was found.")


def _lines(archive: ArchiveStore, hit: SearchHit, is_whole: bool) -> Iterator[str]:
    """The conversation as text; messages that were found are marked with an arrow, omissions with dots."""
    found = {stored.id for stored in hit.found}
    messages = [
        stored for stored in archive.conversation(hit.conversation) if is_whole or stored.message.kind != "system"
    ]
    marked = [place for place, stored in enumerate(messages) if stored.id in found]
    shown = {near for place in marked for near in range(place - AROUND, place + AROUND + 1)}
    yield f"conversation {hit.conversation_id}, {hit.found[0].chat}"
    before = -1
    for place, stored in enumerate(messages):
        if is_whole or place in shown:
            if place > before + 1:
                yield "  ..."
            yield f"{'>' if stored.id in found else ' '} {_shown(stored)}"
            before = place
    if before + 1 < len(messages):
        yield "  ..."
    yield ""


def _shown(stored: StoredMessage) -> str:
    message = stored.message
    when = f"{message.time:%Y-%m-%d %H:%M} " if message.time else f"{message.clock:%H:%M} " if message.clock else ""
    return f"{when}<{message.author}> {' '.join(message.text.split())}"


def _json(archive: ArchiveStore, hit: SearchHit) -> str:
    from ..jsonl import dump

    return dump(
        {
            "conversation": hit.conversation_id,
            "chat": hit.found[0].chat,
            "score": round(hit.score, 4),
            "found": [stored.id for stored in hit.found],
            "messages": [record(stored) for stored in archive.conversation(hit.conversation)],
        }
    )
