"""Events as JSON: one room's export, an answer of the server, or a bare list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from ....chat import Message
from ....errors import Broken, InputError, WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids, distinct
from ...assembly.sorting import InTime, Sorted, broken_after
from ...format import Stream
from ...input.lines import decode, lines
from ...input.source import Source
from ...parsing.json_document import mapping, parse_json, string
from ...parsing.json_stream import JsonEvent, Path, walk
from ...report import Report
from ...times.clock import from_milliseconds
from . import state
from .file_names import room_of_file
from .rendering import ENCRYPTED, REACTIONS, UNHEARD, VOTES, relation, said

_MESSAGES = ("m.room.message", "m.sticker", *ENCRYPTED)
_SIGNS = {"event_id", "origin_server_ts", "sender", "state_key"}
_POLLS = ("m.poll.start", "org.matrix.msc3381.poll.start")

Event = dict[str, Any]
_Moment = tuple[float, int]  # when it was, and which of the events it is


_LISTS = ("messages", "chunk", "events")
_SIZE = 1000  # what an event takes beside its text, roughly, when it waits in memory


@dataclass(slots=True)
class _Room:
    """A room as it is being read: its events, and what has to be known of all of them before any can be told.

    `state` are names from what the server says of the room beside its events; they go before those in events.
    """

    id: str = ""
    told_id: str = ""
    name: str = ""
    listed: bool = False
    signs: bool = False
    total: int = 0
    events: Sorted[tuple[datetime | None, int, object]] = field(default_factory=Sorted)
    edits: dict[str, tuple[_Moment, Event]] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    state: dict[str, str] = field(default_factory=dict)
    named: dict[bool, str] = field(default_factory=dict)
    defect: InputError | None = None

    def take(self, events: list[Any], of_state: bool) -> None:
        for event in events:
            if isinstance(event, dict):
                self._learn(event, of_state)
            if not of_state:
                self._keep(event)

    def _learn(self, event: Event, of_state: bool) -> None:
        """Every name that anybody has at first, for those who speak before they are introduced."""
        kind, content = event.get("type"), mapping(event.get("content"))
        self.told_id = self.told_id or string(event.get("room_id"))
        if identity := string(event.get("event_id")):
            self.known.add(identity)
        if kind == "m.room.name":
            self.named[of_state] = string(content.get("name"))
        if kind == "m.room.member" and (name := string(content.get("displayname"))):
            (self.state if of_state else self.names).setdefault(string(event.get("state_key")), name)

    def _keep(self, event: object) -> None:
        self.total += 1
        when, size = None, _SIZE
        if isinstance(event, dict):
            self.signs = self.signs or not _SIGNS.isdisjoint(event)
            when = _time(event)
            size += len(string(mapping(event.get("content")).get("body")))
        moment = (when.timestamp() if when else float("inf"), self.total)
        if isinstance(event, dict) and (target := _edited(event)):
            self.edits[target] = max(self.edits.get(target, (moment, event)), (moment, event), key=lambda one: one[0])
        self.events.add(moment, (when, self.total, event), size)

    def told_name(self) -> str:
        return clean(self.name) or clean(self.named.get(False) or self.named.get(True) or "")


def streams(source: Source) -> Iterator[Stream]:
    rooms, defect = _rooms(source)
    if defect and not any(room.total for room in rooms):
        raise defect
    if not any(room.signs or room.name for room in rooms):
        raise WrongFormat(source.name, "matrix", "it is JSON, but has no Matrix events")
    if defect:
        rooms[-1].defect = broken_after(defect, rooms[-1].total)
    fallback = room_of_file(source.name)
    names = distinct([room.told_name() or fallback for room in rooms], [room.id for room in rooms])
    for room, name in zip(rooms, names, strict=True):
        yield Stream(name, partial(_messages, room, source.name), identity=room.id or room.told_id)


def _rooms(source: Source) -> tuple[list[_Room], InputError | None]:
    """The rooms of a document, or of an event a line; and where it breaks, if it does."""
    only, synced = _Room(), dict[Path, _Room]()
    try:
        for path, kind, value in _line_events(source) if _is_lines(source.head) else walk(source, _entered):
            room = synced.setdefault(path[1:3], _Room(path[2])) if len(path) == 5 else only
            if kind == "items":
                room.take(value, "state" in path)
            elif kind == "start" and value == "[":
                room.listed = room.listed or path[-1:] != ("state",)
            elif kind == "value" and path == ("room_name",):
                only.name = string(value)
    except InputError as error:
        defect: InputError | None = error
    else:
        defect = None
    joined = sorted(synced, key=lambda key: key[0] != "join")
    return [*([only] if only.listed else []), *(synced[key] for key in joined)], defect


def _entered(path: Path) -> str:
    """A bare list of events, lists of them in an object, or those of each room in an answer to /sync."""
    if not path:
        return "{["
    if path[0] != "rooms":
        return "[" if len(path) == 1 and path[0] in (*_LISTS, "state") else ""
    group, part = path[1:2], path[3:4]
    if group not in ((), ("join",), ("leave",)) or part not in ((), ("timeline",), ("state",)):
        return ""
    return "{" if len(path) < 5 else "[" if len(path) == 5 and path[4] == "events" else ""


def _is_lines(head: bytes) -> bool:
    """Whether there is an event a line: the first line is a whole object, and others follow."""
    first, *others = [line for line in head.split(b"\n") if line.strip()] or [b""]
    if not others or not first.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(parse_json(decode(first), ""), dict)
    except Broken:
        return False


def _line_events(source: Source) -> Iterator[JsonEvent]:
    yield JsonEvent((), "start", "[")
    for line in lines(source):
        if line.strip():
            yield JsonEvent((), "items", [parse_json(line, source.name)])


def _time(event: Event) -> datetime | None:
    return from_milliseconds(event.get("origin_server_ts"))


def _messages(room: _Room, where: str, first: int, report: Report) -> Iterator[Message]:
    """Events are told in order of time, since names change; messages are sorted from the order of the document."""
    report.total += room.total
    teller = _Teller(where, report, {**room.names, **room.state}, room.known)
    teller.edits = {target: event for target, (_, event) in room.edits.items()}
    told: Sorted[Message] = Sorted()
    for when, number, event in room.events:
        if message := teller.tell(event, when, number):
            told.add(number, message, len(message.text))
    messages = InTime()
    for message in told:
        messages.add(message)
    yield from messages
    if room.defect:
        raise room.defect


def _edited(event: object) -> str:
    """The id of the message that this event edits, or ""."""
    kind, target = relation(mapping(mapping(event).get("content")))
    return target if kind == "m.replace" else ""


@dataclass(slots=True)
class _Teller:
    """Turns events into messages, in order of time, remembering who is called what."""

    where: str
    report: Report
    names: dict[str, str]
    known: set[str]
    ids: Ids = field(default_factory=Ids)
    edits: dict[str, Event] = field(default_factory=dict)

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
        if _edited(event) in self.known:
            return "an edit, told in the message that it changes"
        redacted = string(event.get("redacts")) or string(mapping(event.get("content")).get("redacts"))
        return "a deletion, told in the message that is gone" if redacted in self.known else ""

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
