"""hubbub view: a chat drawn in the terminal, or as a picture. Without a command, with its conversations."""

from __future__ import annotations

from functools import partial

import click

from ..errors import OptionError
from .command import Arguments, HubbubCommand, is_given
from .console import tell
from .input_options import inputs, streams
from .options import numbers
from .parameter_types import FILE
from .progress import working
from .screen import put_on_screen, screen


@click.command(cls=HubbubCommand)
@inputs
@click.option(
    "--threads/--no-threads", default=None, help="Draw conversations side by side (the default without a command)."
)
@click.option(
    "--people/--no-people", default=None,
    help="Show whom mentions refer to where it is not obvious (default: with --threads, up to 5,000 messages).",
)  # fmt: skip
@click.option("--cast", metavar="FILE", type=FILE, help="People who may be mentioned besides the participants.")
@numbers
@screen
def command(arguments: Arguments) -> None:
    """Draw a chat in the terminal.

    hubbub PATH, without a command, is hubbub view --threads PATH. PATH is a file, packed or not, a folder or a quoted
    glob; - or nothing is standard input.
    """
    from ..view.draw_layers import draw_streams

    threads = arguments.is_default if arguments.threads is None else arguments.threads
    people = arguments.people if arguments.people is not None or threads else False
    if people is False and is_given(click.get_current_context(), "cast"):
        raise OptionError("--cast", arguments.cast, "it is used with --people only")
    drawing = partial(
        draw_streams, streams(arguments), threads=threads, people=people, cast=arguments.cast or (),
        numbers=arguments.numbers, progress=working, notice=tell,
    )  # fmt: skip
    put_on_screen(drawing, arguments)
