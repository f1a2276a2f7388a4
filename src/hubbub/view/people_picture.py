"""Who talks to and about whom as a picture: people on a circle, an arrow for each kind of talk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin, sqrt
from typing import NamedTuple
from xml.sax.saxutils import escape

from ..people.reports.interactions import InteractionPair, Interactions, Participant
from ..text import plural
from .style import Colours, rgb
from .wrap import clip, drawable_line

MOST_PEOPLE = 24

_WIDTH, _TOP, _FOOT = 960, 84, 96
_BACKGROUND, _FRAME, _TEXT, _QUIET = "#1c1e24", "#3a3e48", "#d4d7dd", "#8b909c"
_TO, _ABOUT = "#6aa5e8", "#e2a154"
_FONTS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', 'Liberation Sans', sans-serif"
_THIN, _THICK, _STEP = 1.2, 8.0, 1.2
_DOT, _LARGEST = 7.0, 22.0


class _Node(NamedTuple):
    x: float
    y: float
    angle: float
    size: float


class _Arrow(NamedTuple):
    pair: InteractionPair
    messages: int
    is_about: bool


def talk_picture(talk: Interactions) -> str:
    """A whole SVG document; of very many people the busiest are shown, and how many are left out is said."""
    chosen = _chosen(talk)
    radius = 190.0 + 6 * max(len(chosen) - 8, 0)
    height = round(2 * radius + _TOP + _FOOT + 2 * _LARGEST + 40)
    nodes = _nodes(chosen, radius, height)
    arrows = _arrows(talk, nodes)
    most = max((arrow.messages for arrow in arrows), default=1)
    body = [*_frame(talk, len(chosen), height)]
    for arrow in arrows:
        body += _drawn(arrow, nodes, most, {each.person.id: each.name for each in chosen})
    body += [line for each in chosen for line in _person(each, nodes[each.person.id])]
    body += _legend(height, most, any(not each.messages for each in chosen))
    return "\n".join([*body, "</g>", "</svg>", ""])


def _chosen(talk: Interactions) -> list[Participant]:
    """The busiest people, those who have most to do with each other side by side."""
    busiest = sorted(talk.people, key=lambda each: -each.messages - each.met)[:MOST_PEOPLE]
    waiting = {each.person.id: each for each in busiest}
    ties: dict[frozenset[str], int] = {}
    for pair in talk.pairs:
        both = frozenset((pair.one, pair.other))
        ties[both] = ties.get(both, 0) + pair.to + pair.about
    placed: list[Participant] = []
    while waiting:
        last = placed[-1].person.id if placed else ""
        nearest = max(waiting, key=lambda id: ties.get(frozenset((last, id)), 0))
        placed.append(waiting.pop(nearest))
    return placed


def _nodes(people: Sequence[Participant], radius: float, height: int) -> Mapping[str, _Node]:
    most = max((each.messages for each in people), default=0) or 1
    middle = _TOP + (height - _TOP - _FOOT) / 2
    found = {}
    for number, each in enumerate(people):
        angle = 2 * pi * number / len(people) - pi / 2
        size = _DOT + (_LARGEST - _DOT) * sqrt(each.messages / most)
        found[each.person.id] = _Node(_WIDTH / 2 + radius * cos(angle), middle + radius * sin(angle), angle, size)
    return found


def _arrows(talk: Interactions, nodes: Mapping[str, _Node]) -> list[_Arrow]:
    """The weakest first, so that the strongest lie on top."""
    shown = [pair for pair in talk.pairs if pair.one in nodes and pair.other in nodes]
    both = [
        _Arrow(pair, count, about) for pair in shown for about, count in ((False, pair.to), (True, pair.about)) if count
    ]
    return sorted(both, key=lambda arrow: arrow.messages)


def _drawn(arrow: _Arrow, nodes: Mapping[str, _Node], most: int, names: Mapping[str, str]) -> Iterator[str]:
    one, other = nodes[arrow.pair.one], nodes[arrow.pair.other]
    wide = _wide(arrow.messages, most)
    colour, dashes = (_ABOUT, _dashes(wide)) if arrow.is_about else (_TO, "")
    bend_x, bend_y = _bend(one, other, 0.34 if arrow.is_about else 0.16)
    start_x, start_y = _edge(one, bend_x, bend_y, 2)
    tip_x, tip_y = _edge(other, bend_x, bend_y, 3)
    head = 5 + 1.5 * wide
    end_x, end_y = _edge(other, bend_x, bend_y, 3 + 0.8 * head)
    opacity = 0.35 + 0.6 * min(arrow.messages / most * 2, 1)
    word = "speaks about" if arrow.is_about else "speaks to"
    title = f"{names[arrow.pair.one]} {word} {names[arrow.pair.other]}: {plural(arrow.messages, 'message')}"
    curve = f"M{start_x:.1f} {start_y:.1f}Q{bend_x:.1f} {bend_y:.1f} {end_x:.1f} {end_y:.1f}"
    yield f'<g opacity="{opacity:.2f}"><title>{_shown(title)}</title>'
    yield f'<path d="{curve}" fill="none" stroke="{colour}" stroke-width="{wide:.1f}"{dashes}/>'
    yield f'{_head(tip_x, tip_y, end_x, end_y, head)} fill="{colour}"/></g>'


def _wide(messages: int, most: int) -> float:
    """How wide an arrow is: a step a message, smaller steps where there are many."""
    return _THIN + (messages - 1) * min(_STEP, (_THICK - _THIN) / max(most - 1, 1))


def _dashes(wide: float) -> str:
    return f' stroke-dasharray="{4 + 2 * wide:.1f} {3 + wide:.1f}"'


def _bend(one: _Node, other: _Node, side: float) -> tuple[float, float]:
    """Where the curve is drawn to: beside the middle, to the right of the way, so that there and back lie apart."""
    across, down = other.x - one.x, other.y - one.y
    return (one.x + other.x) / 2 - side * down, (one.y + other.y) / 2 + side * across


def _edge(node: _Node, x: float, y: float, gap: float) -> tuple[float, float]:
    """The point at that distance from a node's rim, towards another point."""
    far = hypot(x - node.x, y - node.y) or 1.0
    step = (node.size + gap) / far
    return node.x + step * (x - node.x), node.y + step * (y - node.y)


