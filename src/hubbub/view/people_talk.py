"""Who talks to and about whom, as others take it: a table to look at, JSON lines, CSV, and GraphML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from ..cells import Cells
from ..people.talk import Talk
from ..pipe import dump
from ..text import plural
from .style import QUIET, STRONG, Colours, Line, Span, Style
from .wrap import clip, display_width, drawable_line

COLUMNS = ("chat", "from", "to", "talks_to", "talks_about")

_BAR, _NAME = 24, 20
_TO, _ABOUT = "█", "░"
_KEYS = (
    ("name", "node", "string"),
    ("messages", "node", "int"),
    ("present", "node", "boolean"),
    ("kind", "edge", "string"),
    ("weight", "edge", "int"),
)


def draw_talk(talk: Talk, width: int) -> Iterator[Line]:
    """The pairs, busiest first, with a bar whose full part is talking to and whose light part is talking about."""
    names = {each.person.id: drawable_line(each.name) for each in talk.people}
    room = min(max((display_width(name) for name in names.values()), default=4), _NAME, max((width - 24) // 2, 6))
    longest = max((pair.to + pair.about for pair in talk.pairs), default=1)
    bar = max(min(_BAR, width - 2 * room - 22), 0)
    yield ()
    yield Span(" "), Span(clip(drawable_line(talk.chat), width - 2), STRONG)
    facts = plural(len(talk.people), "person", "people"), plural(len(talk.pairs), "pair")
    yield Span(" "), Span(clip(" · ".join((*facts, f"messages {_TO} to, {_ABOUT} about")), width - 2), QUIET)
    yield ()
    yield (Span(f" {'who':<{room}}    {'whom':<{room}}  {'to':>5}  {'about':>5}", QUIET),)
    colours = Colours()
    for pair in talk.pairs:
        one, other = (_padded(names[id], room) for id in (pair.one, pair.other))
        full, light = (round(bar * count / longest) for count in (pair.to, pair.about))
        counts = Span(f"  {pair.to or '·':>5}  {pair.about or '·':>5}  ")
        bars = Span(_TO * full + _ABOUT * light, QUIET)
        look, whom = (Style(colours.of(id)) for id in (pair.one, pair.other))
        yield Span(" "), Span(one, look), Span(" →  ", QUIET), Span(other, whom), counts, bars


def _padded(name: str, room: int) -> str:
    shown = clip(name, room)
    return shown + " " * (room - display_width(shown))


def write_jsonl(talks: Iterable[Talk], out: TextIO) -> None:
    for talk in talks:
        out.writelines(dump(record) + "\n" for record in talk.records())


def write_csv(talks: Iterable[Talk], out: TextIO, spreadsheet_safe: bool = False) -> None:
    table = Cells(out, spreadsheet_safe=spreadsheet_safe)
    table.row(COLUMNS)
    for talk in talks:
        table.rows(record.values() for record in talk.records())


def write_graphml(talks: Iterable[Talk], out: TextIO) -> None:
    """A directed graph a chat; two people have an edge for each kind of talk, weighed by its messages."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name, of, kind in _KEYS:
        out.write(f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n')
    for talk in talks:
        out.write(f'  <graph id={_value(talk.chat)} edgedefault="directed">\n')
        out.writelines(f"    {line}\n" for line in (*_nodes(talk), *_edges(talk)))
        out.write("  </graph>\n")
    out.write("</graphml>\n")


def _nodes(talk: Talk) -> Iterator[str]:
    for each in talk.people:
        facts = {"name": each.name, "messages": each.messages, "present": "true" if each.messages else "false"}
        yield f"<node id={_value(each.person.id)}>{_data(facts)}</node>"


def _edges(talk: Talk) -> Iterator[str]:
    for pair in talk.pairs:
        ends = f"source={_value(pair.one)} target={_value(pair.other)}"
        for kind, weight in (("to", pair.to), ("about", pair.about)):
            if weight:
                yield f"<edge {ends}>{_data({'kind': kind, 'weight': weight})}</edge>"


def _data(facts: dict[str, object]) -> str:
    return "".join(f'<data key="{key}">{escape(drawable_line(str(value)))}</data>' for key, value in facts.items())


def _value(text: str) -> str:
    return quoteattr(drawable_line(text))


WRITERS: dict[str, Callable[..., None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "graphml": write_graphml,
}
