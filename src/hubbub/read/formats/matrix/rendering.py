"""What an event says: its text, what it carries, and whom it answers."""

from __future__ import annotations

import re
from typing import Any

from ....chat import Kind
from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import bracketed

REACTIONS = ("m.reaction", "m.annotation")
VOTES = ("m.poll.response", "org.matrix.msc3381.poll.response")
UNHEARD = ("m.typing", "m.receipt", "m.presence", "m.fully_read", "m.tag", "m.direct", "m.call.candidates",
           "m.call.negotiate", "m.call.select_answer", "m.call.sdp_stream_metadata_changed")  # fmt: skip
ENCRYPTED = ("m.room.encrypted", "m.bad.encrypted")

_FILES = {"m.image": "image", "m.file": "file", "m.audio": "audio", "m.video": "video"}
_FALLBACK = re.compile(r"(?:> [^\n]*(?:\n|$)|>(?:\n|$))+\n?")


def relation(content: dict[str, Any]) -> tuple[str, str]:
    """(kind, id of the event) that an event relates to, or two empty strings."""
    relates = mapping(content.get("m.relates_to"))
    return string(relates.get("rel_type")), string(relates.get("event_id"))


def said(event: dict[str, Any], edit: dict[str, Any]) -> tuple[Kind, str, tuple[str, ...]]:
    """Kind, text and answered ids of a message, as its last edit left it."""
    content = mapping(event.get("content"))
    latest = mapping(edit.get("m.new_content")) or content
    answered = _answered(content)
    kind: Kind = "action" if latest.get("msgtype") == "m.emote" else "message"
    if event.get("type") in ENCRYPTED or latest.get("msgtype") == "m.bad.encrypted":
        return kind, "[encrypted]", answered
    poll = _first(latest, "m.poll", "m.poll.start", "org.matrix.msc3381.poll.start")
    text = _poll(poll) if poll else _text(event, latest)
    return kind, _FALLBACK.sub("", text, count=1) if answered and text.startswith(">") else text, answered


def _answered(content: dict[str, Any]) -> tuple[str, ...]:
    relates = mapping(content.get("m.relates_to"))
    direct = string(mapping(relates.get("m.in_reply_to")).get("event_id"))
    kind, root = relation(content)
    if kind == "m.thread" and (relates.get("is_falling_back") is True or not direct):
        direct = root
    return (direct,) if direct else ()


def _text(event: dict[str, Any], content: dict[str, Any]) -> str:
    body, kind = string(content.get("body")), string(content.get("msgtype"))
    if event.get("type") == "m.sticker":
        return bracketed("sticker", body)
    if kind == "m.location":
        return bracketed("location", body or string(content.get("geo_uri")))
    if kind in _FILES:
        name = string(content.get("filename")) or body
        caption = f"\n{body}" if body and body != name else ""
        return bracketed(_FILES[kind], name) + caption
    return body


def _poll(poll: dict[str, Any]) -> str:
    answers = [_worded(answer) for answer in dicts(poll.get("answers"))]
    return bracketed("poll", _worded(mapping(poll.get("question"))), " / ".join(answers))


def _worded(record: dict[str, Any]) -> str:
    """The text of a question or an answer, in the form of today or of the drafts before."""
    parts = dicts(record.get("m.text")) or dicts(record.get("org.matrix.msc1767.text"))
    plain = string(record.get("org.matrix.msc1767.text")) or string(record.get("m.text"))
    return plain or string(record.get("body")) or next((string(part.get("body")) for part in parts), "")


def _first(content: dict[str, Any], *keys: str) -> dict[str, Any]:
    return next((found for key in keys if (found := mapping(content.get(key)))), {})
