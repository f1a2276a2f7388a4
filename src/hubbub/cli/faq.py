"""hubbub faq: questions that several people asked, with their answers."""

from __future__ import annotations

import click

from .archive_options import archive_option, channel_and_days, filters, opened
from .command import Arguments, HubbubCommand
from .options import out, output_format
from .parameter_types import AT_LEAST_ONE
from .progress import working

TITLE = "Frequently asked questions"


@click.command(cls=HubbubCommand)
@archive_option()
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=30, help="Maximum number of questions (default: 30).")
@click.option(
    "--min-askers",
    metavar="N",
    type=click.IntRange(min=2),
    default=3,
    help="Only questions that at least this many people asked (default: 3).",
)
@channel_and_days
@output_format("text", "json", "markdown", "html", default="text")
@out()
def command(arguments: Arguments) -> None:
    """List questions that several people asked, each with its best answer, those of most people first.

    Questions are grouped by meaning. The answer is one that an asker confirmed, if there is any.
    """
    from ..archive.insights.faq import faq
    from ..jsonl import dump
    from ..view.export import placed
    from ..view.faq_report import faq_html, faq_markdown, faq_record, faq_text

    title = f"{TITLE}: {arguments.channel}" if arguments.channel else TITLE
    with opened(arguments) as archive:
        chosen = filters(arguments, archive)
        with working("comparing questions"):
            found = faq(archive, arguments.n, chosen, least=arguments.min_askers)
    with placed(arguments.out) as file:
        if arguments.to in ("json", "jsonl"):
            file.writelines(f"{dump(faq_record(each))}\n" for each in found)
        elif arguments.to == "text":
            file.write(
                (faq_text(found) or f"No question was asked by {arguments.min_askers} or more people (--min-askers).")
                + "\n"
            )
        else:
            file.write((faq_markdown if arguments.to == "markdown" else faq_html)(found, title))
