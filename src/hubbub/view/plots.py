"""Plots as SVG: a heat map, two histograms in one, a curve. Colours are classes that a page's style gives a meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 560, 320
_LEFT, _BOTTOM, _TOP, _RIGHT = 56, 44, 16, 16
_ACROSS, _DOWN = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

_LEVELS = (0.08, 0.2, 0.4, 0.6, 0.8, 1.0)


def heat_map(names: Sequence[str], counts: Mapping[tuple[int, int], int]) -> str:
    """Rows are what things are, columns what they are taken for; only cells that count are drawn, each with a title."""
    cell = max(9.0, min(28.0, 640 / max(len(names), 1)))
    letters = min(13.0, 0.92 * cell)
    margin = round(letters * 0.6 * max((len(name) for name in names), default=0)) + 12
    size = round(margin + cell * len(names) + 4)
    label = f"Confusion matrix of {len(names)} intents: rows are the labels, columns the answers"
    look = f'class="plot matrix" role="img" aria-label="{escape(label)}" font-size="{letters:.1f}"'
    body = [*_grid(len(names), cell, margin), *_names(names, cell, margin), *_cells(names, counts, cell, margin)]
    return "\n".join([f'<svg viewBox="0 0 {size} {size}" width="{size}" height="{size}" {look}>', *body, "</svg>"])


def _grid(count: int, cell: float, margin: int) -> Iterator[str]:
    side = cell * count
    yield f'<rect class="ground" x="{margin}" y="{margin}" width="{side:.1f}" height="{side:.1f}"/>'
    for place in range(0, count, 10 if count > 30 else 1):
        at = margin + place * cell
        yield f'<path class="grid" d="M{margin} {at:.1f}h{side:.1f}M{at:.1f} {margin}v{side:.1f}"/>'


def _names(names: Sequence[str], cell: float, margin: int) -> Iterator[str]:
    for place, name in enumerate(names):
        at = margin + (place + 0.5) * cell
        yield f'<text x="{margin - 5}" y="{at:.1f}" dy="0.35em" text-anchor="end">{escape(name)}</text>'
        yield f'<text transform="translate({at:.1f} {margin - 5}) rotate(-90)" dy="0.35em">{escape(name)}</text>'


def _cells(names: Sequence[str], counts: Mapping[tuple[int, int], int], cell: float, margin: int) -> Iterator[str]:
    totals: dict[int, int] = {}
    for (row, _), count in counts.items():
        totals[row] = totals.get(row, 0) + count
    for (row, column), count in sorted(counts.items()):
        share = count / totals[row]
        kind = "right" if row == column else "wrong"
        strength = 0.2 + 0.8 * (share if row == column else min(1.0, 4 * share) ** 0.5)
        title = f"{names[row]} → {names[column]}: {count:,} of {totals[row]:,} ({100 * share:.1f} %)"
        place = f'x="{margin + column * cell + 0.5:.1f}" y="{margin + row * cell + 0.5:.1f}"'
        side = f'width="{cell - 1:.1f}" height="{cell - 1:.1f}"'
        yield f'<rect class="{kind}" {place} {side} fill-opacity="{strength:.2f}"><title>{escape(title)}</title></rect>'


def histograms(series: Mapping[str, Sequence[float]], label: str, across: str) -> str:
    """Shares in equal steps from 0 to 1, two series drawn over each other."""
    highest = max((share for shares in series.values() for share in shares), default=1.0)
    top = next((level for level in _LEVELS if level >= highest), 1.0)
    body = [*_frame(across, "share of the examples, %", 100 * top)]
    for kind, (name, shares) in zip(("first", "second"), series.items(), strict=False):
        width = _ACROSS / len(shares) if shares else 0.0
        for place, share in enumerate(shares):
            high = _DOWN * share / top
            title = f"{name}: {100 * share:.1f} % score {place / len(shares):.2f} to {(place + 1) / len(shares):.2f}"
            box = f'x="{_LEFT + place * width + 0.5:.1f}" y="{_TOP + _DOWN - high:.1f}" width="{width - 1:.1f}"'
            body.append(f'<rect class="{kind}" {box} height="{high:.1f}"><title>{escape(title)}</title></rect>')
    body += _legend([name for name, shares in series.items() if shares])
    return _plot(label, body)


def curve(points: Sequence[tuple[float, float]], label: str, across: str, up: str) -> str:
    """A line through points from (0, 0) to (1, 1), with the diagonal of pure chance."""
    places = [(_LEFT + _ACROSS * x, _TOP + _DOWN * (1 - y)) for x, y in points]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    chance = f'<path class="chance" d="M{_LEFT} {_TOP + _DOWN}L{_LEFT + _ACROSS} {_TOP}"/>'
    body = [*_frame(across, up, 100, 100), chance, f'<path class="curve" d="M{line}"/>']
    return _plot(label, body)


def _plot(label: str, body: Sequence[str]) -> str:
    look = f'class="plot" role="img" aria-label="{escape(label)}" font-size="12"'
    return "\n".join([f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" {look}>', *body, "</svg>"])


def _frame(across: str, up: str, top: float, right: float = 1.0) -> Iterator[str]:
    """Axes from 0, quarters marked."""
    yield f'<rect class="ground" x="{_LEFT}" y="{_TOP}" width="{_ACROSS}" height="{_DOWN}"/>'
    for quarter in range(5):
        x, y = _LEFT + _ACROSS * quarter / 4, _TOP + _DOWN * (4 - quarter) / 4
        yield f'<path class="grid" d="M{_LEFT} {y:.1f}h{_ACROSS}M{x:.1f} {_TOP}v{_DOWN}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y:.1f}" dy="0.35em" text-anchor="end">{top * quarter / 4:.3g}</text>'
        yield f'<text x="{x:.1f}" y="{_TOP + _DOWN + 16}" text-anchor="middle">{right * quarter / 4:g}</text>'
    yield f'<text x="{_LEFT + _ACROSS / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
    yield f'<text transform="translate(14 {_TOP + _DOWN / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>'


def _legend(names: Sequence[str]) -> Iterator[str]:
    for place, (kind, name) in enumerate(zip(("first", "second"), names, strict=False)):
        y = _TOP + 12 + 20 * place
        yield f'<rect class="{kind}" x="{_LEFT + 14}" y="{y}" width="12" height="12"/>'
        yield f'<text x="{_LEFT + 32}" y="{y + 10}">{escape(name)}</text>'
