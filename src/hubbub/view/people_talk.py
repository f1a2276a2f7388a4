"""Who talks to and about whom, as others take it: a table to look at, JSON lines, CSV, and GraphML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from ..csv_output import CsvWriter
from ..jsonl import dump
from ..people.reports.interactions import Interactions
from ..text import plural
from .style import QUIET, STRONG, Colours, Line, Segment, style_of
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


def draw_talk(talk: Interactions, width: int) -> Iterator[Line]:
    """The pairs, busiest first, with a bar whose full part is talking to and whose light part is talking about."""
    names = {each.person.id: drawable_line(each.name) for each in talk.people}
    column = min(max((display_width(name) for name in names.values()), default=4), _NAME, max((width - 24) // 2, 6))
    longest = max((pair.to + pair.about for pair in talk.pairs), default=1)
    bar = max(min(_BAR, width - 2 * column - 22), 0)
    yield ()
    yield Segment(" "), Segment(clip(drawable_line(talk.chat), width - 2), STRONG)
    facts = plural(len(talk.people), "person", "people"), plural(len(talk.pairs), "pair")
    yield Segment(" "), Segment(clip(" · ".join((*facts, f"messages {_TO} to, {_ABOUT} about")), width - 2), QUIET)
    yield ()
    yield (Segment(f" {'who':<{column}}    {'whom':<{column}}  {'to':>5}  {'about':>5}", QUIET),)
    colours = Colours()
    for pair in talk.pairs:
        one, other = (_padded(names[id], column) for id in (pair.one, pair.other))
        full, light = (round(bar * count / longest) for count in (pair.to, pair.about))
        counts = Segment(f"  {pair.to or '·':>5}  {pair.about or '·':>5}  ")
        bars = Segment(_TO * full + _ABOUT * light, QUIET)
        look, whom = (style_of(colours.of(id)) for id in (pair.one, pair.other))
        yield Segment(" "), Segment(one, look), Segment(" →  ", QUIET), Segment(other, whom), counts, bars


def _padded(name: str, column: int) -> str:
    shown = clip(name, column)
    return shown + " " * (column - display_width(shown))


def write_jsonl(talks: Iterable[Interactions], out: TextIO) -> None:
    for talk in talks:
        out.writelines(dump(record) + "\n" for record in talk.records())


def write_csv(talks: Iterable[Interactions], out: TextIO, spreadsheet_safe: bool = False) -> None:
    table = CsvWriter(out, spreadsheet_safe=spreadsheet_safe)
    table.row(COLUMNS)
    for talk in talks:
        table.rows(record.values() for record in talk.records())


def write_graphml(talks: Iterable[Interactions], out: TextIO) -> None:
    """A directed graph a chat; two people have an edge for each kind of talk, weighed by its messages."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name, of, kind in _KEYS:
        out.write(f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n')
    for talk in talks:
        out.write(f'  <graph id={_value(talk.chat)} edgedefault="directed">\n')
        out.writelines(f"    {line}\n" for line in (*_nodes(talk), *_edges(talk)))
        out.write("  </graph>\n")
    out.write("</graphml>\n")


def _nodes(talk: Interactions) -> Iterator[str]:
    for each in talk.people:
        facts = {"name": each.name, "messages": each.messages, "present": "true" if each.messages else "false"}
        yield f"<node id={_value(each.person.id)}>{_data(facts)}</node>"


def _edges(talk: Interactions) -> Iterator[str]:
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
