"""Microsoft Teams: messages as the Graph API gives them, in either case of keys, and the export of personal data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..assembly import PEOPLE, ROOMS, Ids, streams
from ..clock import from_iso, from_milliseconds
from ..document import dicts, load_json, mapping, string
from ..format import Clue, Format, Options, Report, Sample, Stream, expecting
from ..names import chat_name, fallback_name
from ..source import Source, Tree
from ..wording import lines_of, people_names
from .words import Shown, activity, attached, body, event, files, get

_GUID = re.compile(r"[_-]?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_SIDE = re.compile(r"(teams(List|Settings)|usersList|(channels|teamMembers|teamInstalledApps|meetings)_[\w-]+)\.json")
_SENDERS = ("user", "application", "device", "conversation")
_HIDDEN = ("Control/", "Signal/")

_Records = list[tuple[str, int, object]]
_Teller = Callable[[_Records, "_Directory", int, Report], Iterator[Message]]


@dataclass(slots=True)
class _Directory:
    """Names by id, of people, teams and channels alike."""

    names: dict[str, str] = field(default_factory=dict)

    def learn(self, record: object) -> None:
        id, name = string(get(record, "id")), string(get(record, "displayName"))
        if id and name:
            self.names.setdefault(id, clean(name))

    def identity(self, record: object) -> str:
        """The name of somebody or something that has an id and maybe a displayName."""
        id = string(get(record, "id"))
        return clean(string(get(record, "displayName"))) or self.person(id)

    def person(self, id: str) -> str:
        bare = re.sub(r"^(https?://.*/contacts/)?\d+:(orgid:|live:)?", "", id.strip())
        return self.names.get(id) or self.names.get(bare) or bare


def _sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if keys["MessageList"] and keys["originalarrivaltime"] + keys["messagetype"]:
        return Clue(1.0, "conversations with a MessageList")
    if keys["conversations"] and keys["exportDate"] and keys["userId"]:
        return Clue(0.9, "has userId, exportDate and conversations keys")
    lowered = {key[:1].lower() + key[1:] for key in keys}
    typical = {"createdDateTime", "body", "contentType", "from"} <= lowered
    if typical and lowered & {"channelIdentity", "chatId", "replyToId", "eventDetail", "messageType"}:
        return Clue(1.0, "messages with createdDateTime, body and from")
    return None


def _claim(tree: Tree) -> Clue | None:
    """Messages, and beside them nothing but lists of what has a displayName."""
    parts = _parts(tree)
    if not parts:
        return None
    named = {source for member, source in tree.files.items() if _SIDE.fullmatch(PurePosixPath(member).name)}
    others = (Sample(source) for source in tree.files.values() if source not in parts and source not in named)
    listed = all(sample.json_keys["displayName"] + sample.json_keys["DisplayName"] for sample in others)
    return Clue(0.95, "holds messages of Microsoft Teams") if listed else None


def _parts(tree: Tree) -> list[Source]:
    return [source for member, source in tree.files.items() if member.endswith(".json") and _sniff(Sample(source))]


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    parts, directory, strays = _parts(tree), _Directory(), Report()
    for member, source in tree.files.items():
        if source in parts:
            continue
        records = _listed(load_json(source)) if member.endswith(".json") else []
        for number, record in enumerate(records, 1):
            directory.learn(record)
            strays.skip(source.name, number, _listing(PurePosixPath(member).name))
        if not records:
            strays.skip(source.name, 0, "a file beside the messages")
    yield from streams(_chats(parts, directory), strays, fallback_name(tree.name))


def _listing(name: str) -> str:
    if re.match(r"teamInstalledApps|meetings", name):
        return "a list of apps or meetings, no message"
    return ROOMS if re.match(r"channels|teams", name) else PEOPLE


def _read(source: Source, options: Options) -> Iterator[Stream]:
    directory = _Directory()
    path = PurePosixPath(source.name)
    other = source.sibling(path.name.replace("messages", "channels", 1)) if "messages_" in path.name else None
    for record in _listed(load_json(other)) if other else []:
        directory.learn(record)
    yield from streams(_chats([source], directory), Report(), fallback_name(source.name))


def _listed(document: object) -> list[Any]:
    for key in ("value", "messages"):
        if isinstance(found := get(document, key), list):
            return found
    return document if isinstance(document, list) else []


@dataclass(frozen=True, slots=True)
class _Room:
    """A chat, of which several people's files may hold parts."""

    name: str
    id: str
    records: _Records
    tell: _Teller

    def hint(self, directory: _Directory) -> str:
        """What tells it from another of its name: the team, else its id."""
        teams = (string(get(record, "channelIdentity", "teamId")) for _, _, record in self.records)
        return directory.names.get(next(filter(None, teams), "")) or self.id


