"""Microsoft Teams: messages as the Graph API gives them, in either case of keys, and the export of personal data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from ....chat import Message
from ....errors import Empty, WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids, streams
from ...assembly.export_folder import is_asset
from ...detect.file_head import Clue, Sample
from ...detect.sniff import SURE, candidates
from ...format import Format, Options, Stream, expecting
from ...input.source import Source, Tree
from ...parsing.json_document import dicts, load_json, mapping, string
from ...parsing.path_names import chat_name, fallback_name
from ...parsing.rendering import lines_of, people_names
from ...report import Report, leaving_out
from ...times.clock import from_iso, from_milliseconds
from .directory import Directory, kind_of, listed, sibling_channels
from .rendering import TeamsText, activity, attached, body, event, files, get

_GUID = re.compile(r"[_-]?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_SENDERS = ("user", "application", "device", "conversation")
_HIDDEN = ("Control/", "Signal/")
TWICE = "a message that is in the input twice"

_Records = list[tuple[str, int, object]]
_Teller = Callable[[_Records, "Directory", int, Report], Iterator[Message]]


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
    """Messages, and beside them nothing that another format would read."""
    parts = _parts(tree)
    if not parts:
        return None
    others = (source for member, source in tree.files.items() if source not in parts and not kind_of(member))
    if any(_is_foreign(source) for source in others):
        return None
    return Clue(0.95, "holds messages of Microsoft Teams")


def _is_foreign(source: Source) -> bool:
    """Whether this is a chat of another format, and not a list or a picture that the export brought."""
    if is_asset(source.name):
        return False
    try:
        found = candidates(source)
    except Empty:
        return False
    return bool(found) and found[0][0].score >= SURE


def _parts(tree: Tree) -> list[Source]:
    return [source for member, source in tree.files.items() if member.endswith(".json") and _sniff(Sample(source))]


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    parts, directory, strays = _parts(tree), Directory(), Report()
    for member, source in tree.files.items():
        if source not in parts:
            directory.learn_file(member, source, strays)
    channels: list[_TeamsChannel] = []
    for part in parts:
        with leaving_out(strays, part.name, part):
            channels += _channels(part, directory)
    yield from _streams(channels, directory, strays, fallback_name(tree.name))


def _read(source: Source, options: Options) -> Iterator[Stream]:
    directory = Directory()
    if other := sibling_channels(source):
        directory.learn_file(other.name, other, Report())
    yield from _streams(list(_channels(source, directory)), directory, Report(), fallback_name(source.name))


def _streams(parts: Iterable[_TeamsChannel], directory: Directory, strays: Report, otherwise: str) -> Iterator[Stream]:
    channels = _joined(parts)
    openers = [
        (channel.name, channel.hint(directory), partial(channel.tell, channel.records, directory))
        for channel in channels
    ]
    yield from streams(openers, strays, otherwise, [channel.id for channel in channels])


@dataclass(frozen=True, slots=True)
class _TeamsChannel:
    """A chat, of which several people's files may hold parts; its id is a channel's with that of its team."""

    name: str
    id: str
    records: _Records
    tell: _Teller

    def hint(self, directory: Directory) -> str:
        """What tells it from another of its name: the team, else its id."""
        teams = (string(get(record, "channelIdentity", "teamId")) for _, _, record in self.records)
        return directory.names.get(next(filter(None, teams), "")) or self.id


def _joined(parts: Iterable[_TeamsChannel]) -> list[_TeamsChannel]:
    """The parts of each chat that the files hold as one; without an id, a file is a chat of its own."""
    channels: dict[str, _TeamsChannel] = {}
    for part in parts:
        key = part.id or part.records[0][0]
        channels.setdefault(key, _TeamsChannel(part.name, part.id, [], part.tell)).records.extend(part.records)
    return list(channels.values())


def _channels(source: Source, directory: Directory) -> Iterator[_TeamsChannel]:
    with expecting("msteams", source, _sniff):
        document = load_json(source)
    conversations = get(document, "conversations")
    if isinstance(conversations, list) and (
        not conversations or any("MessageList" in each for each in dicts(conversations))
    ):
        yield from _personal(source, conversations, directory)
        return
    records = [record for each in listed(document) for record in (each, *_nested(each))]
    records = records or ([document] if "body" in mapping(document) else [])
    if records and not any(mapping(get(record, "body")) or get(record, "eventDetail") for record in records):
        raise WrongFormat(source.name, "msteams", "no record in it has a body")
    if not records and not isinstance(document, list) and not isinstance(get(document, "value"), list):
        raise WrongFormat(source.name, "msteams", "it has no list of messages")
    channels: dict[str, _Records] = {}
    for number, record in enumerate(records, 1):
        directory.learn(get(record, "from", "user"))
        channels.setdefault(_channel_id(record), []).append((source.name, number, record))
    for id, found in channels.items():
        yield _TeamsChannel(_label(id, source, document, found, directory), id, found, _messages)


def _nested(record: object) -> list[dict[str, Any]]:
    return dicts(get(record, "replies"))


def _channel_id(record: object) -> str:
    """The id of a chat, or of a team and its channel."""
    team, channel = (string(get(record, "channelIdentity", key)) for key in ("teamId", "channelId"))
    return string(get(record, "chatId")) or (f"{team}/{channel}" if team and channel else channel)


def _label(id: str, source: Source, document: object, records: _Records, directory: Directory) -> str:
    """The name of a chat: its own, else what its file is called, else who speaks in it, else its id."""
    for holder in (get(document, "channel"), get(document, "chat"), document):
        if name := string(get(holder, "displayName")) or string(get(holder, "topic")):
            return name
    stem = _GUID.sub("", PurePosixPath(source.name.replace("\\", "/")).stem)
    if name := directory.names.get(id.rpartition("/")[2]) or chat_name(stem):
        return name
    talks = any(get(record, "chatId") for _, _, record in records)
    people = people_names(directory.identity(get(record, "from", "user")) for _, _, record in records) if talks else ""
    return people or id.rpartition("/")[2] or fallback_name(source.name)


def _once(records: _Records, modified: str, text: Callable[[object], object], report: Report) -> Iterator[int]:
    """The places of the records that are no copy of another: everybody's export holds a chat that two people share.

    Two records of one id are one message if they are in two files, or say the same; of two the last modified counts.
    """
    report.total += len(records)
    kept: dict[str, int] = {}
    copies: set[int] = set()
    for place, (where, _, record) in enumerate(records):
        id = string(get(record, "id"))
        before = kept.setdefault(id, place) if id else place
        if before == place or (where == records[before][0] and text(record) != text(records[before][2])):
            continue
        newer = string(get(record, modified)) > string(get(records[before][2], modified))
        copies.add(before if newer else place)
        kept[id] = place if newer else before
    for place, (where, number, _) in enumerate(records):
        if place in copies:
            report.skip(where, number, TWICE)
        else:
            yield place


def _messages(records: _Records, directory: Directory, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    for place in _once(records, "lastModifiedDateTime", partial(_value, "body"), report):
        where, number, record = records[place]
        if get(record, "body") is None and not get(record, "eventDetail") and not get(record, "deletedDateTime"):
            report.unexplain(where, number, "no message: it has neither a body nor an event")
        else:
            yield _message(ids.take(string(get(record, "id"))), mapping(record), directory)


def _value(key: str, record: object) -> object:
    return get(record, key)


def _message(id: str, record: Mapping[str, Any], directory: Directory) -> Message:
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
        TeamsText(content)
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


def _personal(source: Source, conversations: list[Any], directory: Directory) -> Iterator[_TeamsChannel]:
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
            yield _TeamsChannel(name, id, records, _personal_messages)


def _meet(directory: Directory, record: Mapping[str, Any]) -> None:
    name = string(record.get("displayName")) or string(record.get("imdisplayname"))
    directory.learn({"id": string(record.get("from")), "displayName": name})
    directory.learn({"id": re.sub(r"^\d+:(orgid:|live:)?", "", string(record.get("from"))), "displayName": name})


def _topic(conversation: Mapping[str, Any], records: _Records, directory: Directory) -> str:
    topic = string(mapping(conversation.get("threadProperties")).get("topic"))
    senders = (directory.person(string(mapping(record).get("from"))) for _, _, record in records)
    return topic or string(conversation.get("displayName")) or people_names(senders) or string(conversation.get("id"))


def _personal_messages(records: _Records, directory: Directory, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    for place in _once(records, "version", partial(_value, "content"), report):
        where, number, record = records[place]
        fields = mapping(record)
        kind = string(fields.get("messagetype"))
        if not fields.get("messagetype") and not fields.get("content"):
            report.unexplain(where, number, "no message: it has neither a content nor a messagetype")
        elif kind.startswith(_HIDDEN):
            report.skip(where, number, "a signal that nobody sees, such as typing")
        else:
            yield _personal_message(ids.take(string(fields.get("id"))), fields, kind, directory)


def _personal_message(id: str, record: Mapping[str, Any], kind: str, directory: Directory) -> Message:
    when = from_iso(record.get("originalarrivaltime"))
    author = clean(string(record.get("displayName"))) or directory.person(string(record.get("from")))
    content = string(record.get("content"))
    if mapping(record.get("properties")).get("deletetime"):
        return Message(id, when, author, "[deleted]", "system")
    if kind.startswith(("ThreadActivity", "Event")):
        about, told = activity(kind, content, directory.person)
        return Message(id, when, clean(about), clean(told), "system")
    said = TeamsText(content) if kind == "Text" else body(content)
    text = lines_of(said.text, *files(mapping(record.get("properties")).get("files")))
    return Message(id, when, author, text, "message", said.quotes)


FORMAT = Format("msteams", _sniff, _read, _claim, _read_tree)
