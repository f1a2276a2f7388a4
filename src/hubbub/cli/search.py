"""hubbub search: conversations of an archive by words, person, channel and date."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from .archive_options import archive_option, filter_options, filters, opened, record
from .command import Arguments, HubbubCommand
from .console import show, tell
from .options import output_format
from .parameter_types import AT_LEAST_ONE, Name
from .screen import colour_option, line_writer

if TYPE_CHECKING:
    from ..archive.search import SearchHit, SearchResults
    from ..archive.store import ArchiveStore
    from ..view.style import Line

GRAMMAR = """\b
Query:
words               messages with all of them first, then with some
"two words"         side by side
inst*               words that begin so
-word               without it
this OR that        one of them; parentheses group
from:NICK to:NICK   by or to a person, under any of their names
in:#channel         in a channel
after:2013-01-31    from a day, month or year on
before:2014         before a day, month or year
has:link            with a link
is:question         that ask something
is:answered         to which another person replied
intent:NAME         with an intent
A minus excludes keys too (-is:answered). Quote the query for the shell: 'kettle -"red kettle"'."""


@click.command(cls=HubbubCommand, epilog=GRAMMAR)
@click.argument("query", nargs=-1, required=True, metavar="QUERY...")
@archive_option()
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=10, help="Maximum number of conversations (default: 10).")
@click.option("--sort", metavar="ORDER", type=Name(("relevance", "date")), default="relevance",
              help="Order: relevance (default) or date, the latest first.")  # fmt: skip
@click.option("--facets", is_flag=True, help="Count conversations by person, channel and month.")
@click.option("--no-vectors", is_flag=True, help="Rank by words alone.")
@filter_options("messages")
@click.option("--whole", is_flag=True, help="Show whole conversations, not only the messages around each match.")
@colour_option
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Search an archive by words, person, channel and date."""
    from ..archive.meaning import MeaningIndex
    from ..archive.search import search

    with opened(arguments) as archive:
        results = search(
            archive,
            " ".join(arguments.query),
            arguments.n,
            filters(arguments, archive),
            sort=arguments.sort,
            facets=arguments.facets,
            meaning=None if arguments.no_vectors else MeaningIndex.of(archive),
        )
        for note in results.notes:
            tell(f"{note}.")
        if arguments.to == "text":
            _draw(archive, results, arguments)
        else:
            _write_json(archive, results)


def _draw(archive: ArchiveStore, results: SearchResults, arguments: Arguments) -> None:
    from ..view.search_results import draw_facets, draw_hit

    written = line_writer(arguments)

    def write(lines: Iterable[Line]) -> None:
        sys.stdout.writelines(f"{written(line)}\n" for line in lines)

    for hit in results:
        write(draw_hit(hit, archive.conversation(hit.conversation), arguments.whole))
    if not results:
        show("Nothing was found.")
    if results.facets:
        write(draw_facets(results.facets, results.is_complete))


def _write_json(archive: ArchiveStore, results: SearchResults) -> None:
    """A line a conversation; facets are the last line."""
    from ..jsonl import dump

    for hit in results:
        show(dump(_record(archive, hit)))
    if results.facets:
        counts = {name: dict(values) for name, values in results.facets._asdict().items()}
        show(dump({"facets": counts, "complete": results.is_complete}))


def _record(archive: ArchiveStore, hit: SearchHit) -> dict[str, object]:
    return {
        "conversation": hit.conversation_id,
        "chat": hit.found[0].chat,
        "score": round(hit.score, 4),
        "found": [stored.id for stored in hit.found],
        "snippets": [
            {
                "message": each.message,
                "text": each.text,
                "start": each.start,
                "highlights": [{"start": start, "end": end} for start, end in each.highlights],
            }
            for each in hit.snippets
        ],
        "messages": [record(stored) for stored in archive.conversation(hit.conversation)],
    }