def _chats(parts: Iterable[Source], directory: _Directory) -> list[tuple[str, str, Any]]:
    rooms: dict[str, _Room] = {}
    for part in parts:
        for room in _rooms(part, directory):
            rooms.setdefault(room.id or part.name, _Room(room.name, room.id, [], room.tell)).records.extend(
                room.records
            )
    return [(room.name, room.hint(directory), partial(room.tell, room.records, directory)) for room in rooms.values()]


def _rooms(source: Source, directory: _Directory) -> Iterator[_Room]:
    with expecting("msteams", source, _sniff):
        document = load_json(source)
    conversations = get(document, "conversations")
    if isinstance(conversations, list):
        yield from _personal(source, conversations, directory)
        return
    records = [record for each in _listed(document) for record in (each, *_nested(each))]
    records = records or ([document] if "body" in mapping(document) else [])
    if records and not any(get(record, "body") is not None or get(record, "eventDetail") for record in records):
        raise WrongFormat(source.name, "msteams", "no record in it has a body")
    if not records and not isinstance(document, list) and not isinstance(get(document, "value"), list):
        raise WrongFormat(source.name, "msteams", "it has no list of messages")
    rooms: dict[str, _Records] = {}
    for number, record in enumerate(records, 1):
        directory.learn(get(record, "from", "user"))
        rooms.setdefault(_room(record), []).append((source.name, number, record))
    for id, found in rooms.items():
        yield _Room(_label(id, source, document, found, directory), id, found, _messages)


def _nested(record: object) -> list[dict[str, Any]]:
    return dicts(get(record, "replies"))


def _room(record: object) -> str:
    return string(get(record, "chatId")) or string(get(record, "channelIdentity", "channelId"))


def _label(id: str, source: Source, document: object, records: _Records, directory: _Directory) -> str:
    """The name of a chat: its own, else what its file is called, else who speaks in it, else its id."""
    for holder in (get(document, "channel"), get(document, "chat"), document):
        if name := string(get(holder, "displayName")) or string(get(holder, "topic")):
            return name
    stem = _GUID.sub("", PurePosixPath(source.name.replace("\\", "/")).stem)
    if name := directory.names.get(id) or chat_name(stem):
        return name
    talks = any(get(record, "chatId") for _, _, record in records)
    people = people_names(directory.identity(get(record, "from", "user")) for _, _, record in records) if talks else ""
    return people or id or fallback_name(source.name)


