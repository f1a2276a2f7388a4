"""Where a drawing goes: the terminal with its colours and pager, a pipe, or a picture."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from ..errors import OptionError
from .command import Arguments
from .options import all_of
from .parameter_types import AT_LEAST_ONE, FILE, Name
from .progress import turn_off

if TYPE_CHECKING:
    from ..view.style import Line

Drawing = Callable[[int], "Iterator[Line]"]

WITHOUT_A_SCREEN = 100
WIDEST = 10_000  # no screen has more columns, and each line is padded to the width

colour_option: Callable[[Any], Any] = click.option(
    "--colour", "--color", "colour", type=Name(("auto", "always", "never")), default="auto",
    help="When to use colours (default: auto, which is on a terminal).",
)  # fmt: skip
screen: Callable[[Any], Any] = all_of(
    click.option(
        "--width", metavar="N", type=AT_LEAST_ONE, help="Width in columns (default: the width of the terminal).",
    ),
    colour_option,
    click.option("--no-pager", is_flag=True, help="Write directly to the terminal, even if the output is long."),
    click.option("--svg", metavar="FILE", type=FILE, help="Save the drawing as an SVG picture instead."),
)  # fmt: skip


def is_drawn(arguments: Arguments) -> bool:
    """On a terminal, for a picture, and as text, unless another format was asked for."""
    on_screen = not arguments.to and not getattr(arguments, "out", None) and sys.stdout.isatty()
    return bool(arguments.svg) or arguments.to == "text" or on_screen


def put_on_screen(drawing: Drawing, arguments: Arguments) -> None:
    """Draws in the requested width, to the requested place."""
    columns, height = shutil.get_terminal_size((WITHOUT_A_SCREEN, 24))
    width = _width(arguments.width) or columns
    if arguments.svg:
        _save(drawing(width), width, arguments.svg)
    else:
        _show(drawing(width), height, arguments)


def put_drawing(drawing: Drawing, arguments: Arguments) -> None:
    """On the screen, or in the file that was named."""
    if not arguments.out:
        put_on_screen(drawing, arguments)
        return
    if arguments.svg:
        raise OptionError("--svg and --out", "both given", "only one of them can be used at a time")
    from ..view.export import placed
    from ..view.style import plain

    with placed(arguments.out) as file:
        file.writelines(f"{plain(line)}\n" for line in drawing(_width(arguments.width) or WITHOUT_A_SCREEN))


def _width(given: int | None) -> int | None:
    from ..view.draw_chat import NARROWEST

    if given is not None and given < NARROWEST:
        raise OptionError("--width", given, f"a drawing is at least {NARROWEST} columns wide")
    if given is not None and given > WIDEST:
        raise OptionError("--width", given, f"a drawing is at most {WIDEST:,} columns wide")
    return given


def _show(lines: Iterator[Line], height: int, arguments: Arguments) -> None:
    from ..view.pager import pager_command, show

    out = sys.stdout
    is_terminal = out.isatty()
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="replace")
    written = line_writer(arguments)
    paged = is_terminal and not arguments.no_pager and os.environ.get("TERM") != "dumb"
    first = list(islice(lines, 1))  # progress is shown until there is something to see
    if is_terminal:
        turn_off()
    lines = (line for part in (first, lines) for line in part)
    show(map(written, lines), out, height, pager_command(os.environ) if paged else [])


def line_writer(arguments: Arguments) -> Callable[[Line], str]:
    """How a line is written to standard output: with or without colours."""
    from ..view.style import coloured, plain, wants_colour

    return coloured if wants_colour(arguments.colour, sys.stdout.isatty(), os.environ) else plain


def _save(lines: Iterator[Line], width: int, file: str) -> None:
    from ..view.export import placed
    from ..view.svg import MOST_LINES, svg

    kept = list(islice(lines, MOST_LINES + 1))
    if len(kept) > MOST_LINES:
        raise OptionError("--svg", file, f"a picture has at most {MOST_LINES:,} lines, and this drawing has more")
    with placed(file) as out:
        out.write(svg(kept, width, "hubbub"))
