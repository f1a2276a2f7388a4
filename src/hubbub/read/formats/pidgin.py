"""Pidgin and Gaim: (04:00:50 PM) nick: text below a line that names the conversation, as text or as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta, timezone
from itertools import pairwise

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..detect.file_head import CERTAIN, Clue, Sample
from ..format import Format, Options, Stream
from ..input.lines import text_of
from ..input.source import Source, rewindable
from ..parsing.html import Node, parse
from ..parsing.path_names import date_in, fallback_name
from ..report import Report
from ..times.clock import Clock
from .irc.dialect import Dialect
from .irc.events import Event, system
from .irc.timestamps import STAMP, When, read_day, read_stamp

_HEADING = re.compile(
    r"\s*(?:Conversation with (?P<name>.{1,200}?) at (?P<when>(?=[^<>]*\d)[^<>]{3,80}?) on "
    r"(?P<account>[^\s<>][^<>]{0,200}?) \((?P<protocol>[\w-]+)\)\s*$"
    r"|System log for account (?P<owner>.{1,200}?) \((?P<service>[\w-]+)\) connected at (?P<since>.{1,120})$"
    r"|IM Sessions with (?P<other>.{1,200})$)"
)
_SESSION = re.compile(r"\s*---- .{0,500}? @ (.{0,60}?\d{4}.{0,60}?) ----\s*$")
# What nobody said may have a colon too: the topic, a reason for leaving, an error.
_NOTICES = (
    r"The topic |Unable |Error\b|Transfer |File |Offering |Starting |Message could not |List of \d+ users"
    r"|The following users|You (?:have been|were) |mode \(|\("
    r"|[^:]{1,60} (?:has |(?:left|entered) the room\b|is now known as |was kicked\b|logged (?:in|out)\b)"
)
_LINE = re.compile(
    rf"(?:\(({STAMP})\) ?(?:(?!{_NOTICES})([^\s:*](?:[^:]|:(?=\S)){{0,79}}?)(?: <AUTO-REPLY>)?:(?=\s|$) ?(.*)"
    r"|\*\*\*(\S+) ?(.*))?)?"
)
_NUMBERS = re.compile(r"\D{0,20}?(\d\d?)([/.-])(\d\d?)\2(\d{4}(?!\d)|\d\d(?=[ T,@-]+\d))")
_HALVES = re.compile(r"\d [AaPp]\.?[Mm]\b")
_EXACT = re.compile(r"\d ?[AaPp]\.?[Mm]\b|\d[-/.]\d\d?[-/.]\d")
_OFFSET = re.compile(r"\d{4}-\d\d-\d\d\.\d{6}([+-])(\d\d)(\d\d)")
_TITLE = re.compile(
    r"<title>\s*(?:Conversation with [^<]{1,200} at [^<]*\d[^<]* on [^<]+ \([\w-]+\)"
    r"|System log for account [^<]+|IM Sessions with [^<]+)</title>",
    re.IGNORECASE,
)
_TAGS = r"(?:<(?:font|span)\b[^<>]*>\s*){1,2}"
_RECORD = re.compile(
    rf"(?:^(?:<p>\s*)?|<br ?/?>\s*(?=<(?:font|span)\b)){_TAGS}\((?:{STAMP})\)|^(?:<p>\s*)?\((?:{STAMP})\)(?=\s*<b>)"
    r"|(?:<hr ?/?>\s*<br ?/?>\s*)?<h[1-3]\b[^<>]*>(?=\s*(?:Conversation with |System log for |---- ))"
    r"|^(?=---- [^<>]{0,500} @ )",
    re.IGNORECASE | re.MULTILINE,
)
_STAMPED = re.compile(rf"\(({STAMP})\)\s*")
_NICK = re.compile(r"(\*\*\*)?(.*?)(?: <AUTO-REPLY>)?(:)?$", re.DOTALL)


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _HEADING.match(rest):
        when = found["when"] or found["since"]
    elif found := _SESSION.match(rest):
        when = found[1]
    else:
        return None
    if when and (day := _day(when, clock.day)):
        clock.on(day)
    return Event("", rest.strip(" -"))


def _day(when: str, near: date | None) -> date | None:
    """The day of a heading or stamp. Of a date such as 5/6/2011 the reading is taken that is nearer to a known day.

    Where no day is known, the month comes first if the clock has two halves, as in the United States.
    """
    if not (found := _NUMBERS.match(when)):
        return read_day(when)
    if len(found[4]) == 2:
        when = f"{found[1]}/{found[3]}/20{found[4]}"
    readings = [
        day for first in (bool(_HALVES.search(found.string)), False, True) if (day := read_day(when, None, first))
    ]
    return min(readings, key=lambda day: abs(day - near) if near else timedelta(), default=None)


def _stamp(stamp: str, clock: Clock) -> When:
    if not (found := _NUMBERS.match(stamp)):
        return read_stamp(stamp, clock)
    if (day := _day(stamp, clock.day)) and day != clock.day:
        clock.on(day)
    return read_stamp(stamp[found.end() :].strip(" T@-"), clock)


_DIALECT = Dialect(
    "pidgin",
    _LINE,
    _event,
    re.compile(r"^Conversation with .{1,200} at .{0,60}\d.{0,60} on .{1,200} \([\w-]+\)$"),
    stamp=_stamp,
    multiline=True,
)


def _sniff(sample: Sample) -> Clue | None:
    if sample.is_markup:
        return Clue(0.98, "its title names a conversation of Pidgin") if _TITLE.search(sample.text) else None
    first = sample.clean_lines[0] if sample.lines else ""
    if _HEADING.match(first) or (_SESSION.match(first) and "New Conversation" in first):
        return Clue(CERTAIN, "its first line names a conversation of Pidgin")
    # Without its heading it looks as a transcript does, whose times are offsets and have neither a half nor a date.
    exact = sum(1 for line in sample.clean_lines if (stamp := _DIALECT.stamp_in(line)) and _EXACT.search(stamp))
    return (replace(_DIALECT, plain=0.7) if 3 * exact > len(sample.lines) else _DIALECT).sniff(sample)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    sample = Sample(source)
    options = replace(options, timezone=options.timezone or _zone(source.name))
    heading = _HEADING.match(_title(sample))
    name = (heading["name"] or heading["other"] or f"system log of {heading['owner']}") if heading else ""
    identity = "/".join(filter(None, (heading["protocol"], heading["account"]))) if heading else ""
    messages = _page if sample.is_markup else _DIALECT.messages
    yield Stream(
        name or fallback_name(source.name),
        lambda first, report: messages(source, options, first, report),
        identity=identity,
    )


def _title(sample: Sample) -> str:
    if not sample.is_markup:
        return sample.clean_lines[0] if sample.lines else ""
    found = _TITLE.search(sample.text)
    return clean(parse(found[0][len("<title>") : -len("</title>")]).text()) if found else ""


def _zone(name: str) -> timezone | None:
    """The offset from UTC in a file name such as 2011-05-06.160050+0200CEST.txt."""
    found = _OFFSET.search(name)
    if not found or int(found[2]) > 23 or int(found[3]) > 59:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return timezone(-offset if found[1] == "-" else offset)


def _page(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    clock = Clock(options.date or date_in(source.name), options.timezone)
    count = first
    for line, record in _records(text_of(source)):
        text = clean(record.text())
        if not text:
            continue
        report.total += 1
        stamp = _STAMPED.match(text)
        event = _said(record, text[stamp.end() :]) if stamp else _event(text, clock)
        if event is None:
            report.unexplain(source.name, line, "neither a time nor a heading")
            continue
        when, shown = _stamp(stamp[1], clock) if stamp else (None, None)
        yield Message(str(count), when, event.author, event.text, event.kind, (), shown)
        count += 1
    if count == first:
        raise WrongFormat(source.name, "pidgin", "nothing in it has a time in round brackets")


def _records(page: str) -> Iterator[tuple[int, Node]]:
    """What begins with a time or a heading, up to the next such, each parsed by itself: tags are often left open."""
    starts = [0, *(found.start() for found in _RECORD.finditer(page)), len(page)]
    line = 1
    for start, end in pairwise(starts):
        part = page[start:end]
        yield line + part[: len(part) - len(part.lstrip())].count("\n"), parse(part)
        line += part.count("\n")


def _said(record: Node, text: str) -> Event:
    """Bold words right behind the time are a nick with a colon, an actor with stars, or what nobody said."""
    bold = record.first("b")
    name = clean(bold.text()) if bold else ""
    if not name or not text.startswith(name):
        return system(text)
    found = _NICK.match(name)
    assert found, "every part of the pattern is optional"
    rest = text[len(name) :].strip()
    if found[1]:
        return Event(found[2], rest, "action")
    return Event(found[2], rest, "message") if found[3] else system(text)


FORMAT = Format("pidgin", _sniff, _read)