def _messages(records: _Records, directory: _Directory, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    homes: dict[str, str] = {}
    for where, number, record in records:
        id = string(get(record, "id"))
        if id and homes.setdefault(id, where) != where:
            report.skip(where, number, "a message that another file holds too")
        elif get(record, "body") is None and not get(record, "eventDetail") and not get(record, "deletedDateTime"):
            report.unexplain(where, number, "no message: it has neither a body nor an event")
        else:
            yield _message(ids.take(id), mapping(record), directory)


def _message(id: str, record: Mapping[str, Any], directory: _Directory) -> Message:
    when = _time(get(record, "createdDateTime"))
    author = next((name for kind in _SENDERS if (name := directory.identity(get(record, "from", kind)))), "")
    parent = string(get(record, "replyToId"))
    answered = (parent,) if parent and parent != string(get(record, "id")) else ()
    if get(record, "deletedDateTime"):
        return Message(id, when, author, "[deleted]", "system", answered)
    if detail := mapping(get(record, "eventDetail")):
        about, told = event(detail, directory.identity)
        return Message(id, when, clean(about), clean(told), "system", answered)
    content = string(get(record, "body", "content"))
    said = (
        Shown(content)
        if string(get(record, "body", "contentType")) == "text"
        else body(content, get(record, "mentions"))
    )
    others = list(attached(get(record, "attachments")))
    quotes = chain(said.quotes, *(other.quotes for other in others))
    text = lines_of(string(get(record, "subject")), said.text, *(other.text for other in others))
    if "systemEventMessage" in content:
        return Message(id, when, author, "[system event]", "system", answered)
    return Message(id, when, author, text, "message", tuple(dict.fromkeys((*answered, *quotes))))


def _time(value: object) -> datetime | None:
    """ISO 8601, or the /Date(...)/ that Windows PowerShell makes of it."""
    found = re.fullmatch(r"/Date\((-?\d{1,15})\)/", string(value))
    return from_milliseconds(found[1]) if found else from_iso(value)


def _personal(source: Source, conversations: list[Any], directory: _Directory) -> Iterator[_Room]:
    number = 0
    found: list[tuple[dict[str, Any], _Records]] = []
    for conversation in dicts(conversations):
        messages = conversation.get("MessageList")
        records: _Records = []
        for record in messages if isinstance(messages, list) else []:
            number += 1
            records.append((source.name, number, record))
            _meet(directory, mapping(record))
        found.append((conversation, records))
    for conversation, records in found:
        if records:
            name, id = _topic(conversation, records, directory), string(conversation.get("id"))
            yield _Room(name, id, records, _personal_messages)


def _meet(directory: _Directory, record: Mapping[str, Any]) -> None:
    name = string(record.get("displayName")) or string(record.get("imdisplayname"))
    directory.learn({"id": string(record.get("from")), "displayName": name})
    directory.learn({"id": re.sub(r"^\d+:(orgid:|live:)?", "", string(record.get("from"))), "displayName": name})


def _topic(conversation: Mapping[str, Any], records: _Records, directory: _Directory) -> str:
    topic = string(mapping(conversation.get("threadProperties")).get("topic"))
    senders = (directory.person(string(mapping(record).get("from"))) for _, _, record in records)
    return topic or string(conversation.get("displayName")) or people_names(senders) or string(conversation.get("id"))


def _personal_messages(records: _Records, directory: _Directory, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    for where, number, record in records:
        fields = mapping(record)
        kind = string(fields.get("messagetype"))
        if not fields.get("messagetype") and not fields.get("content"):
            report.unexplain(where, number, "no message: it has neither a content nor a messagetype")
        elif kind.startswith(_HIDDEN):
            report.skip(where, number, "a signal that nobody sees, such as typing")
        else:
            yield _personal_message(ids.take(string(fields.get("id"))), fields, kind, directory)


def _personal_message(id: str, record: Mapping[str, Any], kind: str, directory: _Directory) -> Message:
    when = from_iso(record.get("originalarrivaltime"))
    author = clean(string(record.get("displayName"))) or directory.person(string(record.get("from")))
    content = string(record.get("content"))
    if mapping(record.get("properties")).get("deletetime"):
        return Message(id, when, author, "[deleted]", "system")
    if kind.startswith(("ThreadActivity", "Event")):
        about, told = activity(kind, content, directory.person)
        return Message(id, when, clean(about), clean(told), "system")
    said = Shown(content) if kind == "Text" else body(content)
    text = lines_of(said.text, *files(mapping(record.get("properties")).get("files")))
    return Message(id, when, author, text, "message", said.quotes)


FORMAT = Format("msteams", _sniff, _read, _claim, _read_tree)