def _head(tip_x: float, tip_y: float, from_x: float, from_y: float, size: float) -> str:
    long = hypot(tip_x - from_x, tip_y - from_y) or 1.0
    across, down = (tip_x - from_x) / long, (tip_y - from_y) / long
    base_x, base_y, half = tip_x - size * across, tip_y - size * down, size / 2
    return (
        f'<path d="M{tip_x:.1f} {tip_y:.1f}L{base_x - half * down:.1f} {base_y + half * across:.1f}'
        f'L{base_x + half * down:.1f} {base_y - half * across:.1f}Z"'
    )


def _person(each: Participant, node: _Node) -> Iterator[str]:
    """A dot as large as the person says much, hollow for who says nothing, and the name outside the circle."""
    colour = rgb(Colours().of(each.person.id))
    look = f'fill="{colour}"' if each.messages else f'fill="{_BACKGROUND}" stroke="{colour}" stroke-width="2"'
    title = f"{each.name}: {plural(each.messages, 'message')} said, talked to or about in {each.met:,}"
    place = f'cx="{node.x:.1f}" cy="{node.y:.1f}" r="{node.size:.1f}"'
    yield f"<circle {place} {look}><title>{_shown(title)}</title></circle>"
    away = node.size + 9
    x, y = node.x + away * cos(node.angle), node.y + away * sin(node.angle)
    slant = cos(node.angle)
    anchor = "middle" if abs(slant) < 0.2 else "start" if slant > 0 else "end"
    y += 5 + 7 * sin(node.angle)
    yield f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_shown(clip(drawable_line(each.name), 22))}</text>'


def _frame(talk: Interactions, shown: int, height: int) -> Iterator[str]:
    title = _shown(drawable_line(talk.chat))
    people = plural(len(talk.people), "person", "people")
    facts = people if shown == len(talk.people) else f"the busiest {shown} of {people}"
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">'
    yield f"<title>Who talks to and about whom in {title}</title>"
    yield (
        f'<rect x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="10" fill="{_BACKGROUND}" '
        f'stroke="{_FRAME}"/>'
    )
    yield f'<g font-family="{_FONTS}" font-size="14" fill="{_TEXT}">'
    yield f'<text x="28" y="40" font-size="18" font-weight="bold">{title}</text>'
    yield f'<text x="28" y="62" fill="{_QUIET}">who talks to and about whom · {facts}</text>'


def _legend(height: int, most: int, with_absent: bool) -> Iterator[str]:
    y = height - 34
    kinds = ((28, _TO, "", "talks to"), (170, _ABOUT, _dashes(3), "talks about"))
    for x, colour, dashes, word in kinds:
        yield f'<path d="M{x} {y}h40" stroke="{colour}" stroke-width="3"{dashes}/>'
        yield f'<text x="{x + 50}" y="{y + 5}">{word}</text>'
    x = 340
    for count in sorted({1, most}):
        yield f'<path d="M{x} {y}h40" stroke="{_QUIET}" stroke-width="{_wide(count, most):.1f}"/>'
        yield f'<text x="{x + 50}" y="{y + 5}" fill="{_QUIET}">{plural(count, "message")}</text>'
        x += 150
    if with_absent:
        yield f'<circle cx="{x + 20}" cy="{y}" r="6" fill="none" stroke="{_QUIET}" stroke-width="2"/>'
        yield f'<text x="{x + 36}" y="{y + 5}" fill="{_QUIET}">says nothing here</text>'


def _shown(text: str) -> str:
    return escape(drawable_line(text))
