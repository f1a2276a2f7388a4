"""Styles and colours of a drawing, on rich: a line is a tuple of rich segments.

rich renders a segment as fast as code written for it would; its console, which measures and wraps again what is already
laid out, is fifteen times slower and is not used for chats.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b

from rich.color import Color, ColorSystem
from rich.segment import Segment as Segment
from rich.style import Style as Style

from ..text import printable

# Of the 256 colours, calm ones with a contrast of at least 3 to both black and white.
PALETTE = (167, 166, 136, 64, 29, 30, 32, 68, 63, 99, 134, 170, 168)
GREY = 244

Line = tuple[Segment, ...]


@lru_cache(maxsize=1024)
def style_of(colour: int | None = None, *, bold: bool = False, italic: bool = False, underline: bool = False) -> Style:
    """A style by the number of its colour among the 256; what is not asked for stays as the terminal has it."""
    return Style(
        color=None if colour is None else Color.from_ansi(colour),
        bold=bold or None,
        italic=italic or None,
        underline=underline or None,
    )


PLAIN = style_of()
QUIET = style_of(GREY)
STRONG = style_of(bold=True)


class Colours:
    """Everybody's colour: the same in every chat, and kept through renames."""

    def __init__(self) -> None:
        self._first_name: dict[str, str] = {}

    def rename(self, old: str, new: str) -> None:
        self._first_name[new] = self._first_name.get(old, old)

    def of(self, name: str) -> int:
        return _colour(self._first_name.get(name, name))


@lru_cache(maxsize=4096)
def _colour(name: str) -> int:
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()
    return PALETTE[int.from_bytes(digest) % len(PALETTE)]


def plain(line: Line) -> str:
    return printable("".join(segment.text for segment in line))


def coloured(line: Line) -> str:
    return "".join(
        segment.style.render(printable(segment.text), color_system=ColorSystem.EIGHT_BIT)
        if segment.style
        else printable(segment.text)
        for segment in line
    )


def rgb(colour: int) -> str:
    """One of the 256 colours as #rrggbb."""
    return Color.from_ansi(colour).get_truecolor().hex


def wants_colour(choice: str, is_terminal: bool, environ: Mapping[str, str]) -> bool:
    """What --colour says; if that is "auto", what NO_COLOR, FORCE_COLOR and the terminal say, in this order."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"
