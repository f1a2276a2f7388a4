"""The JSON API, version 1."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from ..archive import browse
from ..archive.conversation_lookup import find_conversation
from ..archive.search import search
from . import records
from .archive_pool import MAX_ID, pool_of

router = APIRouter(prefix="/api/v1", tags=["archive"])
Count = Annotated[int, Query(ge=1, le=100, description="Maximum number of results.")]
Number = Annotated[int | None, Query(ge=1, le=MAX_ID)]
Words = Annotated[str, Query(min_length=1, max_length=500)]


@router.get("/channels", summary="Channels of the archive")
def channels(request: Request) -> list[dict[str, Any]]:
    with pool_of(request).archive() as archive:
        return [records.channel(each) for each in browse.channels(archive)]


@router.get("/conversations", summary="Conversations, the latest first")
def conversations(request: Request, channel: Number = None, cursor: Number = None, count: Count = 20) -> dict[str, Any]:
    with pool_of(request).archive() as archive:
        found = browse.latest_conversations(archive, channel=channel, before=cursor, count=count)
    following = found[-1].number if len(found) == count else None
    return {"conversations": [records.conversation(each) for each in found], "cursor": following}


@router.get("/conversations/{id}", summary="A conversation by its permanent id", responses={404: {}})
def conversation(request: Request, id: str) -> dict[str, Any]:
    with pool_of(request).archive() as archive:
        found = find_conversation(archive, id)
        number = found.messages[0].conversation
        assert number is not None
        messages = browse.conversation_messages(archive, number)
        summary = browse.summaries(archive, [number])[number]
    return {**records.conversation(summary), "messages": [records.message(each) for each in messages]}


@router.get("/search", summary="Conversations that have the words")
def search_words(request: Request, q: Words, count: Count = 10) -> dict[str, Any]:
    with pool_of(request).archive() as archive:
        hits = search(archive, q, count)
        known = browse.summaries(archive, [hit.conversation for hit in hits])
    return {"query": q, "results": [records.hit(known[each.conversation], each) for each in hits]}


@router.get("/ask", summary="Earlier answers to a question, none below the threshold")
def ask(request: Request, q: Words, count: Annotated[int, Query(ge=1, le=20)] = 5) -> dict[str, Any]:
    pool = pool_of(request)
    with pool.archive() as archive:
        answers = pool.answerer(archive).ask(q, count)
        numbers = [each.answer.conversation for each in answers if each.answer.conversation is not None]
        known = browse.summaries(archive, numbers)
    return {"question": q, "answers": [records.answer(known[each.answer.conversation or 0], each) for each in answers]}
