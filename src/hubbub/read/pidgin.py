"""Pidgin and Gaim: (04:00:50 PM) nick: text below a line that names the conversation, as text or as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from ..chat import Message
from ..errors import WrongFormat
from ..text import clean
from .clock import Clock
from .format import Clue, Format, Options, Report, Sample, Stream
from .html import Node, parse
from .irc.engine import Dialect
from .irc.events import Event, system
from .irc.stamps import STAMP, is_month_first, read_day, read_stamp
from .lines import text_of
from .names import date_in, fallback_name
from .source import Source, rewindable

_HEADING = re.compile(
    r"\s*Conversation with (?P<name>.+?) at (?P<when>[^<>]*?\d[^<>]*?) on (?P<account>\S[^<>]*?) \((?P<protocol>[\w-]+)\)"
)
_SESSION = re.compile(r"---- .*? @ (.*\d{4}.*?) ----\s*$")
# A line that nobody said may have a colon too.
_NOTICES = r"(?:The topic |Unable |Error\b|Transfer |File |Offering |Starting |Message could not |[^:]{1,60} has |\()"
_LINE = re.compile(
    rf"(?:\(({STAMP})\) ?(?:(?!{_NOTICES})([^\s:*][^:]{{0,79}}?)(?: <AUTO-REPLY>)?:(?=\s|$) ?(.*)|\*\*\*(\S+) ?(.*))?)?"
)
_STAMPED = re.compile(rf"\s*\(({STAMP})\)")
_WHISPER = re.compile(r"\*([^\s*]+)\* (.*)", re.DOTALL)
_NICK = re.compile(r"(\*\*\*)?(.*?)(?: <AUTO-REPLY>)?(:)?$", re.DOTALL)


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _HEADING.match(rest):
        if clock.day is None and (day := _day(found["when"], clock.month_first)):
            clock.told(day)
        return Event("", rest.strip())
    if found := _SESSION.match(rest):
        if day := _day(found[1], clock.month_first):
            clock.told(day)
        return Event("", rest.strip("- "))
    if found := _WHISPER.match(rest):
        return Event(found[1], found[2], "message")
    return None


def _day(when: str, month_first: bool) -> date | None:
    """The day of a heading; where clocks have two halves, the month comes first."""
    return read_day(when, None, month_first or bool(re.search(r"\d [AP]M\b", when)))


_DIALECT = Dialect(
    "pidgin", _LINE, _event, re.compile(r"^Conversation with .+ at .*\d.* on .+ \([\w-]+\)$"), multiline=True
)


def _sniff(sample: Sample) -> Clue | None:
    if not sample.is_markup:
        return _DIALECT.sniff(sample)
    if re.search(r"<title>\s*Conversation with [^<]+ at [^<]*\d[^<]* on [^<]+ \([\w-]+\)\s*</title>", sample.text):
        return Clue(0.98, "its title names a conversation of Pidgin")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    sample = Sample(source)
    text = sample.text.partition("<title>")[2].partition("</title>")[0] if sample.is_markup else sample.text
    heading = _HEADING.match(text) if sample.is_markup else _HEADING.search(text)
    name = clean(parse(heading["name"]).text()) if heading else fallback_name(source.name)
    identity = f"{heading['protocol']}/{clean(heading['account'])}" if heading else ""
    if not sample.is_markup:
        yield Stream(name, lambda first, report: _DIALECT.messages(source, options, first, report), identity=identity)
        return
    yield Stream(name, lambda first, report: _page(source, options, first, report), identity=identity)


def _page(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    page = parse(text_of(source))
    title = page.first("title")
    heading = _HEADING.match(title.text()) if title else None
    month_first = is_month_first(Sample(source).text)
    day = options.date or date_in(source.name) or (_day(heading["when"], month_first) if heading else None)
    clock = Clock(day, options.timezone)
    clock.month_first = month_first
    count = first
    for record in _records(page.first("body") or page):
        report.total += 1
        said = clean(record.text())
        stamp = _STAMPED.match(said)
        if not stamp:
            report.skip(source.name, record.line, "a heading")
            continue
        when, shown = read_stamp(stamp[1], clock)
        author, text, kind = _said(record, said[stamp.end() :].strip())
        yield Message(str(count), when, author, text, kind, (), shown)
        count += 1
    if count == first:
        raise WrongFormat(source.name, "pidgin", "nothing in it has a time in round brackets")


def _records(body: Node) -> Iterator[Node]:
    """What begins with a time, up to the next such; and headings, each by itself."""
    record: Node | None = None
    for child in body.children:
        begins = isinstance(child, Node) and _STAMPED.match(child.text())
        heading = isinstance(child, Node) and child.tag in ("h1", "h2", "h3")
        if begins or heading or (record is None and not _blank(child)):
            if record is not None:
                yield record
            record = Node("record", line=child.line if isinstance(child, Node) else body.line)
        if record is not None:
            record.children.append(child)
    if record is not None:
        yield record


def _blank(child: Node | str) -> bool:
    return not (child if isinstance(child, str) else child.text()).strip()


def _said(record: Node, text: str) -> Event:
    """Bold words right behind the time are a nick with a colon, an actor with stars, or what nobody said."""
    bold = record.first("b")
    name = clean(bold.text()) if bold else ""
    if bold is None or not name or not text.startswith(name):
        return system(text)
    found = _NICK.match(name)
    assert found, "every part of the pattern is optional"
    rest = text[len(name) :].strip()
    if found[1]:
        return Event(found[2], rest, "action")
    return Event(found[2], rest, "message") if found[3] else system(text)


FORMAT = Format("pidgin", _sniff, _read)
