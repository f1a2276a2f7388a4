"""The pages of the site. Each has a JSON twin under the same path with .json."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from ..archive import browse
from ..archive.ask import Answer
from ..archive.browse import ConversationSummary, TimelineMessage
from ..archive.conversation_lookup import find_conversation
from ..archive.insights.faq import faq
from ..archive.insights.question_threads import threads_of
from ..archive.insights.statistics import archive_statistics
from ..archive.insights.unanswered import unanswered
from ..archive.search import search
from ..archive.store import ArchiveStore
from ..view.statistics_plots import statistics_svg
from . import records
from .archive_pool import MAX_ID, pool_of
from .lanes import lanes
from .rendering import channel_url, conversation_url, templates
from .slow_results import SlowResults

LATEST = 12  # conversations on the home page
PAGE = 100  # messages of a timeline page
LISTED = 30  # conversations of a page of results
MIN_LISTED = 2  # messages; single remarks are not listed as conversations
router = APIRouter(include_in_schema=False)  # of two paths of a page the lower one is tried first

Text = Annotated[str, Query(max_length=500)]
Place = Annotated[int | None, Query(ge=0, le=1 << 62)]
Id = Annotated[int, Path(ge=1, le=MAX_ID)]


def _slow(request: Request) -> SlowResults:
    results: SlowResults = request.app.state.slow_results
    return results


def _shown(request: Request, template: str, content: dict[str, Any], twin: Any) -> Response:
    """The page, or its JSON twin if the path ends so."""
    if request.url.path.endswith(".json"):
        return JSONResponse(twin)
    content.setdefault("twin", None)
    content.setdefault("query", "")
    content.setdefault("refresh", False)
    return templates(request).TemplateResponse(request, template, content)


@router.get("/")
@router.get("/index.json")
def home(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        known = browse.channels(archive)
        latest = browse.latest_conversations(archive, count=LATEST, least=MIN_LISTED)
        contents = archive.contents()
    content = {"channels": known, "latest": latest, "contents": contents, "twin": "/index.json"}
    twin = {
        "channels": [records.channel(each) for each in known],
        "latest": [records.conversation(each) for each in latest],
        "messages": contents.messages,
        "conversations": contents.conversations,
    }
    return _shown(request, "home.html", content, twin)


@router.get("/channel/{id}/{slug}")
@router.get("/channel/{id}.json")
def channel(
    request: Request, id: Id, slug: str = "", after: Place = None, before: Place = None, on: Text = "", of: Text = ""
) -> Response:
    """A timeline: the last messages, those from a place or a day on, or those before a place."""
    with pool_of(request).archive() as archive:
        found = browse.channel_by_id(archive, id)
        if on:
            _must_be_a_day(on)
            after = browse.ordinal_of_day(archive, id, on)
        messages = browse.timeline(archive, id, after=after, before=before, count=PAGE)
        numbers = {each.stored.conversation for each in messages if each.stored.conversation is not None}
        known = browse.summaries(archive, numbers)
        days = browse.days_of_channel(archive, id)
        chosen = next((each for each in known.values() if each.id.removeprefix("c-") == of.removeprefix("c-")), None)
        edge = messages[0].ordinal if messages else 0
        has_earlier = bool(messages) and bool(browse.timeline(archive, id, before=edge, count=1))
        has_later = bool(messages) and len(browse.timeline(archive, id, after=messages[-1].ordinal, count=2)) > 1
    content = {
        "channel": found,
        "rows": _rows(messages, known),
        "conversations": [each for each in _by_appearance(messages, known) if each.size >= MIN_LISTED],
        "chosen": chosen,
        "days": days,
        "earlier": channel_url(found, before=messages[0].ordinal) if has_earlier else None,
        "later": channel_url(found, after=messages[-1].ordinal + 1) if has_later else None,
        "twin": f"/channel/{id}.json",
    }
    twin = {"channel": records.channel(found), "messages": [records.message(each) for each in messages]}
    return _shown(request, "channel.html", content, twin)


def _must_be_a_day(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise HTTPException(422, f"{text} is not a date like 2013-01-31.") from None


def _by_appearance(
    messages: Sequence[TimelineMessage], known: dict[int, ConversationSummary]
) -> list[ConversationSummary]:
    order = dict.fromkeys(each.stored.conversation for each in messages)
    return [known[number] for number in order if number is not None]


def _rows(messages: Sequence[TimelineMessage], known: dict[int, ConversationSummary]) -> list[dict[str, Any]]:
    """Messages with their lanes, and whether a new day begins."""
    first = messages[0].ordinal if messages else 0
    counts: dict[int, int] = {}
    for each in messages:
        if each.stored.conversation is not None:
            counts[each.stored.conversation] = counts.get(each.stored.conversation, 0) + 1
    before = {number for number, each in known.items() if each.first_ordinal < first}
    missing = {number for number, each in known.items() if each.size > counts[number]}
    after = {number for number in missing if number not in before}
    marks = lanes([each.stored.conversation for each in messages], before, after)
    rows, shown_day = [], None
    for each, lane_marks in zip(messages, marks, strict=True):
        time = each.stored.message.time
        is_new_day = time is not None and time.date() != shown_day
        shown_day = time.date() if time is not None else shown_day
        rows.append({"item": each, "lanes": lane_marks, "is_new_day": is_new_day, "time": time})
    return rows


@router.get("/c/{id}")
@router.get("/c/{id}.json")
def conversation(request: Request, id: str) -> Response:
    with pool_of(request).archive() as archive:
        found = find_conversation(archive, id)
        if found.id.removeprefix("c-") != id.lower().removeprefix("c-") or id != id.removeprefix("c-").lower():
            end = ".json" if request.url.path.endswith(".json") else ""
            return RedirectResponse(conversation_url(found.id) + end, 301)
        number = found.messages[0].conversation
        assert number is not None
        messages = browse.conversation_messages(archive, number)
        summary = browse.summaries(archive, [number])[number]
        people = browse.person_ids(archive, summary.participants)
        asked = next(threads_of(archive, [number]), None)
    by_id = {each.stored.id: each.stored for each in messages}
    content = {
        "summary": summary,
        "turns": [_turn(each, messages[place - 1] if place else None, by_id) for place, each in enumerate(messages)],
        "people": people,
        "moved": found.moved,
        "asked": asked,
        "resolution": asked.resolution if asked else None,
        "twin": f"{conversation_url(found.id)}.json",
        "left_out": summary.size - len(messages),
    }
    twin = {**records.conversation(summary), "messages": [records.message(each) for each in messages]}
    return _shown(request, "conversation.html", content, twin)


def _turn(each: TimelineMessage, above: TimelineMessage | None, by_id: dict[int, Any]) -> dict[str, Any]:
    """A message of a conversation; replies to anything but the message above say to whom."""
    links = [link for link in each.links if link.parent != each.stored.id and link.parent in by_id]
    skips = [by_id[link.parent] for link in links if above is None or link.parent != above.stored.id]
    return {"item": each, "skips": skips, "links": links}


@router.get("/people")
@router.get("/people.json")
def people(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        busiest = browse.busiest_people(archive)
        ids = browse.person_ids(archive, [name for name, _ in busiest])
    content = {"busiest": busiest, "ids": ids, "twin": "/people.json"}
    twin = [{"name": name, "messages": size, "person": ids.get(name)} for name, size in busiest]
    return _shown(request, "people.html", content, twin)


@router.get("/person/{id}")
@router.get("/person/{id}.json")
def person(request: Request, id: Id) -> Response:
    with pool_of(request).archive() as archive:
        found = browse.person(archive, id)
        conversations = browse.conversations_of_person(archive, id, LISTED)
        partners = browse.partners(archive, id)
        ids = browse.person_ids(archive, [name for name, _ in partners])
    content = {
        "person": found,
        "conversations": conversations,
        "partners": partners,
        "ids": ids,
        "twin": f"/person/{id}.json",
    }
    twin = {
        "person": found.id, "name": found.name, "names": found.names, "messages": found.messages, "first": found.first,
        "last": found.last, "replies_to": dict(partners),
        "conversations": [records.conversation(each) for each in conversations],
    }  # fmt: skip
    return _shown(request, "person.html", content, twin)


@router.get("/search")
@router.get("/search.json")
def search_page(
    request: Request, q: Text = "", sort: Annotated[Literal["relevance", "date"], Query()] = "relevance"
) -> Response:
    """Conversations that a query finds; a question mark at the end asks instead."""
    if q.rstrip().endswith("?") and not request.url.path.endswith(".json"):
        return RedirectResponse(f"/ask?q={quote(q)}", 303)
    with pool_of(request).archive() as archive:
        found = search(archive, q, LISTED, sort=sort, facets=True)
        known = browse.summaries(archive, [hit.conversation for hit in found])
    results = [(known[hit.conversation], hit) for hit in found if hit.conversation in known]
    twin_url = f"/search.json?q={quote(q)}&sort={sort}"
    content = {"query": q, "sort": sort, "results": results, "found": found, "twin": twin_url}
    return _shown(request, "search.html", content, records.results(q, found, results))


@router.get("/ask")
@router.get("/ask.json")
def ask_page(request: Request, q: Text = "") -> Response:
    pool = pool_of(request)
    with pool.archive() as archive:
        answers = pool.answerer(archive).ask(q) if q.strip() else []
        known = _of_answers(archive, answers)
    results = [(known[each.answer.conversation], each) for each in answers if each.answer.conversation in known]
    content = {"query": q, "answers": results, "twin": None}
    twin = {"question": q, "answers": [records.answer(summary, each) for summary, each in results]}
    return _shown(request, "ask.html", content, twin)


def _of_answers(archive: ArchiveStore, answers: Sequence[Answer]) -> dict[int | None, ConversationSummary]:
    numbers = [each.answer.conversation for each in answers if each.answer.conversation is not None]
    return {each.number: each for each in browse.summaries(archive, numbers).values()}


@router.get("/unanswered")
@router.get("/unanswered.json")
def unanswered_page(request: Request) -> Response:
    """Questions without a reply or a resolution, the newest first."""
    with pool_of(request).archive() as archive:
        threads = unanswered(archive, LISTED)
        known = browse.summaries(archive, [each.thread.number for each in threads])
    results = [(known[each.thread.number], each) for each in threads]
    twin = [
        {**records.conversation(summary), "outcome": each.thread.outcome.value, "probability": each.probability}
        for summary, each in results
    ]
    return _shown(request, "unanswered.html", {"results": results, "twin": "/unanswered.json"}, twin)


@router.get("/faq")
@router.get("/faq.json")
def faq_page(request: Request) -> Response:
    """Questions that several people asked, each with its best answer."""
    with pool_of(request).archive() as archive:
        revision = archive.revision()
    entries = _slow(request).get("faq", revision, faq)
    content = {"entries": entries, "twin": "/faq.json", "refresh": entries is None}
    return _shown(request, "faq.html", content, [asdict(each) for each in entries or ()])


@router.get("/stats")
@router.get("/stats.json")
def statistics_page(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        revision = archive.revision()
    found = _slow(request).get("statistics", revision, archive_statistics)
    content = {"found": found, "twin": "/stats.json", "refresh": found is None}
    return _shown(request, "stats.html", content, asdict(found) if found else {})


@router.get("/stats.svg")
def statistics_picture(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        revision = archive.revision()
    found = _slow(request).get("statistics", revision, archive_statistics)
    if found is None:
        raise HTTPException(503, "The statistics are being computed.", {"retry-after": "3"})
    policy = "default-src 'none'; style-src 'unsafe-inline'"  # the picture has its own style, and no text that runs
    svg = statistics_svg(found, title=request.app.state.settings.title)
    return Response(svg, media_type="image/svg+xml", headers={"content-security-policy": policy})


@router.get("/health")
def health(request: Request) -> Response:
    with pool_of(request).archive() as archive:
        archive.last()
    return JSONResponse({"status": "ok"})


@router.get("/{path:path}")
def nothing(path: str) -> Response:
    raise HTTPException(404, "There is no such page.")
