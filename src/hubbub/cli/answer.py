"""hubbub answer: the replies that fit a conversation best, from an archive or a file."""

from __future__ import annotations

import argparse
import logging
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..bounded import read_bytes
from ..errors import Broken, Empty
from .archives import add_archive, add_filters, at_least_one, filters, opened
from .inputs import add_inputs, streams
from .progress import said_meanwhile
from .screen import add_screen, put_on_screen

if TYPE_CHECKING:
    from ..answer.searching import Filters
    from ..chat import Chat
    from ..layers import ReplyGraph
    from ..read import ChatStream

SHOWN = 8

log = logging.getLogger(__name__)


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument(
        "--at", metavar="N", type=int, required=True, help="the position of the message to answer, from 0"
    )
    parser.add_argument("-n", metavar="N", type=int, default=5, help="how many replies (default: 5)")
    add_archive(parser, required=False)
    parser.add_argument(
        "--candidates", metavar="FILE", help="replies to choose from, one a line, instead of an archive"
    )
    add_filters(parser, "replies")
    parser.add_argument("--model", metavar="NAME", help="a model of replies by name or folder")
    parser.add_argument("--threads", metavar="NAME", default="thread/hubbub", help="what finds conversations")
    parser.add_argument(
        "--to", choices=["text", "jsonl"], help="what to write (default: text on a terminal, jsonl on a pipe)"
    )
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..answer import answer
    from ..answer.replying import positions_until
    from ..pipe import dump
    from ..view.answers import draw_replies

    count = at_least_one("-n", arguments.n)
    candidates = _lines(Path(arguments.candidates)) if arguments.candidates else None
    chat, replies = _threaded(next(streams(arguments)), arguments.threads)
    found = answer(
        chat,
        arguments.at,
        replies,
        candidates=candidates,
        archive=arguments.archive,
        count=count,
        filters=_filters(arguments),
        model=arguments.model,
    )
    if not found:
        log.warning("there is no reply to choose from")
    if arguments.to == "text" or arguments.svg or (arguments.to is None and sys.stdout.isatty()):
        shown = [chat[place] for place in positions_until(chat, replies, arguments.at)[-SHOWN:]]
        put_on_screen(partial(draw_replies, shown, found), arguments)
    else:
        lines = ({"text": each.text, "score": round(each.score, 4), "source": each.source} for each in found)
        sys.stdout.writelines(f"{dump(line)}\n" for line in lines)
    return 0


def _threaded(one: ChatStream, model: str) -> tuple[Chat, ReplyGraph]:
    """The chat and who answers whom in it, as it came or found now."""
    chat = one.chat()
    replies = one.layers().replies
    if replies is None:
        from ..model import load

        with said_meanwhile(f"{chat.name}: finding conversations ..."):
            replies = load(model, task="thread").predict([chat])[0]
    return chat, replies


def _filters(arguments: argparse.Namespace) -> Filters | None:
    if not arguments.archive:
        return None
    with opened(arguments) as archive:
        return filters(arguments, archive)


def _lines(path: Path) -> list[str]:
    """The replies in a file, one a line."""
    try:
        found = [line.strip() for line in read_bytes(path).decode("utf-8-sig").splitlines() if line.strip()]
    except UnicodeDecodeError:
        raise Broken(str(path), "it is no text in UTF-8") from None
    if not found:
        raise Empty(str(path))
    return found
