"""Adium: .chatlog documents (XML), and the older logs of <div class="receive"> elements (HTML) and of plain lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time
from pathlib import PurePosixPath

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..detect.file_head import Clue, Sample
from ..format import Format, Options, Stream
from ..input.lines import text_of
from ..input.source import Source, rewindable
from ..parsing.html import Node, parse
from ..parsing.path_names import date_in, name_from_path
from ..report import Report
from ..times.clock import Clock, from_iso, placed
from .irc.dialect import NO_ACTION, Dialect
from .irc.events import Event, system
from .irc.timestamps import CLOCK, read_stamp

_CHAT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<chat\b[^>]*\bxmlns\s*=\s*[\"']http://purl\.org/net/ulf/ns/", re.IGNORECASE)
_ROW = re.compile(r'<div class="(?:send|receive)">\s*<span class="timestamp">[^<]*</span>\s*<span class="sender">')
# "pear (2012-07-08T12.31.28+0200)", "pear on 2004|9|3"
_STARTED = re.compile(r"\s*(?:\((\d{4})[-|._](\d\d?)[-|._](\d\d?)[^()]*\)|on (\d{4})[-|._](\d\d?)[-|._](\d\d?))$")
_ENDING = re.compile(r"\.(?:chatlog|xml|AdiumHTMLLog|AdiumLog|html?)$", re.IGNORECASE)
_PLAIN = re.compile(r"\.adiumlog$", re.IGNORECASE)
_STATUS_TIME = re.compile(rf"(.*?)\s*\(({CLOCK})\)$", re.DOTALL)
_STATUS_LINE = re.compile(rf"<(.*\({CLOCK}\))>$")
_SPOKEN = ("message", "action")
_TOLD = ("status", "event")
_ROWS = frozenset(("send", "receive", "status"))

Row = tuple[Event, datetime | None, time | None]


def _status(rest: str, clock: Clock) -> Event | None:
    found = _STATUS_LINE.match(rest)
    return system(found[1]) if found else None


_DIALECT = Dialect(
    "adium",
    re.compile(rf"(?:\(({CLOCK})\) ?(?:([^\s:][^:]{{0,79}}): ?(.*){NO_ACTION})?)?"),
    _status,
    re.compile(rf"^\({CLOCK}\)[^\s:][^:]{{0,79}}:\S|^<.*\({CLOCK}\)>$"),  # no blanks, unlike Pidgin and transcripts
    multiline=True,
)


def _sniff(sample: Sample) -> Clue | None:
    if _CHAT.match(sample.text[:2000]):
        return Clue(0.98, "is a chat element in Adium's namespace")
    if sample.is_markup:
        return (
            Clue(0.97, "has the send and receive elements of Adium's older logs") if _ROW.search(sample.text) else None
        )
    named = _PLAIN.search(sample.name)
    return (replace(_DIALECT, plain=0.9) if named else _DIALECT).sniff(sample)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    sample = Sample(source)
    document = sample.is_markup or _CHAT.match(sample.text[:2000])
    messages = _document if document else _DIALECT.messages
    options = replace(options, date=options.date or _started(source.name))
    yield Stream(
        _name(source), lambda first, report: messages(source, options, first, report), identity=_account(sample)
    )


def _stem(name: str) -> str:
    return _ENDING.sub("", PurePosixPath(name.replace("\\", "/")).name)


def _name(source: Source) -> str:
    """Adium names a file after the other person, with the start of the conversation in brackets."""
    stem = _stem(source.name)
    return _STARTED.sub("", stem) if _STARTED.search(stem) else name_from_path(source.name)


def _started(name: str) -> date | None:
    """The day in the file's name; its parts may have one digit."""
    found = _STARTED.search(_stem(name))
    if not found:
        return None
    year, month, day = filter(None, found.groups())
    when = from_iso(f"{year}-{int(month):02}-{int(day):02}")
    return when.date() if when else None


def _account(sample: Sample) -> str:
    chat = parse(sample.text[:2000]).first("chat")
    return "/".join(filter(None, (chat.attributes.get(key, "") for key in ("service", "account")))) if chat else ""


def _document(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    page = parse(text_of(source))
    chat = page.first("chat")
    clock = Clock(options.date or date_in(source.name), options.timezone)
    count = first
    for record in _records(chat or page.first("body") or page):
        report.total += 1
        if isinstance(record, str) or not _known(record, chat is not None):
            where = record.line if isinstance(record, Node) else 0
            report.unexplain(source.name, where, "neither a message nor an event")
            continue
        row = _element(record, clock) if chat else _row(record, clock)
        if row is None:
            report.skip(source.name, record.line, "a window was opened or closed")
            continue
        event, when, shown = row
        yield Message(str(count), when, event.author, event.text, event.kind, (), shown)
        count += 1
    if count == first and not chat:
        raise WrongFormat(source.name, "adium", "it has neither a chat element nor send and receive elements")


def _records(parent: Node) -> Iterator[Node | str]:
    """What lies right below, without the blanks between."""
    for child in parent.children:
        if isinstance(child, str):
            if child.strip():
                yield child
        elif child.tag != "head":
            yield child


def _known(record: Node, in_chat: bool) -> bool:
    return record.tag in (*_SPOKEN, *_TOLD) if in_chat else not _ROWS.isdisjoint(record.classes())


def _element(record: Node, clock: Clock) -> Row | None:
    who = clean(record.attributes.get("alias") or record.attributes.get("sender", ""))
    when = from_iso(record.attributes.get("time"))
    told = clean(record.text())
    what = clean(record.attributes.get("type", ""))
    if record.tag == "event" and not told:
        return None
    if record.tag in _SPOKEN:
        event = Event(who, told, "action" if "action" in (record.tag, what) else "message")
    else:
        event = Event(who, told or f"{who} is {what}" if what else told or who)
    return event, placed(when, clock.zone) if when else None, None


def _row(record: Node, clock: Clock) -> Row:
    stamp, sender, said = (record.first(of_class=name) for name in ("timestamp", "sender", "message"))
    if sender is not None and said is not None:
        event = Event(clean(sender.text()).removesuffix(":").strip(), clean(said.text()), "message")
        shown = clean(stamp.text()) if stamp else ""
    else:
        found = _STATUS_TIME.match(clean(record.text()))
        event, shown = system(found[1] if found else clean(record.text())), found[2] if found else ""
    return event, *(read_stamp(shown, clock) if shown else (None, None))


FORMAT = Format("adium", _sniff, _read)
