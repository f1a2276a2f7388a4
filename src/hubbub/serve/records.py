"""What the site shows, as JSON: the same keys on pages' twins and in the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..archive.ask import Answer
from ..archive.browse import ConversationSummary, StoredChannel, TimelineMessage
from ..archive.search import SearchHit, SearchResults
from ..archive.store import StoredMessage
from .rendering import channel_url, conversation_url


def channel(found: StoredChannel) -> dict[str, Any]:
    return {"channel": found.id, "name": found.name, "network": found.network, "url": channel_url(found)}


def conversation(found: ConversationSummary) -> dict[str, Any]:
    return {
        "conversation": found.id,
        "title": found.title,
        "channel": found.channel.name,
        "started": found.started,
        "ended": found.ended,
        "size": found.size,
        "participants": list(found.participants),
        "url": conversation_url(found.id),
    }


def stored(each: StoredMessage) -> dict[str, Any]:
    message = each.message
    time = message.time.isoformat() if message.time else None
    return {
        "message": each.id,
        "conversation": each.conversation_id or None,
        "time": time,
        "clock": message.clock.isoformat() if message.clock else None,
        "author": message.author,
        "text": message.text,
        "kind": message.kind,
    }


def message(each: TimelineMessage) -> dict[str, Any]:
    links = [
        {"message": link.parent, "probability": round(link.probability, 4), "source": link.source}
        for link in each.links
    ]
    return {**stored(each.stored), "replies_to": links}


def hit(summary: ConversationSummary, found: SearchHit) -> dict[str, Any]:
    return {
        **conversation(summary),
        "score": round(found.score, 4),
        "found": [stored(each) for each in found.found],
        "snippets": [asdict(each) for each in found.snippets],
    }


def results(query: str, found: SearchResults, hits: Sequence[tuple[ConversationSummary, SearchHit]]) -> dict[str, Any]:
    """A page of search results with its notes and facets."""
    facets = found.facets
    counts = {name: [each._asdict() for each in values] for name, values in facets._asdict().items()} if facets else {}
    return {
        "query": query,
        "notes": list(found.notes),
        "results": [hit(summary, each) for summary, each in hits],
        "facets": counts,
    }


def answer(summary: ConversationSummary, found: Answer) -> dict[str, Any]:
    return {
        "probability": round(found.score, 4),
        "conversation": conversation(summary),
        "question": stored(found.question),
        "answer": stored(found.answer),
        "is_confirmed": found.thanks is not None,
    }
