"""hubbub ask: earlier answers to a question."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from .archive_options import archive_option, filter_options, filters, opened, record
from .command import Arguments, HubbubCommand
from .console import tell
from .options import output_format
from .parameter_types import AT_LEAST_ONE, PROBABILITY
from .progress import working
from .screen import is_drawn, put_on_screen, screen

if TYPE_CHECKING:
    from ..archive.ask import Answer


@click.command(cls=HubbubCommand)
@click.argument("question", nargs=-1, required=True, metavar="QUESTION...")
@archive_option()
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=5, help="Maximum number of answers (default: 5).")
@click.option("--threshold", metavar="P", type=PROBABILITY, help="Minimum probability that an answer is correct.")
@filter_options("answers")
@output_format("text", "jsonl")
@screen
def command(arguments: Arguments) -> None:
    """Find earlier answers to a question in an archive."""
    from ..archive.confidence import THRESHOLD
    from ..jsonl import dump
    from ..view.answers import draw_past

    question = " ".join(arguments.question)
    threshold = THRESHOLD if arguments.threshold is None else arguments.threshold
    found, best = _asked(question, threshold, arguments)
    nothing = _nothing(best, threshold)
    if is_drawn(arguments):
        put_on_screen(partial(draw_past, question, found, nothing), arguments)
    else:
        sys.stdout.writelines(f"{dump(_line(each))}\n" for each in found)
        if not found:
            tell(nothing)


def _asked(question: str, threshold: float, arguments: Arguments) -> tuple[list[Answer], float | None]:
    """The answers above the threshold, and the probability of the best one; None if there is none at all."""
    from ..archive.ask import QuestionAnswerer, past

    with opened(arguments) as archive:
        chosen = filters(arguments, archive)
        with working(f"{arguments.archive}: searching for answers"):
            judged = QuestionAnswerer(archive).judged(question, chosen)
            good = [past(archive, *each) for each in judged[: arguments.n] if each[0] >= threshold]
    return good, judged[0][0] if judged else None


def _nothing(best: float | None, threshold: float) -> str:
    if best is None:
        return "No similar question was found."
    return (
        f"No answer is probable enough: the best one has a probability of {100 * best:.0f} %, "
        f"and the threshold is {100 * threshold:.0f} % (--threshold)."
    )


def _line(each: Answer) -> dict[str, Any]:
    return {
        "score": round(each.score, 4),
        "chat": each.answer.chat,
        "conversation": each.answer.conversation_id,
        "question": record(each.question),
        "between": [record(stored) for stored in each.between],
        "answer": record(each.answer),
        "followed": [record(stored) for stored in each.followed],
        "thanked": each.thanks is not None,
    }
