"""result.json: the chats, their messages, and what is left aside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ....chat import Message
from ....errors import InputError, WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids, distinct
from ...assembly.sorting import Collected
from ...format import Options, Stream
from ...input.source import Source
from ...parsing.json_document import mapping, string
from ...parsing.json_stream import Path, walk
from ...parsing.path_names import fallback_name
from ...times.clock import from_epoch, from_iso
from .rendering import media, text_of_parts
from .service import GONE, sentence

_HEX_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\x([0-9A-Fa-f]{2})")
_ASIDE = ("personal_information", "profile_pictures", "stories", "contacts", "frequent_contacts", "sessions",
          "web_sessions", "other_data", "ips", "drafts")  # fmt: skip
_SIGNS = {"date", "date_unixtime", "from", "actor"}
_TOLD = {"id", "type", "date", "from", "text", "action"}


@dataclass(slots=True)
class _Chat:
    """One chat of the export, as it is being read; `signs` if any record has what a message of Telegram has."""

    members: dict[str, Any] = field(default_factory=dict)
    collected: Collected = field(default_factory=Collected)
    listed: bool = False
    objects: bool = False
    signs: bool = False

    def take(self, records: list[Any], where: str, options: Options) -> None:
        ids, messages, report = self.collected.ids, self.collected.messages, self.collected.report
        for record in records:
            report.total += 1
            if isinstance(record, dict):
                keys = record.keys()
                self.objects = True
                self.signs = self.signs or not _SIGNS.isdisjoint(keys) or {"id", "text"} <= keys
                if not _TOLD.isdisjoint(keys):
                    messages.add(_message(record, ids, options))
                    continue
            report.unexplain(where, report.total, "not a message object")


def streams(source: Source, options: Options) -> Iterator[Stream]:
    root, chats, defect = _read(source, options)
    aside = [part for part in _ASIDE if part in root.members]
    if defect and not any(chat.collected.report.total for chat in chats):
        raise defect
    if not chats and not aside:
        raise WrongFormat(source.name, "telegram", "it is JSON, but has neither messages nor a list of chats")
    if any(chat.objects for chat in chats) and not any(chat.signs for chat in chats):
        raise WrongFormat(source.name, "telegram", "no message in it has a date, a from, or an id and a text")
    chats = chats or [_Chat()]
    if defect:
        chats[-1].collected.break_off(defect)
    for part in aside:
        chats[0].collected.report.skip_file(source.name, f"{part.replace('_', ' ')}, not a chat")
    names = distinct(
        [_name(chat.members, source) for chat in chats], [string(chat.members.get("id")) for chat in chats]
    )
    for chat, name in zip(chats, names, strict=True):
        yield Stream(name, chat.collected.open, identity=_identity(chat.members, root.members))


def _identity(chat: dict[str, Any], document: dict[str, Any]) -> str:
    """The chat's id; in the export of an account with its owner's, as several people have chats with the same one."""
    owner = string(mapping(document.get("personal_information")).get("user_id"))
    id = string(chat.get("id"))
    return f"{owner}/{id}" if owner and id else id


def _read(source: Source, options: Options) -> tuple[_Chat, list[_Chat], InputError | None]:
    """What stands at the top of an export, its chats, and where it breaks, if it does."""
    root = _Chat()
    chats: list[_Chat] = []
    try:
        for path, kind, value in walk(source, _entered, _repaired):
            within = chats[-1] if len(path) > 1 and chats else root
            if kind == "items":
                within.take(value, source.name, options)
            elif kind == "start" and path[-1:] == ("*",):
                chats.append(_Chat())
            elif path[-1:] == ("messages",) and kind == "start":
                within.listed = True
            elif kind == "value" and (len(path) == 1 or path[-2:-1] == ("*",)):
                within.members[path[-1]] = value
    except InputError as error:
        defect: InputError | None = error
    else:
        defect = None
    return root, [root, *chats] if root.listed else chats, defect


def _entered(path: Path) -> str:
    """The messages of a single chat, or those of the lists of chats, which may be wrapped in an object."""
    if not path:
        return "{"
    if path == ("messages",):
        return "["
    if path[0] not in ("chats", "left_chats"):
        return ""
    inside = path[2:] if path[1:2] == ("list",) else path[1:]
    if len(path) == 1:
        return "{["
    return {(): "[", ("*",): "{", ("*", "messages"): "["}.get(inside, "")


def _repaired(text: str) -> str:
    """Telegram has written control characters as \\x0B, which is not JSON."""
    return _HEX_ESCAPE.sub(r"\1\\u00\2", text)


def _name(chat: dict[str, Any], source: Source) -> str:
    if chat.get("type") == "saved_messages":
        return "Saved Messages"
    return clean(string(chat.get("name"))) or (GONE if "name" in chat else fallback_name(source.name))


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
