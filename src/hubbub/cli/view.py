"""hubbub view: a chat drawn in the terminal, or as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

from ..read import ChatStream
from ..view.drawing import Layered, draw
from .inputs import add_inputs, streams
from .screen import add_screen, put_on_screen


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument(
        "--threads", action=argparse.BooleanOptionalAction, default=False,
        help="find the conversations and draw them side by side (what happens without a verb)",
    )  # fmt: skip
    parser.add_argument(
        "--people", action=argparse.BooleanOptionalAction, default=False,
        help="find out who is meant by every mention of a person and mark them (what happens without a verb)",
    )  # fmt: skip
    add_screen(parser)


def run(arguments: argparse.Namespace) -> None:
    put_on_screen(partial(draw, _chats(arguments)), arguments)


def _chats(arguments: argparse.Namespace) -> Iterator[ChatStream | Layered]:
    chats = streams(arguments)
    if not (arguments.threads or arguments.people):
        return chats
    from .layering import layered

    return layered(chats, arguments.threads, arguments.people)
