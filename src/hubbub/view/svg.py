"""The drawing as a picture: a terminal window in SVG.

By hand, not with rich: its export gives wide characters the width of narrow ones, so that they overlap, and loads a
font from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import bidirectional
from xml.sax.saxutils import escape

from wcwidth import iter_graphemes

from .style import PLAIN, Line, Style
from .wrap import display_width, drawable_line

MOST_LINES = 5_000

_COLUMN, _LINE, _FONT = 8.4, 20, 14
_EDGE, _BAR = 18, 40
_BACKGROUND, _BAR_COLOUR, _FRAME, _TEXT, _TITLE = "#1c1e24", "#25282f", "#3a3e48", "#d4d7dd", "#8b909c"
_DOTS = ("#e0645c", "#dfb04c", "#62b25c")
_PART = re.compile(r" *(?:[^ ]| (?! ))+| +")
_FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


def svg(lines: Sequence[Line], columns: int, title: str) -> str:
    """A whole SVG document that shows the lines in a window `columns` wide."""
    lines = lines[1:] if lines and not lines[0] else lines
    width = round(columns * _COLUMN + 2 * _EDGE)
    height = _BAR + len(lines) * _LINE + 2 * _EDGE
    body = [*_window(width, height, title)]
    for number, line in enumerate(lines):
        body += _texts(line, _BAR + _EDGE + number * _LINE + _FONT)
    return "\n".join([*body, "</g>", "</svg>", ""])


def _window(width: int, height: int, title: str) -> Iterator[str]:
    shown = escape(drawable_line(title))
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<title>{shown}</title>"
    yield (
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" '
        f'fill="{_BACKGROUND}" stroke="{_FRAME}"/>'
    )
    yield f'<path d="M1 {_BAR} V10 a9 9 0 0 1 9 -9 H{width - 10} a9 9 0 0 1 9 9 V{_BAR} Z" fill="{_BAR_COLOUR}"/>'
    for number, colour in enumerate(_DOTS):
        yield f'<circle cx="{22 + 20 * number}" cy="{_BAR // 2}" r="6" fill="{colour}"/>'
    yield f'<g font-family="{_FONTS}" font-size="{_FONT}" fill="{_TEXT}" style="white-space: pre">'
    place = f'x="{width / 2:g}" y="{_BAR // 2 + 5}" text-anchor="middle"'
    yield f'<text {place} font-size="13" fill="{_TITLE}">{shown}</text>'


def _texts(line: Line, baseline: int) -> Iterator[str]:
    column = 0
    for segment in line:
        for run in _runs(segment.text):
            shown = run.strip(" ")
            if shown:
                indent = len(run) - len(run.lstrip(" "))
                yield _text(shown, segment.style or PLAIN, column + indent, baseline)
            column += display_width(run)


def _runs(text: str) -> Iterator[str]:
    """The text in runs that each get their own columns.

    Characters beyond ASCII may come from another font, so they are placed on their own, and so is what follows several
    spaces, since viewers may merge these. Text from right to left stays whole: the viewer has to order it.
    """
    if not text.isascii() and any(bidirectional(letter) in ("R", "AL") for letter in text):
        yield text
        return
    for part in _PART.findall(text):
        groups = [part] if part.isascii() else ("".join(g) for _, g in groupby(iter_graphemes(part), str.isascii))
        yield from groups


def _text(shown: str, style: Style, column: int, baseline: int) -> str:
    look = ' font-weight="bold"' * bool(style.bold) + ' font-style="italic"' * bool(style.italic)
    look += ' text-decoration="underline"' * bool(style.underline)
    if style.color is not None:
        look += f' fill="{style.color.get_truecolor().hex}"'
    x, length = _EDGE + column * _COLUMN, display_width(shown) * _COLUMN
    return (
        f'<text x="{x:.1f}" y="{baseline}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"{look}>'
        f"{escape(shown)}</text>"
    )
