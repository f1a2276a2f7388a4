"""Colours and letters: what a piece of a drawing looks like, and how a terminal is told so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from ..text import printable

# Of the 256 colours, calm ones with a contrast of at least 3 to both black and white.
PALETTE = (167, 166, 136, 64, 29, 30, 32, 68, 63, 99, 134, 170, 168)
GREY = 244


class Style(NamedTuple):
    colour: int | None = None
    bold: bool = False
    italic: bool = False
    underline: bool = False


PLAIN = Style()
QUIET = Style(GREY)
STRONG = Style(bold=True)


class Span(NamedTuple):
    """A piece of a line that looks the same from end to end."""

    text: str
    style: Style = PLAIN


Line = tuple[Span, ...]


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
    return printable("".join(span.text for span in line))


def coloured(line: Line) -> str:
    shown = ((_start(span.style), printable(span.text)) for span in line)
    return "".join(f"{start}{text}\x1b[0m" if start else text for start, text in shown)


@lru_cache(maxsize=256)
def _start(style: Style) -> str:
    codes = ["1"] * style.bold + ["3"] * style.italic + ["4"] * style.underline
    if style.colour is not None:
        codes.append(f"38;5;{style.colour}")
    return f"\x1b[{';'.join(codes)}m" if codes else ""


def rgb(colour: int) -> str:
    """One of the colours 16 to 255 as #rrggbb."""
    if colour >= 232:
        grey = 8 + 10 * (colour - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = (levels[(colour - 16) // step % 6] for step in (36, 6, 1))
    return f"#{red:02x}{green:02x}{blue:02x}"


def wants_colour(choice: str, is_terminal: bool, environ: Mapping[str, str]) -> bool:
    """What --colour says; if that is "auto", what NO_COLOR, FORCE_COLOR and the terminal say, in this order."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"
