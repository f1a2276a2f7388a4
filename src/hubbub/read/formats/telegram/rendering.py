"""Texts made of parts, and media as a word in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import bracketed

_MEDIA = {
    "voice_message": "voice message", "video_message": "video message", "animation": "animation",
    "video_file": "video", "audio_file": "audio",
}  # fmt: skip
_BARE = {
    "giveaway_information": "giveaway", "giveaway_results": "giveaway", "paid_stars_amount": "paid media",
}  # fmt: skip


def text_of_parts(value: object) -> str:
    """A text that is a string, or a list of strings and of objects such as {"type": "bold", "text": ...}."""
    if isinstance(value, list):
        return "".join(_part(part) for part in value)
    return _part(value)


def _part(part: object) -> str:
    if not isinstance(part, dict):
        return part if isinstance(part, str) else ""
    text, href = string(part.get("text")), string(part.get("href"))
    return f"{text} ({href})" if href and href.rstrip("/") != text.rstrip("/") else text


def media(record: dict[str, Any]) -> Iterator[str]:
    """What a message carries beside its text."""
    if "photo" in record:
        yield _named("image", record["photo"])
    if "file" in record or "media_type" in record:
        yield _file(record)
    if contact := mapping(record.get("contact_information")):
        yield _listed("contact", [contact.get(key) for key in ("first_name", "last_name", "phone_number")])
    if "place_name" in record:
        yield _listed("location", [record["place_name"], record.get("address")], ", ")
    elif "location_information" in record:
        place = mapping(record["location_information"])
        yield _listed("location", [place.get("latitude"), place.get("longitude")], ", ")
    if poll := mapping(record.get("poll")):
        answers = [text_of_parts(answer.get("text")) for answer in dicts(poll.get("answers"))]
        yield _listed("poll", [text_of_parts(poll.get("question")), " / ".join(answers)])
    if todo := mapping(record.get("todo_list")):
        tasks = [
            text_of_parts(task.get("text") or task.get("title"))
            for task in dicts(todo.get("answers") or todo.get("items"))
        ]
        yield _listed("checklist", [text_of_parts(todo.get("title")), " / ".join(tasks)])
    if dice := mapping(record.get("dice")):
        yield _listed("dice", [dice.get("emoji"), dice.get("value")])
    if "game_title" in record:
        yield _listed("game", [record["game_title"]])
    if invoice := mapping(record.get("invoice_information")):
        yield _listed("invoice", [invoice.get("title")])
    for key, word in _BARE.items():
        if key in record:
            yield f"[{word}]"


def _file(record: dict[str, Any]) -> str:
    kind = string(record.get("media_type"))
    if kind == "sticker":
        return _listed("sticker", [record.get("sticker_emoji")])
    if kind == "audio_file" and record.get("title"):
        return _listed("audio", [record.get("performer"), record["title"]], " - ")
    if kind in ("voice_message", "video_message"):
        return f"[{_MEDIA[kind]}]"
    return _named(_MEDIA.get(kind, "file"), record.get("file_name") or record.get("file"))


def _named(kind: str, path: object) -> str:
    """A path, unless the export says in brackets why there is none."""
    name = string(path)
    return bracketed(kind, "" if name.startswith("(") else name.rpartition("/")[2])


def _listed(kind: str, values: list[object], between: str = " ") -> str:
    return bracketed(kind, *map(string, values), between=between)
