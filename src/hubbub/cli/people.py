"""hubbub people: who is meant by mentions of people, one person's mentions, explanations, and who talks to whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ..chat import Chat
from ..errors import OptionError
from ..layers import Layers
from .command import Arguments, HubbubCommand
from .input_options import inputs, single_chat, streams
from .numbering import position_of
from .options import csv_options, out, output_format, spreadsheet_safe, writer_name
from .parameter_types import AT_LEAST_ONE, FILE, PROBABILITY, model_name
from .progress import working
from .screen import is_drawn, put_drawing, screen

if TYPE_CHECKING:
    from ..people.predict import PeoplePredictor
    from ..people.reports.interactions import Interactions
    from ..people.reports.profiles import PersonProfile
    from ..view.style import Line

TO = ("text", "jsonl", "csv", "conll", "graphml")
FORMATS_OF = {
    "mentions": ("jsonl", "csv", "conll"),
    "who": ("jsonl",),
    "why": (),
    "talk": ("jsonl", "csv", "graphml"),
}

Item = TypeVar("Item")
Linked = Iterator[tuple[Chat, Layers]]


@click.command(cls=HubbubCommand, exclusive=[("who", "why", "talk")])
@inputs
@click.option(
    "--cast", metavar="FILE", type=FILE,
    help="People who may be mentioned besides the participants (TOML, CSV or JSON).",
)  # fmt: skip
@click.option("--model", metavar="MODEL", type=model_name("people"), help="People model, by name or folder.")
@click.option(
    "--threshold", metavar="P", type=PROBABILITY, help="Minimum link probability; below it, a mention stays unlinked."
)
@click.option("--confirm", metavar="FILE", type=FILE, help="Links known to be correct, as JSON lines.")
@click.option("--who", metavar="NAME", help="Show every mention of this person.")
@click.option(
    "--why", metavar="N", type=AT_LEAST_ONE,
    help="Explain the links of message N, counted from 1.",
)  # fmt: skip
@click.option("--talk", is_flag=True, help="Show who talks to and about whom; with --svg as a picture.")
@output_format(*TO)
@spreadsheet_safe
@out()
@screen
def command(arguments: Arguments) -> None:
    """Link mentions of people (names, nicknames and pronouns) to the people they refer to.

    --to graphml implies --talk.
    """
    from ..people.predict import PeoplePredictor

    what = _asked(arguments)
    csv_options(arguments)
    predictor = PeoplePredictor.of(arguments.model, arguments.cast or (), threshold=arguments.threshold)
    if what == "why":
        _why(predictor, arguments)
    elif what == "who":
        _who(_linked(predictor, arguments), arguments)
    elif what == "talk":
        _talk(_linked(predictor, arguments), arguments)
    else:
        _mentions(_linked(predictor, arguments), arguments)


def _asked(arguments: Arguments) -> str:
    """Which report is requested; a format that it does not have is an error."""
    if arguments.to == "graphml" and not arguments.who and arguments.why is None:
        arguments.talk = True
    what = "talk" if arguments.talk else "who" if arguments.who else "why" if arguments.why is not None else "mentions"
    formats = ("text", *FORMATS_OF[what])
    if arguments.to and ("jsonl" if arguments.to == "json" else arguments.to) not in formats:
        subject = "a table of mentions" if what == "mentions" else f"--{what}"
        raise OptionError("--to", arguments.to, f"{subject} is written as {' or '.join(formats)}")
    return what


def _linked(predictor: PeoplePredictor, arguments: Arguments) -> Linked:
    for number, one in enumerate(streams(arguments)):
        if number and arguments.confirm:
            raise OptionError(
                "--confirm",
                arguments.confirm,
                "confirmed links apply to one chat, and the input has several; choose one with --chat",
            )
        chat = one.chat()
        with working(f"{chat.name}: linking mentions to people"):
            layers = _over(predictor, chat, one.layers(), arguments.confirm)
        yield chat, layers


def _over(predictor: PeoplePredictor, chat: Chat, layers: Layers, confirm: str | None) -> Layers:
    if not confirm:
        return predictor.over(chat, layers)
    from ..people.data.confirmed_links import read_confirmed
    from ..people.data.scene import cast_of

    known = read_confirmed(Path(confirm), chat, cast_of(chat, predictor.cast or layers.people))
    return predictor.over(chat, layers, known)


def _mentions(chats: Linked, arguments: Arguments) -> None:
    from ..people.export import WRITERS
    from ..view.export import placed

    if is_drawn(arguments):
        put_drawing(partial(_drawn_mentions, chats), arguments)
        return
    with placed(arguments.out) as file:
        WRITERS[writer_name(arguments)](chats, file, **csv_options(arguments))


def _drawn_mentions(chats: Linked, width: int) -> Iterator[Line]:
    """Without conversations, so that colours mean people."""
    from ..analysis import Analysis
    from ..view.draw_layers import draw

    return draw((Analysis(chat, replace(layers, replies=None)) for chat, layers in chats), width)


def _who(chats: Linked, arguments: Arguments) -> None:
    from ..jsonl import dump
    from ..view.export import placed
    from ..view.people import draw_portrait

    found = _portraits(chats, arguments.who)
    if is_drawn(arguments):
        put_drawing(partial(_each, draw_portrait, found), arguments)
        return
    with placed(arguments.out) as file:
        file.writelines(dump(record) + "\n" for each in found for record in each.records())


def _portraits(chats: Linked, name: str) -> list[PersonProfile]:
    """The person in every chat that has somebody of that name."""
    from ..errors import UnknownPerson
    from ..people.reports.profiles import person_named, person_profile

    found, missed = list["PersonProfile"](), None
    for chat, layers in chats:
        try:
            found.append(person_profile(chat, layers, person_named(name, layers.people, chat.name)))
        except UnknownPerson as error:
            missed = missed or error
    if missed and not found:
        raise missed
    return found


def _talk(chats: Linked, arguments: Arguments) -> None:
    from ..view.export import placed
    from ..view.people_talk import WRITERS, draw_talk

    talks = _talks(chats)
    if arguments.svg:
        _picture(talks, arguments.svg)
    elif is_drawn(arguments):
        put_drawing(partial(_each, draw_talk, talks), arguments)
    else:
        with placed(arguments.out) as file:
            WRITERS[writer_name(arguments)](talks, file, **csv_options(arguments))


def _talks(chats: Linked) -> Iterator[Interactions]:
    """Interactions need the reply graph, which is predicted where the chat has none."""
    from ..people.reports.interactions import interactions
    from ..pipeline import Pipeline

    pipeline = Pipeline(progress=working)
    for chat, layers in chats:
        yield interactions(chat, pipeline.analyse(chat, layers).layers)


def _picture(talks: Iterator[Interactions], file: str) -> None:
    from ..view.export import placed
    from ..view.people_picture import talk_picture

    talk = next(talks)
    if next(talks, None):
        raise OptionError("--svg", file, "a picture shows one chat, and the input has several; choose one with --chat")
    with placed(file) as out:
        out.write(talk_picture(talk))


def _each(drawing: Callable[[Item, int], Iterator[Line]], items: Iterable[Item], width: int) -> Iterator[Line]:
    for item in items:
        yield from drawing(item, width)


def _why(predictor: PeoplePredictor, arguments: Arguments) -> None:
    from ..view.people import draw_reasons

    one = single_chat(arguments, "--why", arguments.why)
    chat = one.chat()
    position = position_of("--why", arguments.why, len(chat), chat.name)
    scene = predictor.scene(chat, one.layers())
    here = [mention for mention in scene.mentions or () if mention.position == position]
    if not here:
        raise OptionError("--why", arguments.why, "nobody is mentioned in that message")
    found = [(mention, predictor.why(scene, mention)) for mention in here]
    put_drawing(partial(draw_reasons, chat[position], found), arguments)
