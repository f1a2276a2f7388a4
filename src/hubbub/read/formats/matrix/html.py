"""messages.html of an Element export; also where such a page is quoted inside another file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time

from ....chat import RENAME, Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids
from ...format import Options, Stream
from ...input.lines import text_of
from ...input.source import Source
from ...parsing.html import Node, parse
from ...parsing.rendering import bracketed
from ...report import Report
from ...times.dates import Dates
from .file_names import room_of_file

_WRAPPER = "mx_Export_EventWrapper"
_SEPARATORS = ("mx_TimelineSeparator", "mx_DateSeparator")
_NAMES = ("mx_DisambiguatedProfile_displayName", "mx_SenderProfile_displayName", "mx_SenderProfile_name")
_ROOMS = ("mx_RoomHeader_truncated", "mx_RoomHeader_nametext", "mx_RoomHeader_name", "mx_RoomHeader_info")
_ASIDE = frozenset((
    "mx_EventTile_edited", "mx_ReplyChain_Export", "mx_ReplyThread_Export", "mx_ReplyChain", "mx_ReplyChain_wrapper",
    "mx_EventTile_footer", "mx_ReactionsRow", "mx_MessageTimestamp", "mx_MFileBody_download",
))  # fmt: skip
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?: ?([AaPp])\.?[Mm])?")
_RENAMED = re.compile(r"(.{1,200}?) changed their display name (?:from .{1,200} )?to (.{1,200}?)\.?$")
_SIZE = re.compile(r" \([\d.,]+ ?[KMGT]?i?B(?:ytes)?\)$")
_DELETED = "mx_RedactedBody"


def is_page(head: bytes) -> bool:
    return _WRAPPER.encode() in head or (b"mx_MatrixChat" in head and b"mx_RoomView" in head)


def stream(source: Source, options: Options) -> Stream:
    page = parse(text_of(source))
    if not page.first(of_class=_WRAPPER) and not page.first(of_class="mx_RoomView"):
        raise WrongFormat(source.name, "matrix", "it is HTML, but has no events of an Element export")
    heading = page.first_of(*_ROOMS)
    name = clean(heading.text()) if heading else ""
    return Stream(
        name or room_of_file(source.name), lambda first, report: _messages(page, options, source.name, report)
    )


def _messages(page: Node, options: Options, where: str, report: Report) -> Iterator[Message]:
    ids, dates = Ids(), Dates(options.timezone)
    day = author = ""
    for node in page.of_classes(_WRAPPER, *_SEPARATORS):
        if any(name in _SEPARATORS for name in node.classes()):
            day = node.attributes.get("aria-label") or node.text()
            report.total += 1
            report.skip(where, node.line, "day heading")
        else:
            report.total += 1
            named = node.first_of(*_NAMES)
            author = named.text() if named else author
            message = _message(node, ids.take(node.attributes.get("id", "")), author)
            when, clock = _time(node, day, dates)
            yield message._replace(time=when, clock=clock, author=clean(message.author), text=clean(message.text))


def _time(tile: Node, day: str, dates: Dates) -> tuple[datetime | None, time | None]:
    """The time, or only the time of day if the heading above is in no form that is understood."""
    stamp = tile.first(of_class="mx_MessageTimestamp")
    if stamp is None:
        return None, None
    whole = next((v for k in ("title", "aria-label") if (v := stamp.attributes.get(k, ""))), "")
    when = dates.read(whole) or dates.read(f"{day} {stamp.text()}")
    found = _CLOCK.search(stamp.text())
    if when or not found or int(found[1]) > 23 or int(found[2]) > 59:
        return when, None
    return None, time(int(found[1]), int(found[2]))


def _message(tile: Node, id: str, author: str) -> Message:
    draft = Message(id, None, author, "", "message", _answered(tile))
    if tile.first(of_class=_DELETED):
        return draft._replace(kind="system", text="[deleted]")
    if emote := tile.first(of_class="mx_MEmoteBody"):
        return _emote(emote, draft)
    body = tile.first(of_class="mx_EventTile_body")
    parts = [_seen(body) if body else "", *_media(tile)]
    text = "\n".join(part for part in parts if part)
    if text or tile.first(of_class="mx_MTextBody"):
        return draft._replace(text=text)
    return _announced(tile, draft)


def _emote(emote: Node, draft: Message) -> Message:
    sender = emote.first(of_class="mx_MEmoteBody_sender")
    who = sender.text() if sender else draft.author
    said = re.sub(r"^\*\s*", "", _seen(emote)).removeprefix(who).strip()
    return draft._replace(kind="action", author=who, text=said)


def _announced(tile: Node, draft: Message) -> Message:
    notice = tile.first_of("mx_TextualEvent", "mx_EventTileBubble", "mx_EventTile_line")
    text = " ".join(_seen(notice or tile).split())
    if renamed := _RENAMED.match(text):
        return draft._replace(kind="system", author=renamed[1], text=f"{renamed[1]}{RENAME}{renamed[2]}")
    about = draft.author if draft.author and text.startswith(draft.author) else ""
    return draft._replace(kind="system", author=about, text=text or "[event]")


def _answered(tile: Node) -> tuple[str, ...]:
    for name in ("mx_ReplyChain_Export", "mx_ReplyThread_Export"):
        quoted = tile.first(of_class=name)
        link = quoted.first("a") if quoted else None
        if link and (target := link.attributes.get("href", "").rpartition("#")[2].rpartition("/")[2]):
            return (target,)
    return ()


def _media(tile: Node) -> Iterator[str]:
    if image := tile.first_of("mx_MImageBody", "mx_MStickerBody"):
        picture = image.first("img")
        kind = "sticker" if "mx_MStickerBody" in image.classes() else "image"
        name = picture.attributes.get("alt", "") if picture else ""
        yield bracketed(kind, name)
    elif video := tile.first(of_class="mx_MVideoBody"):
        title = next((v for node in video.walk() if (v := node.attributes.get("title", ""))), "")
        yield bracketed("video", title)
    elif file := tile.first_of("mx_MFileBody_info_filename", "mx_AudioPlayer_mediaName"):
        yield bracketed("file", _SIZE.sub("", file.text()))
    elif poll := tile.first(of_class="mx_MPollBody"):
        question = poll.first("h2")
        answers = " / ".join(node.text() for node in poll.all(of_class="mx_PollOption_optionText"))
        yield bracketed("poll", question.text() if question else "", answers)
    elif tile.first(of_class="mx_MLocationBody"):
        yield "[location]"
    elif tile.first(of_class="mx_DecryptionFailureBody"):
        yield "[encrypted]"


def _seen(node: Node) -> str:
    """The text without what hangs on a message: marks of edits, quotes, reactions, the time."""
    return node.text(without=_ASIDE)
