"""Events as JSON: one room's export, an answer of the server, or a bare list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from ...chat import Message
from ...errors import Broken, WrongFormat
from ...text import clean
from ..assembly import Ids, distinct, in_time_order
from ..clock import from_milliseconds
from ..document import dicts, mapping, parse_json, string
from ..format import Report, Stream
from ..lines import text_of
from ..source import Source
from . import state
from .names import room_of_file
from .words import ENCRYPTED, REACTIONS, UNHEARD, VOTES, relation, said

_MESSAGES = ("m.room.message", "m.sticker", *ENCRYPTED)
_SIGNS = {"event_id", "origin_server_ts", "sender", "state_key"}
_POLLS = ("m.poll.start", "org.matrix.msc3381.poll.start")

Event = dict[str, Any]


@dataclass(slots=True)
class _Room:
    name: str
    events: list[Any]
    state: list[Event] = field(default_factory=list)
    id: str = ""


def streams(source: Source) -> Iterator[Stream]:
    rooms = _rooms(_document(source))
    events = [event for room in rooms for event in dicts(room.events)]
    if not any(_SIGNS & event.keys() for event in events) and not any(room.name for room in rooms):
        raise WrongFormat(source.name, "matrix", "it is JSON, but has no Matrix events")
    fallback = room_of_file(source.name)
    names = distinct(
        [clean(room.name) or clean(_told_name(room)) or fallback for room in rooms], [room.id for room in rooms]
    )
    for room, name in zip(rooms, names, strict=True):
        yield Stream(name, partial(_messages, room, source.name))


def _document(source: Source) -> object:
    """One document, or an event a line."""
    text = text_of(source)
    try:
        return parse_json(text, source.name)
    except Broken:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
            raise
        return [parse_json(line, source.name) for line in lines]


def _rooms(document: object) -> list[_Room]:
    if isinstance(document, list):
        return [_Room("", document)]
    whole = mapping(document)
    for key in ("messages", "chunk", "events"):
        if isinstance(whole.get(key), list):
            return [_Room(string(whole.get("room_name")), whole[key], dicts(whole.get("state")))]
    rooms = mapping(whole.get("rooms"))
    return [
        _Room("", _events(mapping(room), "timeline"), dicts(_events(mapping(room), "state")), id)
        for group in ("join", "leave")
        for id, room in mapping(rooms.get(group)).items()
    ]


def _events(room: Event, part: str) -> list[Any]:
    events = mapping(room.get(part)).get("events")
    return events if isinstance(events, list) else []


def _told_name(room: _Room) -> str:
    named = [e for e in (*room.state, *dicts(room.events)) if e.get("type") == "m.room.name"]
    return string(mapping(named[-1].get("content")).get("name")) if named else ""


def _time(event: Event) -> datetime | None:
    return from_milliseconds(event.get("origin_server_ts"))


def _messages(room: _Room, where: str, first: int, report: Report) -> Iterator[Message]:
    report.total += len(room.events)
    teller = _Teller(where, report)
    teller.learn(room)
    stamped = [(_time(event) if isinstance(event, dict) else None, n, event) for n, event in enumerate(room.events, 1)]
    order = sorted(stamped, key=lambda one: (one[0].timestamp() if one[0] else float("inf"), one[1]))
    teller.edits = {string(target): event for _, _, event in order if (target := _edited(event))}
    told = {number: message for when, number, event in order if (message := teller.tell(event, when, number))}
    yield from in_time_order(told[number] for number in sorted(told))


def _edited(event: object) -> str:
    """The id of the message that this event edits, or ""."""
    kind, target = relation(mapping(mapping(event).get("content")))
    return target if kind == "m.replace" else ""


@dataclass(slots=True)
class _Teller:
    """Turns events into messages, in order of time, remembering who is called what."""

    where: str
    report: Report
    names: dict[str, str] = field(default_factory=dict)
    ids: Ids = field(default_factory=Ids)
    known: set[str] = field(default_factory=set)
    edits: dict[str, Event] = field(default_factory=dict)

    def learn(self, room: _Room) -> None:
        """Every name that anybody has at first, for those who speak before they are introduced."""
        for event in (*room.state, *dicts(room.events)):
            self.known.add(string(event.get("event_id")))
            name = string(mapping(event.get("content")).get("displayname"))
            if event.get("type") == "m.room.member" and name:
                self.names.setdefault(string(event.get("state_key")), name)

    def tell(self, event: object, when: datetime | None, number: int) -> Message | None:
        if not isinstance(event, dict):
            self.report.unexplain(self.where, number, "not an event object")
            return None
        if reason := self._silence(event):
            self.report.skip(self.where, number, reason)
            return None
        sender = string(event.get("sender")) or string(event.get("user_id"))
        draft = Message(self.ids.take(string(event.get("event_id"))), when, self.names.get(sender, sender), "")
        message = self._spoken(event, draft) or self._announced(event, draft)
        return message._replace(author=clean(message.author), text=clean(message.text))

    def _silence(self, event: Event) -> str:
        """Why an event is no message of its own, or ""."""
        kind = string(event.get("type"))
        if kind in REACTIONS:
            return "a reaction"
        if kind in VOTES:
            return "a vote in a poll"
        if kind in UNHEARD:
            return "not part of the conversation"
        if _edited(event) in self.known - {""}:
            return "an edit, told in the message that it changes"
        redacted = string(event.get("redacts")) or string(mapping(event.get("content")).get("redacts"))
        return "a deletion, told in the message that is gone" if redacted in self.known - {""} else ""

    def _spoken(self, event: Event, draft: Message) -> Message | None:
        if event.get("type") not in _MESSAGES and event.get("type") not in _POLLS:
            return None
        content = mapping(event.get("content"))
        if not content or mapping(event.get("unsigned")).get("redacted_because"):
            return draft._replace(kind="system", text="[deleted]")
        edit = self.edits.get(string(event.get("event_id")))
        if edit is None and _edited(event):
            edit = event
        kind, text, answered = said(event, mapping(edit.get("content")) if edit else {})
        return draft._replace(kind=kind, text=text, reply_to=answered)

    def _announced(self, event: Event, draft: Message) -> Message:
        if event.get("type") != "m.room.member":
            return draft._replace(kind="system", text=state.sentence(event, draft.author))
        author, text = state.membership(event, self.names)
        return draft._replace(kind="system", author=author, text=text)
