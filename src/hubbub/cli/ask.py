"""hubbub ask: what people once answered to such a question."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from .archives import add_archive, add_filters, at_least_one, filters, opened, record
from .console import tell
from .progress import said_meanwhile
from .screen import add_screen, put_on_screen

if TYPE_CHECKING:
    from ..answer.asking import Past


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="+", metavar="QUESTION", help="what you want to know")
    add_archive(parser)
    parser.add_argument("-n", metavar="N", type=int, default=5, help="how many answers at the most (default: 5)")
    parser.add_argument(
        "--threshold",
        metavar="P",
        type=float,
        help="leave out answers that are less likely right than this, from 0 to 1",
    )
    add_filters(parser, "answers")
    parser.add_argument(
        "--to", choices=["text", "jsonl"], help="what to write (default: text on a terminal, jsonl on a pipe)"
    )
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..answer.judging import THRESHOLD
    from ..pipe import dump
    from ..view.answers import draw_past

    question = " ".join(arguments.question)
    threshold = THRESHOLD if arguments.threshold is None else arguments.threshold
    if not 0 <= threshold <= 1:
        raise OptionError("--threshold", threshold, "it is a probability from 0 to 1")
    found, best = _asked(question, at_least_one("-n", arguments.n), threshold, arguments)
    nothing = _nothing(best, threshold)
    if arguments.to == "text" or arguments.svg or (arguments.to is None and sys.stdout.isatty()):
        put_on_screen(partial(draw_past, question, found, nothing), arguments)
    else:
        sys.stdout.writelines(f"{dump(_line(each))}\n" for each in found)
        if not found:
            tell(nothing)
    return 0


def _asked(
    question: str, count: int, threshold: float, arguments: argparse.Namespace
) -> tuple[list[Past], float | None]:
    """The answers that are good enough, and how likely the best one is right, None if there is none at all."""
    from ..answer.asking import Asking, past

    with opened(arguments) as archive:
        chosen = filters(arguments, archive)
        with said_meanwhile(f"{arguments.archive}: looking ..."):
            judged = Asking(archive).judged(question, chosen)
            good = [past(archive, *each) for each in judged[:count] if each[0] >= threshold]
    return good, judged[0][0] if judged else None


def _nothing(best: float | None, threshold: float) -> str:
    if best is None:
        return "Nothing like it was found."
    wanted = f"{100 * threshold:.0f} % are wanted (--threshold)"
    return f"Nothing good enough was found: the best answer is right with {100 * best:.0f} %, and {wanted}."


def _line(each: Past) -> dict[str, Any]:
    return {
        "score": round(each.score, 4),
        "chat": each.answer.chat,
        "conversation": each.answer.conversation,
        "question": record(each.question),
        "between": [record(kept) for kept in each.between],
        "answer": record(each.answer),
        "followed": [record(kept) for kept in each.followed],
        "thanked": each.thanks is not None,
    }
