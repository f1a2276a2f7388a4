"""Gitter: messages as its REST API gave them, in the files that export tools wrote of a room, whole or page by page.

A file is a list, an object with `items` and `lookups`, or a message a line. Pages of one room lie in one folder and
may overlap. A list of rooms beside them tells their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ...chat import Message
from ...errors import Broken, Empty, WrongFormat
from ...text import clean, natural
from ..assembly.chat_streams import CHAT_LIST, Ids
from ..assembly.download import FoundChat, chat_streams, load_side
from ..assembly.export_folder import is_asset
from ..detect.file_head import Clue, Sample
from ..detect.sniff import candidates
from ..format import Format, Options, Stream, expecting
from ..input.lines import text_of
from ..input.source import Source, Tree
from ..parsing.html import parse
from ..parsing.json_document import dicts, mapping, parse_json, string
from ..parsing.path_names import fallback_name, name_from_path
from ..parsing.rendering import emoji, lines_of, mentions
from ..report import Report, leaving_out
from ..times.clock import from_iso

TWICE = "a message that is in the input twice"
_SIGNS = {"text", "html", "fromUser", "sent"}
_TYPICAL = {"readBy", "unread", "issues", "mentions", "urls", "editedAt", "avatarUrlSmall", "threadMessageCount"}
_DATA = re.compile(r"(?i)\.(?:json|jsonl|ndjson)(?:\.gz)?$")
_BESIDE = re.compile(r"(?i)(?:^|/)(?:README|LICEN[CS]E)[^/]*$")
_ROOM_LISTS = ("rooms.json", "room.json")
# What tools put behind the name of a room for each page: the id of a message and the time, or the number of the page.
_PAGE = re.compile(r"(?i)[-_.][0-9a-f]{24}(?:[-_.]\d+)?$|^(?:all)?[-_. ]?(?:messages?|pages?|parts?|chat)?[-_. ]?\d*$")

_Records = list[tuple[str, int, object]]


@dataclass(slots=True)
class _Known:
    """Who is who by id and by username, and what the rooms of a list are called by id."""

    people: dict[str, str] = field(default_factory=dict)
    usernames: dict[str, str] = field(default_factory=dict)
    rooms: dict[str, str] = field(default_factory=dict)

    def meet(self, user: Mapping[str, Any]) -> None:
        username = string(user.get("username"))
        name = clean(string(user.get("displayName")) or username)
        if name:
            self.people.setdefault(string(user.get("id")), name)
            self.usernames.setdefault(username, name)

    def learn_rooms(self, document: object) -> None:
        for room in dicts(document) or dicts([document]):
            name = clean(string(room.get("uri")) or string(room.get("name")))
            if (id := string(room.get("id"))) and name:
                self.rooms[id] = name


@dataclass(slots=True)
class _Room:
    """The records of one room, from one file or many; `id` if a list or the records tell it, `hint` is its folder."""

    name: str
    id: str
    hint: str
    records: _Records = field(default_factory=list)


def _sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if keys["fromUser"] and keys["sent"] and (keys["text"] or keys["html"]) and _TYPICAL & keys.keys():
        return Clue(1.0, "messages with fromUser, sent and text")
    if _is_rooms(sample):
        return Clue(0.9, "a list of Gitter rooms")
    return None


def _is_rooms(sample: Sample) -> bool:
    return bool(sample.json_start) and {"uri", "oneToOne", "userCount"} <= sample.json_keys.keys()


def _claim(tree: Tree) -> Clue | None:
    """Messages of Gitter, and nothing that is a chat of another format."""
    others = {name: each for name, each in tree.files.items() if not is_asset(name) and not _BESIDE.search(name)}
    if not others or not all(map(_DATA.search, others)):
        return None
    own = [name for name, source in others.items() if _sniff(Sample(source))]
    if not own or any(_is_foreign(source) for name, source in others.items() if name not in own):
        return None
    return Clue(0.97, "holds messages of Gitter")


def _is_foreign(source: Source) -> bool:
    try:
        return bool(candidates(source))
    except Empty:
        return False


def _read(source: Source, options: Options) -> Iterator[Stream]:
    known, strays = _Known(), Report()
    with expecting("gitter", source, _sniff):
        document = _document(source)
    if _is_room_list(document):
        _skip_rooms(source.name, document, strays)
        yield from chat_streams([], strays, fallback_name(source.name))
        return
    for name in _ROOM_LISTS:
        if beside := source.sibling(name):
            known.learn_rooms(load_side(beside))
    records = _records(source.name, document, known)
    if records and not any({"fromUser", "sent"} & mapping(each).keys() for _, _, each in records):
        raise WrongFormat(source.name, "gitter", "no record in it has a fromUser or a sent")
    name, id = _label(source.name, records, known)
    yield from _streams([_Room(name, id, "", records)], known, strays, name)


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    known, strays = _Known(), Report()
    documents: list[tuple[Source, object]] = []
    for member in sorted(tree.files, key=natural):
        source = tree.files[member]
        with leaving_out(strays, source.name, source):
            if not _DATA.search(member) or not source.head.strip():
                strays.skip_file(source.name, "a file beside the messages")
                continue
            document = _document(source)
            if _is_room_list(document):
                known.learn_rooms(document)
                _skip_rooms(source.name, document, strays)
            else:
                documents.append((source, document))
    yield from _streams(_joined(documents, known), known, strays, fallback_name(tree.name))


def _joined(documents: list[tuple[Source, object]], known: _Known) -> list[_Room]:
    rooms: dict[str, _Room] = {}
    for source, document in documents:
        records = _records(source.name, document, known)
        name, id = _label(source.name, records, known)
        folder = PurePosixPath(source.name).parent
        rooms.setdefault(id or f"{folder}/{name}", _Room(name, id, folder.name)).records.extend(records)
    return list(rooms.values())


def _streams(rooms: list[_Room], known: _Known, strays: Report, otherwise: str) -> Iterator[Stream]:
    found = [FoundChat(room.name, room.id, partial(_messages, room.records, known), room.hint) for room in rooms]
    yield from chat_streams(found, strays, otherwise)


def _document(source: Source) -> object:
    """The document, or the list of what the lines hold: None for one that is no JSON."""
    text = text_of(source)
    try:
        return parse_json(text, source.name)
    except Broken:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not isinstance(_line(lines[0]), dict):
            raise
        return [_line(line) for line in lines]


def _line(text: str) -> object:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _is_room_list(document: object) -> bool:
    listed = dicts(document) or dicts([document])
    return any("uri" in each for each in listed) and not any({"sent", "fromUser"} & each.keys() for each in listed)


def _skip_rooms(where: str, document: object, strays: Report) -> None:
    for number in range(1, (len(document) if isinstance(document, list) else 1) + 1):
        strays.total += 1
        strays.skip(where, number, CHAT_LIST)


def _records(where: str, document: object, known: _Known) -> _Records:
    """The messages of a document; whoever it names is met on the way."""
    whole = mapping(document)
    listed = next((whole[key] for key in ("items", "messages") if isinstance(whole.get(key), list)), document)
    for id, user in mapping(mapping(whole.get("lookups")).get("users")).items():
        known.meet({"id": id, **mapping(user)})
    records = listed if isinstance(listed, list) else [listed]
    for record in records:
        known.meet(mapping(mapping(record).get("fromUser")))
    return [(where, number, record) for number, record in enumerate(records, 1)]


def _label(place: str, records: _Records, known: _Known) -> tuple[str, str]:
    """The name of a room and its id: as its messages, the list of rooms, its file or its folder tell them."""
    path = PurePosixPath(place.replace("\\", "/"))
    stem = _DATA.sub("", path.name)
    fields = (mapping(record) for _, _, record in records)
    told = next((id for each in fields for key in ("roomId", "troupeId") if (id := string(each.get(key)))), "")
    shown = _PAGE.sub("", stem)
    id = next((each for each in (told, shown, path.parent.name) if each in known.rooms), told)
    if id in known.rooms:
        return known.rooms[id], id
    here = shown or path.parent.name
    by_name = next((each for each, uri in known.rooms.items() if uri.replace("/", "_") == here), id)
    return known.rooms.get(by_name) or (name_from_path(shown) if shown else fallback_name(place)), by_name


def _messages(records: _Records, known: _Known, first: int, report: Report) -> Iterator[Message]:
    report.total += len(records)
    ids, seen = Ids(), set[str]()
    for where, number, record in records:
        fields = mapping(record)
        id = string(fields.get("id"))
        if not fields.keys() & _SIGNS:
            report.unexplain(where, number, "no message: it has neither a text nor an author")
        elif id and id in seen:
            report.skip(where, number, TWICE)
        else:
            seen.add(id)
            yield _message(ids.take(id), fields, known)


def _message(id: str, record: Mapping[str, Any], known: _Known) -> Message:
    when, author = from_iso(record.get("sent")), _author(record, known)
    parent = string(record.get("parentId")) or string(record.get("threadMessageId"))
    answered = (parent,) if parent and parent != id else ()
    said = string(record.get("text")) or parse(string(record.get("html"))).text()
    if not said.strip():  # Gitter lets people delete a message by editing it until nothing is left
        return Message(id, when, author, "[deleted]", "system", answered)
    if record.get("status") is True:
        username = string(mapping(record.get("fromUser")).get("username"))
        said = re.sub(rf"^(?:/me|@{re.escape(username)})\s+", "", said)
        return Message(id, when, author, _shown(said, known), "action", answered)
    return Message(id, when, author, _shown(said, known), "message", answered)


def _shown(text: str, known: _Known) -> str:
    return lines_of(emoji(mentions(text, known.usernames)))


def _author(record: Mapping[str, Any], known: _Known) -> str:
    """Somebody on the other side of the bridge to Matrix, a user, or the id of one that a table names."""
    user = record.get("fromUser")
    bridged, own = mapping(record.get("virtualUser")), mapping(user)
    name = string(bridged.get("displayName")) or string(own.get("displayName")) or string(own.get("username"))
    return clean(name) or known.people.get(string(user)) or string(user) or string(bridged.get("externalId"))


FORMAT = Format("gitter", _sniff, _read, _claim, _read_tree)
