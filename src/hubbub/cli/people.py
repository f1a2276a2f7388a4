"""hubbub people: who is meant by every mention of a person, one person's mentions, why, and who talks to whom."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..chat import Chat
from ..errors import OptionError
from ..layers import Layers
from .inputs import add_inputs, streams
from .options import add_spreadsheet_safe, csv_options
from .progress import said_meanwhile
from .screen import add_screen, put_drawing

if TYPE_CHECKING:
    from ..people.desk import Desk
    from ..people.talk import Talk
    from ..people.who import Portrait
    from ..view.style import Line

TO = ("jsonl", "csv", "conll", "graphml", "text")
ALLOWED = {"mentions": TO[:3], "who": ("jsonl",), "why": (), "talk": ("jsonl", "csv", "graphml")}

Item = TypeVar("Item")
Laid = Iterator[tuple[Chat, Layers]]


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument(
        "--cast", metavar="FILE", help="people who may be meant besides the participants (TOML, CSV, JSON)"
    )
    parser.add_argument("--model", metavar="NAME", help="a model's name, or a trained folder")
    parser.add_argument("--threshold", metavar="P", type=float, help="name nobody where an answer is less probable")
    parser.add_argument("--confirm", metavar="FILE", help="links that are known to be right, as JSON lines")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--who", metavar="NAME", help="every mention of this person, and what words were used")
    asked.add_argument("--why", metavar="N", type=int, help="who may be meant in the message at this position, and why")
    asked.add_argument("--talk", action="store_true", help="who talks to and about whom; with --svg as a picture")
    parser.add_argument(
        "--to", choices=TO,
        help="what to write (default: a drawing on a terminal, jsonl on a pipe); graphml is for --talk",
    )  # fmt: skip
    add_spreadsheet_safe(parser)
    parser.add_argument("--out", metavar="FILE", help="write to this file instead of standard output")
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..people.desk import Desk

    what = _asked(arguments)
    csv_options(arguments)
    desk = Desk.of(arguments.model, arguments.cast or (), threshold=arguments.threshold)
    if what == "why":
        _why(desk, arguments)
    elif what == "who":
        _who(_laid(desk, arguments), arguments)
    elif what == "talk":
        _talk(_laid(desk, arguments), arguments)
    else:
        _mentions(_laid(desk, arguments), arguments)
    return 0


def _asked(arguments: argparse.Namespace) -> str:
    """What of the people is asked for; a form that it does not have is a mistake."""
    if arguments.to == "graphml" and not arguments.who and arguments.why is None:
        arguments.talk = True
    what = "talk" if arguments.talk else "who" if arguments.who else "why" if arguments.why is not None else "mentions"
    forms = (*ALLOWED[what], "text")
    if arguments.to and arguments.to not in forms:
        raise OptionError("--to", arguments.to, f"--{what} is written as {' or '.join(forms)}")
    return what


def _laid(desk: Desk, arguments: argparse.Namespace) -> Laid:
    for number, one in enumerate(streams(arguments)):
        if number and arguments.confirm:
            raise OptionError("--confirm", arguments.confirm, "confirmed links are for one chat, and there are several")
        chat = one.chat()
        with said_meanwhile(f"{chat.name}: finding out who is meant ..."):
            layers = _over(desk, chat, one.layers(), arguments.confirm)
        yield chat, layers


def _over(desk: Desk, chat: Chat, layers: Layers, confirm: str | None) -> Layers:
    if not confirm:
        return desk.over(chat, layers)
    from ..people.confirmed import read_confirmed
    from ..people.scene import cast_of

    known = read_confirmed(Path(confirm), chat, cast_of(chat, desk.cast or layers.people))
    return desk.over(chat, layers, known)


def _is_drawn(arguments: argparse.Namespace) -> bool:
    """On a terminal, for a picture, and as text, unless another form was asked for."""
    on_screen = not arguments.to and not arguments.out and sys.stdout.isatty()
    return bool(arguments.svg) or arguments.to == "text" or on_screen


def _mentions(chats: Laid, arguments: argparse.Namespace) -> None:
    from ..people.outputs import WRITERS
    from ..view.export import placed

    if _is_drawn(arguments):
        put_drawing(partial(_drawn_mentions, chats), arguments)
        return
    with placed(arguments.out) as file:
        WRITERS[arguments.to or "jsonl"](chats, file, **csv_options(arguments))


def _drawn_mentions(chats: Laid, width: int) -> Iterator[Line]:
    """Without conversations, so that colours mean people."""
    from ..view.drawing import Layered, draw

    return draw((Layered(chat, replace(layers, replies=None)) for chat, layers in chats), width)


def _who(chats: Laid, arguments: argparse.Namespace) -> None:
    from ..pipe import dump
    from ..view.export import placed
    from ..view.people import draw_portrait

    found = _portraits(chats, arguments.who)
    if _is_drawn(arguments):
        put_drawing(partial(_each, draw_portrait, found), arguments)
        return
    with placed(arguments.out) as file:
        file.writelines(dump(record) + "\n" for each in found for record in each.records())


def _portraits(chats: Laid, name: str) -> list[Portrait]:
    """The person in every chat that has somebody of that name."""
    from ..errors import UnknownPerson
    from ..people.who import person_named, portrait

    found, missed = list["Portrait"](), None
    for chat, layers in chats:
        try:
            found.append(portrait(chat, layers, person_named(name, layers.people, chat.name)))
        except UnknownPerson as error:
            missed = missed or error
    if missed and not found:
        raise missed
    return found


def _talk(chats: Laid, arguments: argparse.Namespace) -> None:
    from ..view.export import placed
    from ..view.people_talk import WRITERS, draw_talk

    talks = _talks(chats)
    if arguments.svg:
        _picture(talks, arguments.svg)
    elif _is_drawn(arguments):
        put_drawing(partial(_each, draw_talk, talks), arguments)
    else:
        with placed(arguments.out) as file:
            WRITERS[arguments.to or "jsonl"](talks, file, **csv_options(arguments))


def _talks(chats: Laid) -> Iterator[Talk]:
    """Who answers whom is told by the layer of replies, found now where there is none."""
    from ..people.talk import talk_of
    from .layering import with_replies

    for chat, layers in chats:
        yield talk_of(chat, with_replies(chat, layers))


def _picture(talks: Iterator[Talk], file: str) -> None:
    from ..view.export import placed
    from ..view.people_picture import talk_picture

    talk = next(talks)
    if next(talks, None):
        raise OptionError("--svg", file, "a picture is of one chat, and there are several")
    with placed(file) as out:
        out.write(talk_picture(talk))


def _each(drawing: Callable[[Item, int], Iterator[Line]], items: Iterable[Item], width: int) -> Iterator[Line]:
    for item in items:
        yield from drawing(item, width)


def _why(desk: Desk, arguments: argparse.Namespace) -> None:
    from ..view.people import draw_reasons

    one = next(streams(arguments))
    chat, position = one.chat(), arguments.why
    if not 0 <= position < len(chat):
        raise OptionError("--why", position, f"{chat.name} has messages 0 to {len(chat) - 1}")
    scene = desk.scene(chat, one.layers())
    here = [mention for mention in scene.mentions or () if mention.position == position]
    if not here:
        raise OptionError("--why", position, "nobody is mentioned in that message")
    found = [(mention, desk.why(scene, mention)) for mention in here]
    put_drawing(partial(draw_reasons, chat[position], found), arguments)
