"""messages.html, messages2.html ...: the pages of an HTML export."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids
from ...format import Options, Stream
from ...input.lines import text_of
from ...input.source import Source
from ...parsing.html import Node, parse
from ...parsing.path_names import fallback_name
from ...parsing.rendering import bracketed
from ...report import Report
from .times import Days, zone_in

_REPLY = re.compile(r"go_to_message(\d+)|GoToMessage\((\d+)\)|#message(\d+)")
_WRAPS = {
    "photo_wrap": "image", "sticker_wrap": "sticker", "animated_wrap": "animation", "video_file_wrap": "video",
}  # fmt: skip
_KINDS = {
    "media_photo": "image", "media_video": "video", "media_voice_message": "voice message", "media_call": "call",
    "media_audio_file": "audio", "media_contact": "contact", "media_location": "location", "media_live_location":
    "location", "media_venue": "location", "media_game": "game", "media_invoice": "invoice", "media_poll": "poll",
}  # fmt: skip


def stream(source: Source, options: Options) -> Stream:
    page = parse(text_of(source))
    if not page.first("div", "message"):
        raise WrongFormat(source.name, "telegram", "it is HTML, but has no messages of a Telegram export")
    header = page.first(of_class="page_header")
    title = header.first(of_class="bold") if header else None
    name = clean(title.text()) if title else ""
    return Stream(name or fallback_name(source.name), lambda first, report: _messages(page, source, options, report))


def _messages(page: Node, source: Source, options: Options, report: Report) -> Iterator[Message]:
    ids, author, days = Ids(), "", Days(zone_in(_titles(page)) or options.timezone)
    for node in page.all("div", "message"):
        report.total += 1
        raw = node.attributes.get("id", "").removeprefix("message")
        body = node.first(of_class="body") or node
        if "service" in node.classes():
            text = clean(body.text())
            if not raw.isdecimal() and days.heading(text):
                report.skip(source.name, node.line, "day heading")
                continue
            yield Message(ids.take(raw), days.service(_titles(node)), "", text, "system")
            continue
        if named := _child(body, "from_name"):
            author = _person(named)
        shown = _date_of(body)
        when, clock = days.message(shown.attributes.get("title", ""), shown.text()) if shown else (None, None)
        answered = _answered(body)
        yield Message(ids.take(raw), when, clean(author), clean(_text(body)), "message", answered, clock)


def _titles(node: Node) -> Iterator[str]:
    """Where the time of something may be told: in its own title, or in that of something below it."""
    return (title for each in node.walk() if (title := each.attributes.get("title", "")))


def _date_of(body: Node) -> Node | None:
    """The element with the time of a message itself, not with that of a message which is forwarded in it."""
    return _child(body, "date") or body.without("forwarded", "from_name", "media_wrap", "text").first(of_class="date")


def _child(node: Node, of_class: str) -> Node | None:
    children = (child for child in node.children if isinstance(child, Node))
    return next((child for child in children if of_class in child.classes()), None)


def _person(name: Node) -> str:
    return re.sub(r" via @\w+$", "", name.without("details").text())


def _answered(body: Node) -> tuple[str, ...]:
    quoted = _child(body, "reply_to")
    link = quoted.first("a") if quoted else None
    found = _REPLY.search(link.attributes.get("onclick", "") + link.attributes.get("href", "")) if link else None
    return (found[1] or found[2] or found[3],) if found else ()


def _text(body: Node) -> str:
    parts: list[str] = []
    for child in body.children:
        if isinstance(child, str):
            continue
        names = child.classes()
        if "forwarded" in names:
            whom = _child(child, "from_name")
            parts += [f"[forwarded from {_person(whom)}]" if whom else "", _text(child)]
        elif "text" in names:
            parts.append(child.text())
        elif "media_wrap" in names:
            parts += _media(child)
    return "\n".join(part for part in parts if part)


def _media(wrap: Node) -> Iterator[str]:
    for node in wrap.children:
        if isinstance(node, str):
            continue
        kind = next((word for name in node.classes() if (word := _WRAPS.get(name) or _KINDS.get(name))), "file")
        if question := node.first(of_class="question"):
            answers = " / ".join(answer.text().lstrip("- ") for answer in node.all(of_class="answer"))
            yield bracketed("poll", question.text(), answers)
            continue
        title = node.first(of_class="title")
        path = node.attributes.get("href", "").rpartition("/")[2]
        name = title.text() if title and kind in ("file", "audio", "contact") else path
        yield bracketed(kind, name)
