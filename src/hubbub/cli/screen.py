"""Where a drawing goes: the terminal with its colours and pager, a pipe, or a picture."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from ..errors import OptionError
from ..placing import placed_file
from ..view.pager import pager_command, show
from ..view.style import Line, coloured, plain, wants_colour
from ..view.svg import MOST_LINES, svg
from ..view.terminal import NARROWEST

Drawing = Callable[[int], Iterator[Line]]

WITHOUT_A_SCREEN = 100
WIDEST = 10_000  # no screen has more columns, and each line is padded to the width


def add_screen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--width", metavar="N", type=int, help="how many columns to draw in (default: the terminal's)")
    colours: dict[str, Any] = {"dest": "colour", "choices": ["auto", "always", "never"], "default": "auto"}
    colour_help = "colours: on a terminal (auto, the default), always or never; --color does the same"
    parser.add_argument("--colour", help=colour_help, **colours)
    parser.add_argument("--color", help=argparse.SUPPRESS, **colours)
    parser.add_argument("--no-pager", action="store_true", help="write straight to the terminal, however long it gets")
    parser.add_argument("--svg", metavar="FILE", help="save the drawing as an SVG picture instead")


def put_on_screen(drawing: Drawing, arguments: argparse.Namespace) -> None:
    """Draws in the width that was asked for, to the place that was asked for."""
    columns, height = shutil.get_terminal_size((WITHOUT_A_SCREEN, 24))
    width = _width(arguments.width) or columns
    if arguments.svg:
        _save(drawing(width), width, arguments.svg)
    else:
        _show(drawing(width), height, arguments)


def put_drawing(drawing: Drawing, arguments: argparse.Namespace) -> None:
    """On the screen, or in the file that was named."""
    if not arguments.out:
        put_on_screen(drawing, arguments)
        return
    if arguments.svg:
        raise OptionError("--svg and --out", "both given", "one of them says where to")
    from ..view.export import placed

    with placed(arguments.out) as file:
        file.writelines(f"{plain(line)}\n" for line in drawing(_width(arguments.width) or WITHOUT_A_SCREEN))


def _width(wish: int | None) -> int | None:
    if wish is not None and wish < NARROWEST:
        raise OptionError("--width", wish, f"a drawing is at least {NARROWEST} columns wide")
    if wish is not None and wish > WIDEST:
        raise OptionError("--width", wish, f"a drawing is at most {WIDEST:,} columns wide")
    return wish


def _show(lines: Iterator[Line], height: int, arguments: argparse.Namespace) -> None:
    out = sys.stdout
    is_terminal = out.isatty()
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="replace")
    written = coloured if wants_colour(arguments.colour, is_terminal, os.environ) else plain
    paged = is_terminal and not arguments.no_pager and os.environ.get("TERM") != "dumb"
    show(map(written, lines), out, height, pager_command(os.environ) if paged else [])


def _save(lines: Iterator[Line], width: int, file: str) -> None:
    kept = list(islice(lines, MOST_LINES + 1))
    if len(kept) > MOST_LINES:
        raise OptionError("--svg", file, f"a picture holds at most {MOST_LINES:,} lines, and this drawing has more")
    with placed_file(file) as out:
        out.write(svg(kept, width, "hubbub"))
