"""Atom feeds: the latest conversations, of all channels or of one, and unanswered questions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated
from xml.etree import ElementTree

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from ..archive import browse
from ..archive.browse import ConversationSummary
from ..archive.insights.unanswered import unanswered
from ..text import clean
from .archive_pool import MAX_ID, pool_of
from .markup import safe_text
from .rendering import channel_url, conversation_url

ENTRIES = 30  # readers of feeds come at least once a day
MIN_LISTED = 2  # messages; single remarks are not worth an entry
NAMESPACE = "http://www.w3.org/2005/Atom"
router = APIRouter(include_in_schema=False)


@router.get("/feed.atom")
def latest(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        found = browse.latest_conversations(archive, count=ENTRIES, least=MIN_LISTED)
    return _feed(request, "latest conversations", "/", found)


@router.get("/channel/{id}.atom")
def of_channel(request: Request, id: Annotated[int, Path(ge=1, le=MAX_ID)]) -> Response:
    with pool_of(request).archive() as archive:
        channel = browse.channel_by_id(archive, id)
        found = browse.latest_conversations(archive, channel=id, count=ENTRIES, least=MIN_LISTED)
    return _feed(request, f"conversations in {channel.name}", channel_url(channel), found)


@router.get("/unanswered.atom")
def open_questions(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        numbers = [each.thread.number for each in unanswered(archive, ENTRIES)]
        found = browse.summaries(archive, numbers)
    return _feed(request, "unanswered questions", "/unanswered", [found[number] for number in numbers])


def _feed(request: Request, what: str, page: str, found: Sequence[ConversationSummary]) -> Response:
    base = str(request.base_url).rstrip("/")
    title = f"{request.app.state.settings.title}: {what}"
    feed = ElementTree.Element("feed", xmlns=NAMESPACE)
    _add(feed, "title", title)
    _add(feed, "id", base + request.url.path)
    _add(feed, "updated", max((_moment(each.ended) for each in found), default=_moment(None)))
    ElementTree.SubElement(feed, "link", rel="self", href=base + request.url.path)
    ElementTree.SubElement(feed, "link", rel="alternate", href=base + page)
    for each in found:
        entry = ElementTree.SubElement(feed, "entry")
        _add(entry, "title", each.title or "no text")
        _add(entry, "id", base + conversation_url(each.id))
        _add(entry, "updated", _moment(each.ended))
        ElementTree.SubElement(entry, "link", rel="alternate", href=base + conversation_url(each.id))
        for name in each.participants[:1]:
            _add(ElementTree.SubElement(entry, "author"), "name", name)
        _add(entry, "summary", f"{each.size} messages by {', '.join(each.participants)} in {each.channel.name}")
    text = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return Response(text, media_type="application/atom+xml")


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    """XML has no way to write control characters, so they go."""
    ElementTree.SubElement(parent, name).text = clean(safe_text(text))


def _moment(time: str | None) -> str:
    """A time as Atom wants it, with a zone; undated conversations are as old as can be."""
    moment = datetime.fromisoformat(time) if time else datetime(1970, 1, 1)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
