"""hubbub intent: the intents of queries or of the messages of a chat."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ..errors import OptionError
from . import COMMANDS, is_piped
from .command import Arguments, HubbubCommand, Several
from .input_options import reading, streams
from .options import all_of, csv_options, out, output_format, spreadsheet_safe, writer_name
from .parameter_types import AT_LEAST_ONE, AT_LEAST_ZERO, FILE, PROBABILITY, model_name
from .progress import working
from .queries import is_hubbub_pipe, query_batches
from .screen import is_drawn, put_drawing, screen

if TYPE_CHECKING:
    from ..intent.export import IntentStream
    from ..intent.inference.response import IntentAnswer
    from ..intent.predict import IntentPredictor
    from ..view.style import Line

intent_model = all_of(
    click.option("--model", metavar="MODEL", type=model_name("intent"), help="Intent model, by name or folder."),
    click.option(
        "--intents", metavar="FILE", type=FILE,
        help="Train the default model on these examples first; the result is cached.",
    ),
    click.option(
        "--threshold", metavar="P", type=PROBABILITY, help="Below this probability, a message is out of scope."
    ),
    click.option(
        "--criterion", metavar="C", default="",
        help="How to choose the threshold: paper, lost:N, recall:R, cost:C, argmax or auto.",
    ),
)  # fmt: skip


def _further_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The second words of commands such as `intent check`."""
    words = (name.partition(" ")[2] for name in COMMANDS if name.startswith("intent "))
    return [CompletionItem(word) for word in words if word.startswith(incomplete) and not ctx.params.get("texts")]


@click.command(cls=HubbubCommand, exclusive=[("model", "intents")])
@click.argument("texts", nargs=-1, metavar="[TEXT]...", shell_complete=_further_words)
@click.option("--chat", "paths", cls=Several, metavar="PATH...", type=FILE, help="Classify the messages of chats.")
@intent_model
@click.option("--top", metavar="N", type=AT_LEAST_ONE, default=5, help="Length of the ranking (default: 5).")
@click.option(
    "--examples", metavar="N", type=AT_LEAST_ZERO, default=3, help="Number of similar examples to show (default: 3)."
)
@click.option("--multi", is_flag=True, help="Allow several intents per message, one for each clause.")
@output_format("text", "jsonl", "csv", "rasa")
@click.option("--rasa", is_flag=True, help="Same as --to rasa.")
@spreadsheet_safe
@out()
@reading
@screen
def command(arguments: Arguments) -> None:
    """Classify the intent of queries or of the messages of a chat.

    Each TEXT is a query. Without TEXT and --chat, queries are read from standard input, one per line, or a chat in JSON
    lines as hubbub read writes it. hubbub intent check and hubbub intent discover are commands of their own.
    """
    if arguments.rasa:
        if arguments.to not in (None, "rasa"):
            raise OptionError("--rasa and --to", arguments.to, "--rasa is a shorthand for --to rasa")
        arguments.to = "rasa"
    csv_options(arguments)
    _must_be_texts(arguments.texts)
    if arguments.texts and arguments.paths:
        raise OptionError("TEXT and --chat", "both given", "only one of them can be used at a time")
    asked = bool(arguments.texts or arguments.paths)
    if not asked and not is_piped():
        raise OptionError("TEXT", "is missing", "write a query in quotes, pipe queries in, or name a chat with --chat")
    predictor = predictor_of(arguments, threshold=arguments.threshold, criterion=arguments.criterion, top=arguments.top)
    if arguments.paths or (not asked and is_hubbub_pipe()):
        _chats(predictor, arguments)
    else:
        _queries(predictor, arguments)


def predictor_of(arguments: Arguments, **options: Any) -> IntentPredictor:
    """The predictor of the requested model, which is trained now if only examples are given."""
    from ..intent.predict import IntentPredictor, check_options

    check_options(**options)
    if not arguments.intents:
        return IntentPredictor.of(arguments.model, **options)
    from ..intent.training.cache import trained_on

    with working(f"{arguments.intents}: training a model on its examples"):
        return IntentPredictor.of(trained_on(arguments.intents), **options)


def _must_be_texts(texts: Iterable[str]) -> None:
    """The name of a file is no query, but a mistake."""
    for text in texts:
        if ("." in text or "/" in text) and not any(map(str.isspace, text)) and len(text) < 256 and Path(text).exists():
            raise OptionError("TEXT", text, f"this is a file: use --chat {text} for a chat, < {text} for queries")


def _queries(predictor: IntentPredictor, arguments: Arguments) -> None:
    from ..intent.export import QUERIES
    from ..view.export import placed
    from ..view.intents import draw_answers

    batches = iter([list(arguments.texts)]) if arguments.texts else query_batches(sys.stdin.buffer)
    answered = (_answered(predictor, batch, arguments) for batch in batches)
    if is_drawn(arguments):
        whole = chain.from_iterable(answered)
        put_drawing(partial(draw_answers, whole), arguments)
        return
    with placed(arguments.out) as file:
        QUERIES[writer_name(arguments)](answered, file, **csv_options(arguments))


def _answered(predictor: IntentPredictor, texts: list[str], arguments: Arguments) -> list[IntentAnswer]:
    from ..intent.inference.response import IntentAnswer

    said = predictor.answers(texts)
    near = (
        predictor.nearest(texts, arguments.examples)
        if arguments.to in (None, "json", "jsonl", "text")
        else [()] * len(texts)
    )
    parts = predictor.several(texts) if arguments.multi else [()] * len(texts)
    return [IntentAnswer(*each) for each in zip(texts, said, near, parts, strict=True)]


def _chats(predictor: IntentPredictor, arguments: Arguments) -> None:
    from ..intent.export import CHATS
    from ..view.export import placed

    passing = _passing(predictor, arguments)
    if is_drawn(arguments):
        put_drawing(partial(_drawn_chats, passing), arguments)
        return
    with placed(arguments.out) as file:
        CHATS[writer_name(arguments)](passing, file, **csv_options(arguments))


def _passing(predictor: IntentPredictor, arguments: Arguments) -> Iterator[IntentStream]:
    from ..intent.export import IntentStream

    for one in streams(arguments):
        yield IntentStream(one.name, one.format, predictor.over(one.messages, arguments.multi), one.layers)


def _drawn_chats(chats: Iterable[IntentStream], width: int) -> Iterator[Line]:
    from ..analysis import Analysis
    from ..view.draw_layers import draw

    return draw((Analysis(*chat.whole()) for chat in chats), width)
