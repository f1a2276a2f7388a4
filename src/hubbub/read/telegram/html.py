"""messages.html, messages2.html ...: the pages of an HTML export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..assembly import Ids
from ..clock import placed
from ..format import Options, Report, Stream
from ..html import Node, parse
from ..lines import text_of
from ..names import fallback_name
from ..source import Source
from ..wording import bracketed

_REPLY = re.compile(r"go_to_message(\d+)|GoToMessage\((\d+)\)|#message(\d+)")
_TIME = re.compile(r"(\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d)(?: UTC([+-]\d\d:?\d\d))?")
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
    ids, author = Ids(), ""
    for node in page.all("div", "message"):
        report.total += 1
        raw = node.attributes.get("id", "").removeprefix("message")
        body = node.first(of_class="body") or node
        if "service" in node.classes():
            if raw.startswith("-"):
                report.skip(source.name, node.line, "day heading")
            else:
                yield Message(ids.take(raw), None, "", clean(body.text()), "system")
            continue
        if named := _child(body, "from_name"):
            author = _person(named)
        time, answered = _time(body, options), _answered(body)
        yield Message(ids.take(raw), time, clean(author), clean(_text(body)), "message", answered)


def _child(node: Node, of_class: str) -> Node | None:
    children = (child for child in node.children if isinstance(child, Node))
    return next((child for child in children if of_class in child.classes()), None)


def _person(name: Node) -> str:
    return re.sub(r" via @\w+$", "", name.without("details").text())


def _time(body: Node, options: Options) -> datetime | None:
    shown = _child(body, "date")
    found = _TIME.search(shown.attributes.get("title", "")) if shown else None
    if not found:
        return None
    try:
        if found[2]:
            return datetime.strptime(found[1] + found[2], "%d.%m.%Y %H:%M:%S%z")
        return placed(datetime.strptime(found[1], "%d.%m.%Y %H:%M:%S"), options.timezone)
    except ValueError:
        return None


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
