"""hubbub intent: what queries or the messages of a chat want, or that it is out of scope."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from . import is_piped
from .inputs import add_reading, streams
from .options import add_spreadsheet_safe, csv_options
from .progress import said_meanwhile
from .queries import is_hubbub_pipe, query_batches
from .screen import add_screen, put_drawing

if TYPE_CHECKING:
    from ..intent.desk import Desk
    from ..intent.outputs import Passing
    from ..intent.shapes import Answered
    from ..view.style import Line

TO = ("jsonl", "csv", "rasa", "text")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts", nargs="*", metavar="TEXT",
        help="queries; without any, those that are piped in, one a line, or what another verb of hubbub pipes in",
    )  # fmt: skip
    parser.add_argument("--chat", nargs="+", metavar="PATH", dest="paths", default=[], help="the messages of chats")
    add_model(parser)
    parser.add_argument("--threshold", metavar="P", type=float, help="out of scope is what is less probably in scope")
    parser.add_argument(
        "--criterion", metavar="C", default="",
        help="move the cut to where this criterion has it: paper, lost:N, recall:R, cost:C, argmax or auto",
    )  # fmt: skip
    parser.add_argument("--top", metavar="N", type=int, default=5, help="how long the ranking is (default: 5)")
    parser.add_argument("--examples", metavar="N", type=int, default=3, help="how many examples to show (default: 3)")
    parser.add_argument("--multi", action="store_true", help="several intents in one message: judge its clauses too")
    parser.add_argument("--to", choices=TO, help="what to write (default: a drawing on a terminal, jsonl on a pipe)")
    parser.add_argument("--rasa", action="store_const", const="rasa", dest="to", help="the same as --to rasa")
    add_spreadsheet_safe(parser)
    parser.add_argument("--out", metavar="FILE", help="write to this file instead of standard output")
    add_reading(parser)
    add_screen(parser)


def add_model(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--model", metavar="NAME", help="a model's name, or a trained folder")
    which.add_argument("--intents", metavar="FILE", help="train the default model on these examples first, once")


def run(arguments: argparse.Namespace) -> int:
    csv_options(arguments)
    _must_be_texts(arguments.texts)
    if arguments.texts and arguments.paths:
        raise OptionError("TEXT and --chat", "both given", "queries and chats are asked about one at a time")
    asked = bool(arguments.texts or arguments.paths)
    if not asked and not is_piped():
        raise OptionError("TEXT", "is missing", "write a query in quotes, pipe queries in, or name a chat with --chat")
    desk = made_desk(arguments, threshold=arguments.threshold, criterion=arguments.criterion, top=arguments.top)
    if arguments.paths or (not asked and is_hubbub_pipe()):
        _chats(desk, arguments)
    else:
        _queries(desk, arguments)
    return 0


def made_desk(arguments: argparse.Namespace, **cut: Any) -> Desk:
    """The model that was asked for, trained now if examples are all that was given."""
    from ..intent.desk import Desk, must_be_cut

    must_be_cut(**cut)
    if not arguments.intents:
        return Desk.of(arguments.model, **cut)
    from ..intent.trained import trained_on

    with said_meanwhile(f"{arguments.intents}: learning its intents, once ..."):
        return Desk.of(trained_on(arguments.intents), **cut)


def _must_be_texts(texts: list[str]) -> None:
    """A file that is taken for a query would be answered with nonsense."""
    for text in texts:
        if ("." in text or "/" in text) and not any(map(str.isspace, text)) and len(text) < 256 and Path(text).exists():
            raise OptionError("TEXT", text, f"that is a file: --chat {text} reads a chat, < {text} a query a line")


def _queries(desk: Desk, arguments: argparse.Namespace) -> None:
    from ..intent.outputs import QUERIES
    from ..view.export import placed
    from ..view.intents import draw_answers

    batches = iter([arguments.texts]) if arguments.texts else query_batches(sys.stdin.buffer)
    answered = (_answered(desk, batch, arguments) for batch in batches)
    if _is_drawn(arguments):
        whole = chain.from_iterable(answered)
        put_drawing(partial(draw_answers, whole), arguments)
        return
    with placed(arguments.out) as file:
        QUERIES[arguments.to or "jsonl"](answered, file, **csv_options(arguments))


def _answered(desk: Desk, texts: list[str], arguments: argparse.Namespace) -> list[Answered]:
    from ..intent.shapes import Answered

    said = desk.answers(texts)
    near = (
        desk.nearest(texts, max(arguments.examples, 0))
        if arguments.to in (None, "jsonl", "text")
        else [()] * len(texts)
    )
    parts = desk.several(texts) if arguments.multi else [()] * len(texts)
    return [Answered(*each) for each in zip(texts, said, near, parts, strict=True)]


def _chats(desk: Desk, arguments: argparse.Namespace) -> None:
    from ..intent.outputs import CHATS
    from ..view.export import placed

    passing = _passing(desk, arguments)
    if _is_drawn(arguments):
        put_drawing(partial(_drawn_chats, passing), arguments)
        return
    with placed(arguments.out) as file:
        CHATS[arguments.to or "jsonl"](passing, file, **csv_options(arguments))


def _passing(desk: Desk, arguments: argparse.Namespace) -> Iterator[Passing]:
    from ..intent.outputs import Passing

    for one in streams(arguments):
        yield Passing(one.name, one.format, desk.over(one.messages, arguments.multi), one.layers)


def _drawn_chats(chats: Iterable[Passing], width: int) -> Iterator[Line]:
    from ..view.drawing import Layered, draw

    return draw((Layered(*chat.whole()) for chat in chats), width)


def _is_drawn(arguments: argparse.Namespace) -> bool:
    """On a terminal, for a picture, and as text, unless another form was asked for."""
    on_screen = not arguments.to and not arguments.out and sys.stdout.isatty()
    return bool(arguments.svg) or arguments.to == "text" or on_screen
