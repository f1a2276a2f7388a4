"""The HTML shapes, dark and light: today's message containers, and the message groups of older exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids, in_time_order
from ...format import Options, Stream
from ...input.lines import text_of
from ...input.source import Source
from ...parsing.html import Node, parse
from ...parsing.rendering import bracketed, file_word
from ...report import Report
from ...times.dates import Dates, hour_of
from .rendering import attachment_at, channel, channel_of_file, id_of_file, person

_P = "chatlog__"
_SCROLL = re.compile(r"scrollToMessage\(event, *'?(\d+)|(?:message-container-|#message-|#)(\d{5,})")
_TITLE = re.compile(
    r"(?:Image|Video|Audio|Generic|File|Attachment|Spoiler)[^:]*: (.+?)(?: \([\d.,]+ ?[KMGT]?i?B(?:ytes)?\))?$"
)
_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)(?:[ \u00a0\u202f]?([AaPp]\.?[Mm]\.?))?")
_SILENT = frozenset(f"{_P}{name}" for name in ("edited-timestamp", "reply", "reference", "attachment-spoiler-caption"))
_OUTSIDE = _SILENT | {f"{_P}embed"}  # what is quoted or embedded is no part of the message's own text
_TIMES = frozenset((f"{_P}timestamp", f"{_P}system-notification-timestamp"))
_SHORT_TIME = f"{_P}short-timestamp"
_BLOCKS = {"div", "pre", "ul", "ol", "li", "blockquote", "h1", "h2", "h3"}


def stream(source: Source, options: Options) -> Stream:
    page = parse(text_of(source))
    if not any(page.first(of_class=name) for name in ("chatlog", f"{_P}message-group", f"{_P}message-container")):
        raise WrongFormat(source.name, "discord", "it is HTML, but has no messages of DiscordChatExporter")
    return Stream(
        _name(page, source), lambda first, report: _messages(page, options, report), identity=id_of_file(source.name)
    )


def _name(page: Node, source: Source) -> str:
    entries = [node.text() for node in page.all(of_class="preamble__entry")]
    if not entries:
        spots = (page.first(of_class=f"info__{part}") for part in ("guild-name", "channel-name"))
        entries = [spot.text() for spot in spots if spot]
    if len(entries) < 2:
        return channel_of_file(source.name)
    return clean(channel(entries[0], entries[1].rpartition(" / ")[2])) or channel_of_file(source.name)


def _messages(page: Node, options: Options, report: Report) -> Iterator[Message]:
    dates, ids = Dates(options.timezone), Ids()
    for shown in _shown_times(page):
        dates.see(shown)
    groups = list(page.all(of_class=f"{_P}message-group"))
    if not groups and page.first(of_class=f"{_P}message-container"):
        groups = [page]
    for message in in_time_order(message for group in groups for message in _group(group, dates, ids)):
        report.total += 1
        yield message


def _shown_times(node: Node) -> Iterator[str]:
    """The times in this element, as they are written."""
    for found in node.of_classes(*_TIMES, _SHORT_TIME):
        shown = found.text() if _TIMES.intersection(found.classes()) else found.attributes.get("title", "")
        if shown:
            yield shown


def _group(group: Node, dates: Dates, ids: Ids) -> Iterator[Message]:
    """The messages of one person in a row: name and time may stand only above the first."""
    head_author = _of(group, "author", "author-name")
    author = head_author.text() if head_author else ""
    head_time = dates.read(next(_shown_times(group), ""))
    bodies = list(group.all(of_class=f"{_P}message-container")) or list(group.all(of_class=f"{_P}message"))
    for position, body in enumerate(bodies or [group]):
        if named := _of(body, "author", "author-name"):
            author = named.text()
        raw = body.attributes.get("data-message-id") or re.sub(r"\D", "", body.attributes.get("id", ""))
        message = _message(body, ids.take(raw), _time(body, dates, head_time), author)
        answered = _answered(body) or (_answered(group) if position == 0 else ())
        yield message._replace(reply_to=() if message.kind == "system" else answered)


def _time(body: Node, dates: Dates, head: datetime | None) -> datetime | None:
    """The message's own time; else its clock, which follows that of the first message of its group; else that one's."""
    shown = next(_shown_times(body), "")
    if not shown or (when := dates.read(shown)):
        return when if shown else head
    short = _of(body, "short-timestamp")
    found = _CLOCK.match(short.text()) if short else None
    if not head or not found:
        return None
    hour, minute = hour_of(int(found[1]), found[3] or ""), int(found[2])
    if hour > 23 or minute > 59:
        return None
    when = head.replace(hour=hour, minute=minute, second=0, microsecond=0)
    passed_midnight = when < head.replace(second=0, microsecond=0) and head.year < datetime.max.year
    return when + timedelta(days=1) if passed_midnight else when


def _of(node: Node, *names: str) -> Node | None:
    return node.first_of(*(_P + name for name in names))


def _message(body: Node, id: str, time: datetime | None, author: str) -> Message:
    if notice := _of(body, "system-notification-content"):
        about = _of(body, "system-notification-author")
        name = person(about.text()) if about else ""
        said = " ".join("".join(_pieces(notice)).split())
        return Message(id, time, clean(name), clean(f"{name} {said}".strip()), "system")
    return Message(id, time, clean(person(author)), clean(_text(body)), "message")


def _answered(body: Node) -> tuple[str, ...]:
    quoted = _of(body, "reply", "reference")
    for node in quoted.walk() if quoted else ():
        for key in ("onclick", "href", "data-goto", "data-message-id"):
            value = node.attributes.get(key, "")
            if found := _SCROLL.search(value):
                return (found[1] or found[2],)
            if key.startswith("data-") and value.isdecimal():
                return (value,)
    return ()


def _text(body: Node) -> str:
    parts = ["".join(_pieces(node)).strip() for node in body.outermost(f"{_P}content", outside=_OUTSIDE)]
    files = body.outermost(f"{_P}attachment", f"{_P}attachment-thumbnail", outside=_OUTSIDE)
    parts += [_attachment(node) for node in files]
    parts += [bracketed("sticker", node.attributes.get("title", "")) for node in body.all(of_class=f"{_P}sticker")]
    if not any(parts):
        embeds = ["".join(_pieces(node)) for node in body.all(of_class=f"{_P}embed")]
        parts = [line.strip() for embed in embeds for line in embed.split("\n")]
    return "\n".join(part for part in parts if part)


def _attachment(node: Node) -> str:
    for part in node.walk():
        if found := _TITLE.match(part.attributes.get("title", "")):
            return file_word(found[1])
    if named := _of(node, "attachment-generic-name"):
        return file_word(named.text())
    addresses = (part.attributes.get(key, "") for part in node.walk() for key in ("href", "src"))
    return attachment_at(next(filter(None, addresses), "attachment"))


def _pieces(root: Node) -> Iterator[str]:
    """The text with the line breaks that the exporter keeps as they were typed."""
    waiting: list[Node | str] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            if node.strip() or "\n" not in node:
                yield node
            continue
        names = node.classes()
        if names and not _SILENT.isdisjoint(names):
            continue
        if node.tag == "img" and "emoji" in node.attributes.get("class", ""):
            name = node.attributes.get("alt", "")
            yield f":{name.strip(':')}:" if name.isascii() and name else name
        elif node.tag == "br" or (node.tag in _BLOCKS and f"{_P}content" not in names):
            yield "\n"
        waiting += node.reversed_children()
