"""hubbub unanswered: questions of an archive that got no reply or no resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .archive_options import archive_option, filter_options, filters, opened
from .command import Arguments, HubbubCommand
from .options import csv_options, out, output_format, spreadsheet_safe
from .parameter_types import AT_LEAST_ONE, PROBABILITY, Name

if TYPE_CHECKING:
    from ..archive.insights.unanswered import UnansweredQuestion

SHOWN = 80  # characters of a question that fit a line beside the rest
ONLY = {"no-reply": "no reply", "unresolved": "unresolved"}


@click.command(cls=HubbubCommand)
@archive_option()
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=20, help="Maximum number of questions (default: 20).")
@click.option(
    "--only", metavar="OUTCOME", type=Name(tuple(ONLY)),
    help="Only questions without any reply (no-reply), or only those with replies but no resolution (unresolved).",
)  # fmt: skip
@click.option(
    "--threshold", metavar="P", type=PROBABILITY, default=0.5,
    help="Only questions that are unanswered with at least this probability (default: 0.5).",
)  # fmt: skip
@filter_options("questions")
@output_format("text", "json", "csv", "markdown", default="text")
@spreadsheet_safe
@out()
def command(arguments: Arguments) -> None:
    """List questions without a reply or without a resolution, newest first.

    A question is resolved if its asker gives thanks or says that it worked, or asks nothing further after an answer.
    The probability accounts for replies that were attached to another conversation by mistake.
    """
    from ..archive.insights.question_threads import UNANSWERED, Outcome
    from ..archive.insights.unanswered import unanswered
    from ..view.data_table import DataTable
    from ..view.export import placed

    options = csv_options(arguments)
    outcomes = (Outcome(ONLY[arguments.only]),) if arguments.only else UNANSWERED
    with opened(arguments) as archive:
        chosen = filters(arguments, archive)
        found = unanswered(archive, arguments.n, chosen, outcomes=outcomes, threshold=arguments.threshold)
    with placed(arguments.out) as file:
        if arguments.to in ("json", "jsonl"):
            from ..jsonl import dump

            file.writelines(f"{dump(_record(each))}\n" for each in found)
            return
        is_csv = arguments.to == "csv"
        table = DataTable("", COLUMNS, [_row(each, None if is_csv else SHOWN) for each in found])
        if is_csv:
            table.write_csv(file, **options)
        elif not found:
            file.write("No unanswered question was found.\n")
        else:
            file.write((table.text() if arguments.to == "text" else table.markdown()) + "\n")


COLUMNS = ("conversation", "asked", "channel", "outcome", "probability", "replies", "asker", "question")


def _row(each: UnansweredQuestion, most: int | None) -> tuple[str | int | float | None, ...]:
    thread, question = each.thread, each.thread.question
    when = question.time.replace("T", " ")[:16] if question.time else None
    return (
        thread.conversation_id, when, thread.chat, thread.outcome.value, each.probability, len(thread.replies),
        question.author, " ".join(question.text.split())[:most],
    )  # fmt: skip


def _record(each: UnansweredQuestion) -> dict[str, object]:
    thread, question = each.thread, each.thread.question
    return {
        "conversation": thread.conversation_id,
        "channel": thread.chat,
        "outcome": thread.outcome.value,
        "probability": each.probability,
        "replies": len(thread.replies),
        "message": question.id,
        "time": question.time,
        "asker": question.author,
        "question": question.text,
        "opening": thread.opening,
    }
