"""hubbub answer: the replies that fit a message best, from an archive or a file."""

from __future__ import annotations

import logging
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..bounded_files import read_bytes
from ..errors import Broken, Empty, OptionError
from .archive_options import archive_option, filter_options, filters, opened
from .command import Arguments, HubbubCommand
from .input_options import inputs, single_chat
from .numbering import spoken_position
from .options import output_format
from .parameter_types import AT_LEAST_ONE, FILE, model_name
from .progress import working
from .screen import is_drawn, put_on_screen, screen

if TYPE_CHECKING:
    from ..archive.search import SearchFilters
    from ..chat import Chat
    from ..layers import ReplyGraph
    from ..read import ChatStream

CONTEXT_SHOWN = 8  # messages of the conversation that are drawn above the replies

log = logging.getLogger(__name__)


@click.command(cls=HubbubCommand, exclusive=[("archive", "candidates")])
@inputs
@click.option(
    "--at", metavar="N", type=AT_LEAST_ONE, required=True, help="Number of the message to answer, counted from 1."
)
@click.option("-n", metavar="N", type=AT_LEAST_ONE, default=5, help="Number of replies (default: 5).")
@archive_option("Archive to take replies from.", required=False)
@click.option("--candidates", metavar="FILE", type=FILE, help="File to take replies from, one per line.")
@filter_options("replies")
@click.option("--model", metavar="MODEL", type=model_name("answer"), help="Reply model, by name or folder.")
@click.option(
    "--threads", metavar="MODEL", type=model_name("thread"), default="thread/hubbub",
    help="Thread model, by name or folder (default: thread/hubbub).",
)  # fmt: skip
@output_format("text", "jsonl")
@screen
def command(arguments: Arguments) -> None:
    """Rank replies to a message of a chat, from an archive or a file."""
    from ..answer.predict import positions_until
    from ..archive.suggest import suggest_replies
    from ..jsonl import dump
    from ..view.answers import draw_replies

    for option in ("person", "channel", "since", "until"):
        if arguments.candidates and getattr(arguments, option):
            raise OptionError(
                f"--{option}", getattr(arguments, option), "it chooses among the replies of an archive, --in"
            )
    candidates = _lines(Path(arguments.candidates)) if arguments.candidates else None
    chat, replies = _threaded(single_chat(arguments, "--at", arguments.at), arguments.threads)
    position = spoken_position("--at", arguments.at, chat, chat.name)
    found = suggest_replies(
        chat,
        position,
        replies,
        candidates=candidates,
        archive=arguments.archive,
        count=arguments.n,
        filters=_filters(arguments) if arguments.archive else None,
        model=arguments.model,
    )
    if not found:
        log.warning("there is no reply to choose from")
    if is_drawn(arguments):
        shown = [chat[place] for place in positions_until(chat, replies, position)[-CONTEXT_SHOWN:]]
        put_on_screen(partial(draw_replies, shown, found), arguments)
    else:
        lines = ({"text": each.text, "score": round(each.score, 4), "source": each.source} for each in found)
        sys.stdout.writelines(f"{dump(line)}\n" for line in lines)


def _threaded(one: ChatStream, model: str) -> tuple[Chat, ReplyGraph]:
    """The chat and its reply graph, as it came or predicted now."""
    from ..pipeline import reply_graph

    chat = one.chat()
    with working(f"{chat.name}: finding conversations"):
        return chat, reply_graph(chat, one.layers(), model)


def _filters(arguments: Arguments) -> SearchFilters:
    with opened(arguments) as archive:
        return filters(arguments, archive)


def _lines(path: Path) -> list[str]:
    """The replies in a file, one a line."""
    try:
        found = [line.strip() for line in read_bytes(path).decode("utf-8-sig").splitlines() if line.strip()]
    except UnicodeDecodeError:
        raise Broken(str(path), "it is not UTF-8 text") from None
    if not found:
        raise Empty(str(path))
    return found
