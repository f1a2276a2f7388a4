"""Statistics of an archive as one SVG document: bars and lines with axes, in the colours that the reader prefers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import floor, log10
from typing import NamedTuple

from ..archive.insights.periods import PeriodStatistics
from ..archive.insights.statistics import ArchiveStatistics
from ..text import plural, printable, whole
from .wrap import clip

WIDTH, PANEL = 760, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 20, 46, 40
_ACROSS, _DOWN = WIDTH - _LEFT - _RIGHT, PANEL - _TOP - _BOTTOM
_HEADER, _ROW, _NAMES = 56, 24, 190
_TICKS = 4  # lines above the axis, about
_LABEL = 66  # pixels that a date needs
_HELPERS = 12
_STYLE = """
svg { background: #ffffff; font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
text { fill: #3c4149; } .title { fill: #16181d; font-size: 14px; font-weight: 600; } .head { font-size: 18px; }
.grid { stroke: #e3e6ea; } .axis { stroke: #8a909a; } .bar { fill: #3f74b5; } .first { fill: #3f74b5; stroke: #3f74b5; }
.second { fill: #c9722b; stroke: #c9722b; } path.first, path.second { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
svg { background: #17191e; } text { fill: #b9bec7; } .title { fill: #eceef1; } .grid { stroke: #2b2f37; }
.axis { stroke: #6d737e; } .bar { fill: #6aa3e6; } .first { fill: #6aa3e6; stroke: #6aa3e6; }
.second { fill: #e69a57; stroke: #e69a57; } path.first, path.second { fill: none; }
}
"""


class Series(NamedTuple):
    """A line of a plot; None is a gap."""

    name: str
    values: Sequence[float | None]


def statistics_svg(figures: ArchiveStatistics, period: str = "week", title: str = "") -> str:
    """Messages and times by period and by hour of the day, and who helps most."""
    by_period, by_hour = figures.periods, _all_hours(figures.hours)
    days, hours = [each.name for each in by_period], [each.name for each in by_hour]
    panels = [
        _bars(f"Messages per {period}", days, [each.messages for each in by_period]),
        _lines(f"Median minutes by {period} of the question", days, _waits(by_period)),
        _bars("Messages by hour of the day", hours, [each.messages for each in by_hour]),
        _lines("Median minutes by hour of the question", hours, _waits(by_hour)),
    ]
    body = [f'<g transform="translate(0 {_HEADER + place * PANEL})">{panel}</g>' for place, panel in enumerate(panels)]
    top = _HEADER + len(panels) * PANEL
    shown = figures.helpers[:_HELPERS]
    body.append(f'<g transform="translate(0 {top})">{_rows([(each.name, each.questions) for each in shown])}</g>')
    height = top + _TOP + _ROW * max(len(shown), 1) + 16
    heading = _plain(title or "Archive") + (f", {figures.first} to {figures.last}" if figures.first else "")
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{heading}"><style>{_STYLE}</style>'
    return "\n".join([start, f'<text class="title head" x="20" y="34">{heading}</text>', *body, "</svg>", ""])


def _all_hours(hours: Sequence[PeriodStatistics]) -> list[PeriodStatistics]:
    """24 hours, also those in which nobody writes; none for an archive without times."""
    known = {each.name: each for each in hours}
    names = [f"{hour:02}" for hour in range(24)]
    return [known.get(name, PeriodStatistics(name)) for name in names] if known else []


def _waits(groups: Sequence[PeriodStatistics]) -> list[Series]:
    return [
        Series("to the first reply", [each.minutes_to_reply for each in groups]),
        Series("to the confirmation", [each.minutes_to_confirmation for each in groups]),
    ]


def _bars(title: str, names: Sequence[str], values: Sequence[int]) -> str:
    top, step = _scale(max(values, default=0))
    slot = _ACROSS / max(len(names), 1)
    body = [*_frame(title, names, top, step)]
    for place, (name, value) in enumerate(zip(names, values, strict=True)):
        high = _DOWN * value / top
        box = f'x="{_LEFT + (place + 0.1) * slot:.1f}" y="{_TOP + _DOWN - high:.1f}" width="{0.8 * slot:.1f}"'
        body.append(f'<rect class="bar" {box} height="{high:.1f}"><title>{name}: {value:,}</title></rect>')
    return "\n".join(body)


def _lines(title: str, names: Sequence[str], series: Sequence[Series]) -> str:
    top, step = _scale(max((value for each in series for value in each.values if value is not None), default=0))
    body = [*_frame(title, names, top, step)]
    for kind, each, x in zip(("first", "second"), series, (WIDTH - 330, WIDTH - 170), strict=True):
        body.append(
            f'<rect class="{kind}" x="{x}" y="17" width="10" height="10"/><text x="{x + 16}" y="26">{each.name}</text>'
        )
        body += _line(kind, names, each, top)
    return "\n".join(body)


def _line(kind: str, names: Sequence[str], series: Series, top: float) -> Iterator[str]:
    """A line through neighbouring values and a dot for each; a gap interrupts it."""
    slot = _ACROSS / max(len(names), 1)
    path, is_open = "", False
    for place, value in enumerate(series.values):
        if value is None:
            is_open = False
            continue
        x, y = _LEFT + (place + 0.5) * slot, _TOP + _DOWN * (1 - value / top)
        path += f"{'L' if is_open else 'M'}{x:.1f} {y:.1f}"
        is_open = True
        title = f"<title>{names[place]}: {value:g}</title>"
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="2.5">{title}</circle>'
    if path:
        yield f'<path class="{kind}" d="{path}"/>'


def _frame(title: str, names: Sequence[str], top: float, step: float) -> Iterator[str]:
    """The title, horizontal lines with their values, and as many names as there is room for."""
    yield f'<text class="title" x="20" y="27">{escape(title)}</text>'
    for number in range(round(top / step) + 1):
        y = _TOP + _DOWN * (1 - number * step / top)
        yield f'<path class="{"grid" if number else "axis"}" d="M{_LEFT} {y:.1f}h{_ACROSS}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number * step:,g}</text>'
    slot = _ACROSS / max(len(names), 1)
    every = max(1, round((_LABEL if names and len(names[0]) > 2 else 24) / slot + 0.5))
    for place in range(0, len(names), every):
        x = _LEFT + (place + 0.5) * slot
        yield f'<text x="{x:.1f}" y="{_TOP + _DOWN + 18}" text-anchor="middle">{names[place]}</text>'


def _rows(helpers: Sequence[tuple[str, int]]) -> str:
    """Who replies to most questions, a bar each."""
    body = ['<text class="title" x="20" y="27">Questions replied to, by person</text>']
    most = max((count for _, count in helpers), default=1)
    for place, (name, count) in enumerate(helpers):
        y, wide = _TOP + place * _ROW, (WIDTH - _NAMES - 80) * count / most
        body.append(f'<text x="{_NAMES - 10}" y="{y + 13}" text-anchor="end">{_plain(clip(name, 22))}</text>')
        title = f"<title>{_plain(name)}: {plural(count, 'question')}</title>"
        body.append(f'<rect class="bar" x="{_NAMES}" y="{y}" width="{wide:.1f}" height="{_ROW - 6}">{title}</rect>')
        body.append(f'<text x="{_NAMES + wide + 8:.1f}" y="{y + 13}">{count:,}</text>')
    return "\n".join(body)


def _scale(highest: float) -> tuple[float, float]:
    """The top of an axis and the step of its lines: 1, 2 or 5 times a power of ten."""
    if highest <= 0:
        return 1.0, 1.0
    power = 10.0 ** floor(log10(highest / _TICKS))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power * _TICKS >= highest * 0.999)
    return step * -(-highest // step), step


def _plain(text: str) -> str:
    return escape(printable(whole(text)))
