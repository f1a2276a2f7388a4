"""hubbub intent discover: what people ask in a chat that no intent covers."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from ..errors import OptionError
from .inputs import add_inputs, streams
from .intent import add_model, made_desk
from .progress import said_meanwhile
from .screen import add_screen, put_drawing

if TYPE_CHECKING:
    from ..intent.discover import Asked, Topic
    from ..layers import Intent


log = logging.getLogger(__name__)


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_model(parser)
    parser.add_argument("--threshold", metavar="P", type=float, help="out of scope is what is less probably in scope")
    parser.add_argument("--criterion", metavar="C", default="", help="or where this criterion has the cut")
    parser.add_argument("--least", metavar="N", type=int, default=3, help="the smallest group to tell of (default: 3)")
    parser.add_argument("--most", metavar="N", type=int, default=30, help="how many groups to tell of (default: 30)")
    parser.add_argument("--examples", metavar="N", type=int, default=5, help="how many messages of each (default: 5)")
    parser.add_argument(
        "--to", choices=["jsonl", "rasa", "text"],
        help="what to write: rasa is YAML to edit and train on (default: text on a terminal, jsonl on a pipe)",
    )  # fmt: skip
    parser.add_argument("--out", metavar="FILE", help="write to this file instead of standard output")
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    for option, least in (("least", 2), ("most", 1), ("examples", 0)):
        if getattr(arguments, option) < least:
            raise OptionError(f"--{option}", getattr(arguments, option), f"it is at least {least}")
    if arguments.to == "rasa" and not arguments.examples:
        raise OptionError("--examples", 0, "there is nothing to train on without any")
    found = _topics(arguments)[: arguments.most]
    if not found:
        log.warning("nothing is asked by so many that no intent covers")
    if arguments.svg or arguments.to == "text" or (not arguments.to and not arguments.out and sys.stdout.isatty()):
        from ..view.intents import draw_topics

        put_drawing(partial(draw_topics, found, arguments.examples), arguments)
        return 0
    from ..view.export import placed

    with placed(arguments.out) as file:
        file.writelines(_written(found, arguments))
    return 0


def _written(found: list[Topic], arguments: argparse.Namespace) -> Iterator[str]:
    from ..intent.discover import as_yaml
    from ..pipe import dump

    if arguments.to == "rasa":
        yield as_yaml(found, arguments.examples)
        return
    for each in found:
        yield dump({**asdict(each), "examples": each.examples[: arguments.examples]}) + "\n"


def _cut_again(intents: Sequence[Intent], arguments: argparse.Namespace) -> Sequence[Intent]:
    """What a chat brings along, cut where it was asked for; a criterion needs the model that chose."""
    from ..intent.desk import must_be_cut
    from ..intent.scope import rethreshold

    must_be_cut(arguments.threshold)
    if arguments.criterion:
        raise OptionError(
            "--criterion", arguments.criterion, "the chat has its intents already; --threshold moves the cut"
        )
    return intents if arguments.threshold is None else rethreshold(intents, arguments.threshold)


def _topics(arguments: argparse.Namespace) -> list[Topic]:
    from ..intent.discover import requests, topics

    desk = None
    asked: list[Asked] = []
    for one in streams(arguments):
        chat, layers = one.chat(), one.layers()
        found = requests(chat)
        if layers.intents:
            said = _cut_again(layers.intents, arguments)
            covered = {each.position for each in said if each.name is not None}
            asked += [each for each in found if each.position not in covered]
            continue
        desk = desk or made_desk(arguments, threshold=arguments.threshold, criterion=arguments.criterion)
        said = desk.answers([each.text for each in found])
        asked += [each for each, intent in zip(found, said, strict=True) if intent.name is None]
    with said_meanwhile("grouping what was asked ..."):
        return topics(asked, least=arguments.least)
