"""hubbub thread: which message replies to which, as a drawing, JSON lines, links, a table, clusters or a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..errors import OptionError
from .command import Arguments, HubbubCommand
from .input_options import inputs, single_chat, streams
from .numbering import spoken_position
from .options import csv_options, numbers, out, output_format, spreadsheet_safe, writer_name
from .parameter_types import AT_LEAST_ONE, PROBABILITY, Name, model_name
from .screen import is_drawn, put_drawing, screen

if TYPE_CHECKING:
    from ..read import ChatStream
    from ..thread.export import Threaded, ThreadStream
    from ..thread.predict import ThreadPredictor
    from ..view.style import Line


@click.command(cls=HubbubCommand, exclusive=[("why", "conversation"), ("why", "by")])
@inputs
@click.option(
    "--model", metavar="MODEL", type=model_name("thread"), default="thread/hubbub",
    help="Thread model, by name or folder (default: thread/hubbub).",
)  # fmt: skip
@output_format("text", "jsonl", "links", "csv", "clusters", "convokit")
@spreadsheet_safe
@out("Write to this file; with --to convokit, to this folder.", "PATH")
@click.option(
    "--threshold", metavar="P", type=PROBABILITY,
    help="Minimum link probability; below it, a message starts a conversation.",
)  # fmt: skip
@click.option("--second", metavar="P", type=PROBABILITY, help="Minimum probability of a second parent.")
@click.option("--conversation", metavar="N", type=AT_LEAST_ONE, help="Only conversation N, counted from 1.")
@click.option("--by", type=Name(("conversation",)), help="Write each conversation as a chat of its own.")
@numbers
@click.option("--why", metavar="N", type=AT_LEAST_ONE, help="Explain the decision about message N, counted from 1.")
@click.option(
    "--follow", is_flag=True,
    help="Keep reading as the log grows, even after it is rotated or truncated; stop with Ctrl-C.",
)  # fmt: skip
@screen
def command(arguments: Arguments) -> None:
    """Find out which message replies to which.

    PATH is a file, packed or not, a folder or a quoted glob; - or nothing is standard input, which is analysed as it
    arrives. Messages and conversations are counted from 1; links and clusters, in the published annotation format,
    and JSON lines have positions from 0.
    """
    from .thread_live import is_live, write_live

    options, predictor = csv_options(arguments), _predictor(arguments)
    if is_live(arguments):
        write_live(predictor, arguments)
    elif arguments.why is not None:
        _why(predictor.model, arguments)
    elif is_drawn(arguments):
        put_drawing(partial(_drawing, predictor, _chats(arguments), arguments), arguments)
    else:
        _write(_chosen((_passing(predictor, one) for one in _chats(arguments)), arguments), arguments, options)


def _chats(arguments: Arguments) -> Iterator[ChatStream]:
    if arguments.conversation is None:
        return streams(arguments)
    return iter([single_chat(arguments, "--conversation", arguments.conversation)])


def _write(chats: Iterator[ThreadStream], arguments: Arguments, options: dict[str, bool]) -> None:
    from ..thread.export import WRITERS, write_corpus
    from ..view.export import placed

    if arguments.to == "convokit":
        if arguments.out in (None, "-"):
            raise OptionError(
                "--out", arguments.out or "is missing", "a ConvoKit corpus is a folder: name it with --out"
            )
        write_corpus(chats, arguments.out)
        return
    with placed(arguments.out) as file:
        WRITERS[writer_name(arguments)](chats, file, **options)


def _drawing(
    predictor: ThreadPredictor, chats: Iterable[ChatStream], arguments: Arguments, width: int
) -> Iterator[Line]:
    """Every chat in lanes, streamed; or conversation by conversation. Replies that a file came with are left out."""
    from ..pipeline import analysed
    from ..view.draw_layers import draw
    from ..view.draw_threads import draw_conversations

    if not arguments.by and arguments.conversation is None:
        found = analysed((replace(one, rows=None) for one in chats), threads=predictor.model, people=False)
        yield from draw(found, width, numbers=arguments.numbers)
        return
    for one in chats:
        whole = _passing(predictor, one).whole()
        _must_exist(arguments.conversation, whole)
        yield from draw_conversations(whole.chat, whole.graph, width, arguments.conversation)


def _must_exist(number: int | None, whole: Threaded) -> None:
    count = len(whole.numbered())
    if number is not None and not 1 <= number <= count:
        raise OptionError("--conversation", number, f"{whole.chat.name} has conversations 1 to {count}")


def _predictor(arguments: Arguments) -> ThreadPredictor:
    from ..thread.predict import ThreadPredictor

    return ThreadPredictor.of(arguments.model, threshold=arguments.threshold, second=arguments.second)


def _passing(predictor: ThreadPredictor, one: ChatStream) -> ThreadStream:
    from ..thread.export import ThreadStream

    decide = partial(predictor.decisions, name=one.name, format=one.format)
    return ThreadStream(one.name, one.format, one.messages, decide, one.layers)


def _chosen(chats: Iterator[ThreadStream], arguments: Arguments) -> Iterator[ThreadStream]:
    """The chats as they are, or their conversations."""
    number = arguments.conversation
    for chat in chats:
        if number is None and not arguments.by:
            yield chat
            continue
        whole = chat.whole()
        _must_exist(number, whole)
        yield from (whole.conversation(*each).passing() for each in whole.numbered() if number in (None, each[0]))


def _why(model: Any, arguments: Arguments) -> None:
    """The candidates of a message, the most probable first: as text unless JSON is asked for."""
    from ..jsonl import dump
    from ..thread.models.hubbub import HubbubThreader
    from ..view.export import placed
    from ..view.reasons import draw_thread_reasons, thread_reasons_record

    number = arguments.why
    if arguments.to not in (None, "text", "json", "jsonl"):
        raise OptionError("--to", arguments.to, "--why is written as text or json")
    if not isinstance(model, HubbubThreader):
        raise OptionError("--why", number, "only thread/hubbub can explain its decisions")
    one = single_chat(arguments, "--why", number)
    messages = list(one.messages)
    spoken_position("--why", number, messages, one.name)
    del messages[number:]
    if arguments.to in (None, "text"):
        put_drawing(partial(draw_thread_reasons, model, messages), arguments)
        return
    with placed(arguments.out) as file:
        file.write(dump(thread_reasons_record(model, messages)) + "\n")
