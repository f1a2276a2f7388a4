"""Shares as bars on a logarithmic scale, as an SVG document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

_ROW, _LEFT, _PLOT, _RIGHT, _TOP, _FONT = 26, 190, 520, 80, 56, 13
_BAR, _GRID, _TEXT = "#4a7fb5", "#d8dbe0", "#2a2d33"


def bars(title: str, unit: str, rows: Sequence[tuple[str, float]]) -> str:
    """A whole SVG document with a bar for every (name, value); what is not above 0 has none."""
    shown = [value for _, value in rows if value > 0]
    low, high = (floor(log10(min(shown))), max(1, ceil(log10(max(shown))))) if shown else (0, 1)
    width, height = _LEFT + _PLOT + _RIGHT, _TOP + _ROW * len(rows) + 50
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    frame = [begin, f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="white"/>']
    style = f'<g font-family="sans-serif" font-size="{_FONT}" fill="{_TEXT}">'
    heading = f'<text x="16" y="26">{escape(title)}</text>'
    body = [*_grid(low, high, unit, len(rows)), *_bars(rows, low, high)]
    return "\n".join([*frame, style, heading, *body, "</g>", "</svg>", ""])


def _along(power: float, low: int, high: int) -> float:
    return _LEFT + _PLOT * (power - low) / max(1, high - low)


def _grid(low: int, high: int, unit: str, count: int) -> Iterator[str]:
    bottom = _TOP + _ROW * count
    for power in range(low, high + 1):
        x = _along(power, low, high)
        yield f'<path d="M{x:g} {_TOP - 6} V{bottom + 4}" stroke="{_GRID}"/>'
        yield f'<text x="{x:g}" y="{bottom + 20}" text-anchor="middle">{10.0**power:g}</text>'
    yield f'<text x="{_LEFT + _PLOT / 2:g}" y="{bottom + 40}" text-anchor="middle">{escape(unit)}</text>'


def _bars(rows: Sequence[tuple[str, float]], low: int, high: int) -> Iterator[str]:
    for number, (name, value) in enumerate(rows):
        y = _TOP + _ROW * number
        end = _along(log10(value), low, high) if value > 0 else _LEFT
        yield f'<text x="{_LEFT - 10}" y="{y + 16}" text-anchor="end">{escape(name)}</text>'
        yield f'<rect x="{_LEFT}" y="{y + 3}" width="{end - _LEFT:.1f}" height="{_ROW - 8}" fill="{_BAR}"/>'
        yield f'<text x="{end + 8:.1f}" y="{y + 16}">{value:.2f}</text>'
