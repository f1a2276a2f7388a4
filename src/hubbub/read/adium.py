"""Adium: .chatlog documents (XML), and the older logs of <div class="receive"> elements (HTML)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time
from pathlib import PurePosixPath

from ..chat import Message
from ..errors import WrongFormat
from ..text import clean
from .clock import Clock, from_iso, placed
from .format import Clue, Format, Options, Report, Sample, Stream
from .html import Node, parse
from .irc.events import Event, system
from .irc.stamps import read_stamp
from .lines import text_of
from .names import date_in, name_from_path
from .source import Source, rewindable

_CHAT = re.compile(r"<chat\b[^>]*\bxmlns\s*=\s*[\"']http://purl\.org/net/ulf/ns/", re.IGNORECASE)
_ROW = re.compile(r'<div class="(?:send|receive)">\s*<span class="timestamp">[^<]*</span>\s*<span class="sender">')
_STARTED = re.compile(r"\s*\(\d{4}[-|._]\d\d[-|._]\d\d[^()]*\)$")
_ENDING = re.compile(r"\.(?:chatlog|xml|AdiumHTMLLog|AdiumLog|html?)$", re.IGNORECASE)
_STATUS_TIME = re.compile(r"(.*?)\s*\((\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?)\)$", re.DOTALL)
_RECORDS = ("message", "action", "status", "event")
_ROWS = ("send", "receive", "status")

Row = tuple[Event, datetime | None, time | None]


def _sniff(sample: Sample) -> Clue | None:
    if _CHAT.search(sample.text[:2000]):
        return Clue(0.98, "is a chat element in Adium's namespace")
    if sample.is_markup and _ROW.search(sample.text):
        return Clue(0.97, "has the send and receive elements of Adium's older logs")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    yield Stream(
        _name(source), lambda first, report: _messages(source, options, first, report), identity=_owner(source)
    )


def _name(source: Source) -> str:
    """Adium names a file after the other person, with the start of the conversation in brackets."""
    stem = _ENDING.sub("", PurePosixPath(source.name.replace("\\", "/")).name)
    return _STARTED.sub("", stem) if _STARTED.search(stem) else name_from_path(source.name)


def _owner(source: Source) -> str:
    chat = parse(Sample(source).text[:2000]).first("chat")
    return "/".join(filter(None, (chat.attributes.get(key, "") for key in ("service", "account")))) if chat else ""


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    page = parse(text_of(source))
    chat = page.first("chat")
    clock = Clock(options.date or date_in(source.name), options.timezone)
    count = first
    for record in _records(chat, page):
        report.total += 1
        row = _element(record, clock) if chat else _row(record, clock)
        if row is None:
            report.skip(source.name, record.line, "a window was opened or closed")
            continue
        event, when, shown = row
        yield Message(str(count), when, event.author, event.text, event.kind, (), shown)
        count += 1
    if count == first and not chat:
        raise WrongFormat(source.name, "adium", "it has neither a chat element nor send and receive elements")


def _records(chat: Node | None, page: Node) -> Iterator[Node]:
    if chat is not None:
        yield from (child for child in chat.children if isinstance(child, Node))
    else:
        yield from (node for node in page.all("div") if set(node.classes()).intersection(_ROWS))


def _element(record: Node, clock: Clock) -> Row | None:
    who = clean(record.attributes.get("alias") or record.attributes.get("sender", ""))
    when = from_iso(record.attributes.get("time"))
    told = clean(record.text())
    what = clean(record.attributes.get("type", ""))
    if record.tag == "event" and not told:
        return None
    if record.tag in ("message", "action"):
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
