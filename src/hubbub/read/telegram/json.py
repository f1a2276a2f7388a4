"""result.json: the chats, their messages, and what is left aside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..assembly import Ids, distinct, in_time_order
from ..clock import from_epoch, from_iso
from ..document import dicts, mapping, parse_json, string
from ..format import Options, Report, Stream
from ..lines import text_of
from ..names import fallback_name
from ..source import Source
from .service import GONE, sentence
from .words import media, text_of_parts

_HEX_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\x([0-9A-Fa-f]{2})")
_ASIDE = ("personal_information", "profile_pictures", "stories", "contacts", "frequent_contacts", "sessions",
          "web_sessions", "other_data", "ips", "drafts")  # fmt: skip
_SIGNS = {"date", "date_unixtime", "from", "actor", "text"}
_TOLD = {"id", "type", "date", "from", "text", "action"}


def streams(source: Source, options: Options) -> Iterator[Stream]:
    # Telegram has written control characters as \x0B, which is not JSON.
    document = parse_json(_HEX_ESCAPE.sub(r"\1\\u00\2", text_of(source)), source.name)
    chats = _chats(document)
    if not chats and not any(part in mapping(document) for part in _ASIDE):
        raise WrongFormat(source.name, "telegram", "it is JSON, but has neither messages nor a list of chats")
    records = [record for chat in chats for record in dicts(chat.get("messages"))]
    if records and not any(_SIGNS & record.keys() for record in records):
        raise WrongFormat(source.name, "telegram", "no message in it has a date, a from or a text")
    aside = [part for part in _ASIDE if part in document]
    chats = chats or [{}]
    names = distinct([_name(chat, source) for chat in chats], [string(chat.get("id")) for chat in chats])
    for position, (chat, name) in enumerate(zip(chats, names, strict=True)):
        yield _stream(chat, name, source, options, aside if position == 0 else [])


def _chats(document: object) -> list[dict[str, Any]]:
    whole = mapping(document)
    if isinstance(whole.get("messages"), list):
        return [whole]
    found: list[dict[str, Any]] = []
    for key in ("chats", "left_chats"):
        part = whole.get(key)
        found += dicts(mapping(part).get("list") if isinstance(part, dict) else part)
    return found


def _stream(chat: dict[str, Any], name: str, source: Source, options: Options, aside: list[str]) -> Stream:
    def messages(first: int, report: Report) -> Iterator[Message]:
        for part in aside:
            report.skip_file(source.name, f"{part.replace('_', ' ')}, not a chat")
        yield from _messages(chat, source.name, options, report)

    return Stream(name, messages)


def _name(chat: dict[str, Any], source: Source) -> str:
    if chat.get("type") == "saved_messages":
        return "Saved Messages"
    return clean(string(chat.get("name"))) or (GONE if "name" in chat else fallback_name(source.name))


def _messages(chat: dict[str, Any], where: str, options: Options, report: Report) -> Iterator[Message]:
    ids = Ids()
    found: list[Message] = []
    listed = chat.get("messages")
    records = listed if isinstance(listed, list) else []
    report.total += len(records)
    for number, record in enumerate(records, 1):
        if isinstance(record, dict) and record.keys() & _TOLD:
            found.append(_message(record, ids, options))
        else:
            report.unexplain(where, number, "not a message object")
    yield from in_time_order(found)


def _message(record: dict[str, Any], ids: Ids, options: Options) -> Message:
    id, time = ids.take(string(record.get("id"))), _time(record, options)
    if record.get("type") == "service":
        author, said = sentence(record)
        return Message(id, time, clean(author), clean(said), "system")
    if record.get("type") == "unsupported" and "text" not in record:
        return Message(id, time, "", "[unsupported message]", "system")
    author = string(record.get("from")) or (GONE if "from" in record else string(record.get("from_id")))
    return Message(id, time, clean(author), clean(_text(record)), "message", _answered(record))


def _time(record: dict[str, Any], options: Options) -> datetime | None:
    seconds = string(record.get("date_unixtime"))
    if seconds.removeprefix("-").isdecimal() and (when := from_epoch(float(seconds))):
        return when
    return from_iso(record.get("date"), options.timezone)


def _answered(record: dict[str, Any]) -> tuple[str, ...]:
    answered = string(record.get("reply_to_message_id"))
    return (answered,) if answered and not record.get("reply_to_peer_id") else ()


def _text(record: dict[str, Any]) -> str:
    said = text_of_parts(record.get("text")) or text_of_parts(record.get("text_entities"))
    parts = [*media(record), said]
    if "forwarded_from" in record:
        parts.insert(0, f"[forwarded from {string(record['forwarded_from']) or GONE}]")
    return "\n".join(part for part in parts if part)
