"""Pages that irclog2html made: table rows or paragraphs, the full time in the anchor when the log had it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.lines import text_of
from ...input.source import Source, rewindable
from ...parsing.html import Node, parse
from ...parsing.path_names import chat_name, date_in, name_from_path
from ...report import Report
from ...times.clock import Clock
from .events import Event, action, known, system
from .timestamps import read_day, read_stamp

_ANCHOR = re.compile(r"t(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?|\d\d:\d\d(?::\d\d)?)(?:-\d+)?$")
_EVENTS = ("action", "join", "part", "nickchange", "servermsg", "other")
_MARK = re.compile(r"(?:\*\*\*|---|-->|<--|-!-)\s+")
_TITLE = re.compile(r"<title>[^<]*?([#&](?!\w+;)[^\s<:,]+)", re.IGNORECASE)
_GENERATOR = re.compile(r"<meta\b[^<>]*\birclog2html\b|<!--(?:(?!-->)[^<])*\birclog2html\b", re.IGNORECASE)
_TABLE = re.compile(r'<(?:table|div)\b[^<>]*\bclass="irclog"', re.IGNORECASE)
_NICK = re.compile(r"<(.+)>$")


def _sniff(sample: Sample) -> Clue | None:
    if not sample.is_markup:
        return None
    if _GENERATOR.search(sample.text):
        return Clue(1.0, "says that irclog2html made it")
    if _TABLE.search(sample.text):
        return Clue(0.9, "has a table of class irclog")
    # Anybody may mention the program in the messages of another page, so the name alone must not outweigh its format.
    return Clue(0.5, "mentions irclog2html") if "irclog2html" in sample.text else None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    kept = rewindable(source)
    titled = _TITLE.search(Sample(kept).text)
    name = chat_name(source.name) or (titled[1] if titled else name_from_path(source.name))
    yield Stream(name, lambda first, report: _messages(kept, options, first, report))


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    page = parse(text_of(source))
    title = page.first("title")
    clock = Clock(options.date or date_in(source.name) or read_day(title.text() if title else ""), options.timezone)
    count = first
    for row in _rows(page):
        report.total += 1
        event = _row(row)
        if event is None:
            report.skip(source.name, row.line, "not a row of the log")
            continue
        when, shown = _time(row, clock)
        yield Message(str(count), when, event.author, event.text, event.kind, (), shown)
        count += 1
    if count == first:
        raise WrongFormat(source.name, "irclog2html", "no row of a log is in it")


def _rows(page: Node) -> Iterator[Node]:
    """Table rows or paragraphs; in the plainest style, what stands between two line breaks."""
    tags = ("tr", "p") if page.first("tr") or page.first("p") else ("tt",)
    for node in page.walk():
        if node.tag == "tt" and "tt" in tags:
            yield from _between_breaks(node)
        elif node.tag in tags:
            yield node


def _between_breaks(block: Node) -> Iterator[Node]:
    row = Node("line", line=block.line)
    for child in block.children:
        if isinstance(child, Node) and child.tag == "br":
            yield row
            row = Node("line", line=child.line)
        else:
            row.children.append(child)
    yield row


def _row(row: Node) -> Event | None:
    nick, text = row.first(of_class="nick"), row.first(of_class="text")
    if nick is not None and text is not None:
        name = clean(nick.text())
        bracketed = _NICK.match(name)
        return Event(bracketed[1] if bracketed else name, clean(text.text()), "message")
    for kind in _EVENTS:
        cell = row.first(of_class=kind)
        if cell is not None:
            return _event(kind, clean(_without_time(cell).text()))
    return _plain_row(row)


def _event(kind: str, said: str) -> Event:
    if said.startswith("* "):
        return known(said[2:]) or action(said[2:])
    return system(_MARK.sub("", said, count=1))


def _plain_row(row: Node) -> Event | None:
    """The older styles, which had no classes: a heading cell with the nick and a cell with the text, or a line."""
    if row.tag == "line":
        return _line(clean(row.text()))
    nick, text = row.first("th"), row.first("td")
    if row.tag != "tr" or text is None:
        return None
    said = clean(text.text())
    return Event(clean(nick.text()), said, "message") if nick is not None else _event("other", said)


def _line(said: str) -> Event | None:
    if found := re.match(r"<([^>]+)> ?(.*)", said, re.DOTALL):
        return Event(found[1], found[2], "message")
    return _event("other", said) if said.startswith(("* ", "***", "---", "-->", "<--")) else None


def _without_time(cell: Node) -> Node:
    kept = [child for child in cell.children if isinstance(child, str) or "time" not in child.classes()]
    return Node(cell.tag, cell.attributes, cell.line, kept)


def _time(row: Node, clock: Clock) -> tuple[datetime | None, time | None]:
    anchor = _ANCHOR.match(row.attributes.get("id", ""))
    if anchor:
        return read_stamp(anchor[1], clock)
    shown = row.first(of_class="time")
    return read_stamp(shown.text(), clock) if shown is not None else (None, None)


FORMAT = Format("irclog2html", _sniff, _read)
