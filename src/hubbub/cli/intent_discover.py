"""hubbub intent discover: frequent requests in a chat that no intent covers."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import click

from ..errors import OptionError
from .command import Arguments, HubbubCommand
from .input_options import inputs, streams
from .intent import intent_model, predictor_of
from .options import out, output_format
from .parameter_types import AT_LEAST_ONE, AT_LEAST_ZERO, WholeNumber
from .progress import working
from .screen import is_drawn, put_drawing, screen

if TYPE_CHECKING:
    from ..intent.reports.discover import Request, Topic
    from ..layers import Intent


log = logging.getLogger(__name__)


@click.command(cls=HubbubCommand, exclusive=[("model", "intents")])
@inputs
@intent_model
@click.option("--least", metavar="N", type=WholeNumber(2), default=3, help="Minimum size of a group (default: 3).")
@click.option("--most", metavar="N", type=AT_LEAST_ONE, default=30, help="Maximum number of groups (default: 30).")
@click.option(
    "--examples", metavar="N", type=AT_LEAST_ZERO, default=5, help="Number of messages to show per group (default: 5)."
)
@output_format("text", "jsonl", "rasa")
@out()
@screen
def command(arguments: Arguments) -> None:
    """Find frequent requests in a chat that no intent covers, grouped by similarity.

    --to rasa writes YAML that can be edited and trained on.
    """
    if arguments.to == "rasa" and not arguments.examples:
        raise OptionError("--examples", 0, "--to rasa needs examples to train on")
    found = _topics(arguments)[: arguments.most]
    if not found:
        log.warning("no request outside the known intents is frequent enough")
    if is_drawn(arguments):
        from ..view.intents import draw_topics

        put_drawing(partial(draw_topics, found, arguments.examples), arguments)
        return
    from ..view.export import placed

    with placed(arguments.out) as file:
        file.writelines(_written(found, arguments))


def _written(found: list[Topic], arguments: Arguments) -> Iterator[str]:
    from ..intent.reports.discover import as_yaml
    from ..jsonl import dump

    if arguments.to == "rasa":
        yield as_yaml(found, arguments.examples)
        return
    for each in found:
        yield dump({**asdict(each), "examples": each.examples[: arguments.examples]}) + "\n"


def _rethresholded(intents: Sequence[Intent], arguments: Arguments) -> Sequence[Intent]:
    """The intents that a chat came with, at the requested threshold; a criterion needs the model itself."""
    from ..intent.inference.scope import rethreshold
    from ..intent.predict import check_options

    check_options(arguments.threshold)
    if arguments.criterion:
        raise OptionError("--criterion", arguments.criterion, "the chat has its intents already; use --threshold")
    return intents if arguments.threshold is None else rethreshold(intents, arguments.threshold)


def _topics(arguments: Arguments) -> list[Topic]:
    from ..intent.reports.discover import requests, topics

    predictor = None
    asked: list[Request] = []
    for one in streams(arguments):
        chat, layers = one.chat(), one.layers()
        found = requests(chat)
        if layers.intents:
            said = _rethresholded(layers.intents, arguments)
            covered = {each.position for each in said if each.name is not None}
            asked += [each for each in found if each.position not in covered]
            continue
        predictor = predictor or predictor_of(arguments, threshold=arguments.threshold, criterion=arguments.criterion)
        said = predictor.answers([each.text for each in found])
        asked += [each for each, intent in zip(found, said, strict=True) if intent.name is None]
    with working("grouping requests"):
        return topics(asked, least=arguments.least)
