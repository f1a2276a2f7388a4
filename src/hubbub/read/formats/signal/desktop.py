"""Rows of Signal Desktop's database as JSON: a list of messages, alone or beside the list of conversations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import PEOPLE, Ids
from ...assembly.download import FoundChat, chat_streams, load_side
from ...detect.file_head import Sample
from ...format import Options, Stream
from ...input.source import Source, rewindable
from ...parsing.json_document import dicts, mapping, string
from ...parsing.path_names import fallback_name
from ...parsing.rendering import lines_of, sentence
from ...report import Report
from ...times.clock import from_milliseconds
from .events import call, rename, timer
from .rendering import DELETED, OWN_NAME, document, files, in_words, mentioned, sticker

_Rows = list[tuple[int, dict[str, Any]]]
# What a change of a group tells: {a} who, {b} whom, {n} the new title.
_GROUP = {
    "create": "{a} created the group",
    "title": "{a} named the group {n}",
    "member-add": "{a} added {b}",
    "member-add-from-invite": "{b} joined the group",
    "member-add-from-link": "{b} joined the group",
    "member-remove": "{a} removed {b}",
}


def is_rows(sample: Sample) -> bool:
    keys = sample.json_keys
    return bool(keys["conversationId"]) and bool(keys["sent_at"] + keys["received_at"]) and "type" in keys


@dataclass(slots=True)
class _Contacts:
    """Names of people and groups by each id that rows use: of the conversation, of the account, the phone number."""

    names: dict[str, str] = field(default_factory=dict)

    def learn(self, fields: Mapping[str, Any]) -> None:
        profile = string(fields.get("profileFullName")) or " ".join(
            part for key in ("profileName", "profileFamilyName") if (part := string(fields.get(key)))
        )
        number = string(fields.get("e164"))
        name = clean(string(fields.get("name")) or profile or number)
        for key in ("id", "serviceId", "uuid", "e164", "groupId"):
            if name and (id := string(fields.get(key))):
                self.names.setdefault(id, name)

    def name(self, id: str) -> str:
        return self.names.get(id, "")

    def shown(self, id: str) -> str:
        return self.names.get(id) or id


def streams(source: Source, options: Options) -> Iterator[Stream]:
    source, strays, contacts = rewindable(source), Report(), _Contacts()
    whole = document(source)
    listed = whole if isinstance(whole, list) else mapping(whole).get("messages", mapping(whole).get("messsages"))
    if listed is None and "conversationId" in mapping(whole):
        listed = [whole]
    if not isinstance(listed, list) or (dicts(listed) and not any("conversationId" in each for each in dicts(listed))):
        raise WrongFormat(source.name, "signal", "it has no list of messages with a conversationId")
    beside = source.sibling("conversations.json")
    people = dicts(mapping(whole).get("conversations")) or dicts(load_side(beside) if beside else None)
    for each in people:
        contacts.learn(_row(each))
    for number in range(1, len(dicts(mapping(whole).get("conversations"))) + 1):
        strays.total += 1
        strays.skip(source.name, number, PEOPLE)
    chats: dict[str, _Rows] = {}
    for number, record in enumerate(listed, 1):
        row = _row(mapping(record))
        if "conversationId" in row:
            chats.setdefault(string(row["conversationId"]), []).append((number, row))
        else:
            strays.total += 1
            strays.unexplain(source.name, number, "no message: it has no conversationId")
    found = [
        FoundChat(_name(id, rows, contacts, source), id, partial(_messages, rows, contacts))
        for id, rows in chats.items()
    ]
    yield from chat_streams(found, strays, fallback_name(source.name))


def _row(record: Mapping[str, Any]) -> dict[str, Any]:
    """A row with what its column of JSON tells beside the other columns."""
    inner = record.get("json")
    try:
        told = mapping(json.loads(inner)) if isinstance(inner, str) else {}
    except (ValueError, RecursionError):
        told = {}
    return {**told, **{key: value for key, value in record.items() if value is not None and key != "json"}}


def _name(id: str, rows: _Rows, contacts: _Contacts, source: Source) -> str:
    if name := contacts.name(id) or string(rows[0][1].get("conversationName")):
        return name
    senders = dict.fromkeys(_sender(row, contacts) for _, row in rows if row.get("type") == "incoming")
    return next(iter(senders)) if len(senders) == 1 and "" not in senders else fallback_name(source.name)


def _messages(rows: _Rows, contacts: _Contacts, first: int, report: Report) -> Iterator[Message]:
    report.total += len(rows)
    ids = Ids()
    for _, row in rows:
        # A quote names a message by the moment at which it was sent, so that is its id.
        yield _message(ids.take(string(row.get("sent_at")) or string(row.get("id"))), row, contacts)


def _message(id: str, row: Mapping[str, Any], contacts: _Contacts) -> Message:
    when = from_milliseconds(row.get("sent_at") or row.get("timestamp") or row.get("received_at_ms"))
    kind, author = string(row.get("type")), _sender(row, contacts)
    if kind not in ("incoming", "outgoing", "", "story"):
        about, told = _event(kind, row, author, contacts)
        return Message(id, when, clean(about), clean(told), "system")
    if row.get("deletedForEveryone") or row.get("isErased") is True:
        return Message(id, when, author, DELETED, "system")
    said = mentioned(string(row.get("body")), row.get("bodyRanges"), contacts.shown)
    text = lines_of(said, *files(row.get("attachments")), sticker(row.get("sticker")))
    answered = string(mapping(row.get("quote")).get("id"))
    return Message(id, when, author, text, "message", (answered,) if answered else ())


def _sender(row: Mapping[str, Any], contacts: _Contacts) -> str:
    if row.get("type") == "outgoing":
        return OWN_NAME
    ids = [string(row[key]) for key in ("sourceServiceId", "sourceUuid", "source") if row.get(key)]
    known = next((name for id in ids if (name := contacts.name(id))), "")
    return clean(known or (ids[-1] if ids else contacts.name(string(row.get("conversationId")))))


def _event(kind: str, row: Mapping[str, Any], author: str, contacts: _Contacts) -> tuple[str, str]:
    if kind == "call-history":
        details = mapping(row.get("callHistory")) or mapping(row.get("callHistoryDetails"))
        how = [in_words(string(details.get(key))) for key in ("direction", "status") if details.get(key)]
        return author, call(f"{in_words(string(details.get('type')))} call".strip(), how)
    if kind == "profile-change":
        change = mapping(row.get("profileChange"))
        return rename(string(change.get("oldName")), string(change.get("newName")), author)
    if kind == "timer-notification":
        return author, sentence(author, timer(mapping(row.get("expirationTimerUpdate")).get("expireTimer"), 1))
    if kind == "group-v2-change":
        change = mapping(row.get("groupV2Change"))
        who = contacts.name(string(change.get("from"))) or "Somebody"
        told = ", ".join(_change(each, who, contacts) for each in dicts(change.get("details")))
        return who if who != "Somebody" else author, told or sentence(author, "changed the group")
    return author, sentence(author, in_words(kind))


def _change(detail: Mapping[str, Any], who: str, contacts: _Contacts) -> str:
    kind = string(detail.get("type"))
    whom = contacts.name(string(detail.get("aci")) or string(detail.get("uuid"))) or "somebody"
    if kind not in _GROUP:
        return f"{who}: {in_words(kind) or 'change'}"
    return _GROUP[kind].format(a=who, b=whom, n=string(detail.get("newTitle")))
