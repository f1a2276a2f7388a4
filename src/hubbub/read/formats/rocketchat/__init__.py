"""Rocket.Chat: a mongodump (BSON), mongoexport JSON, the answers of its web API, and the export of one room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ....chat import Message
from ....errors import Broken, WrongFormat
from ....text import clean
from ...assembly.chat_streams import CHAT_LIST, PEOPLE, Ids, streams
from ...assembly.export_folder import covers
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.lines import text_of
from ...input.source import Source, Tree, is_blank, rewindable
from ...parsing.json_document import dicts, mapping, parse_json, string
from ...parsing.path_names import fallback_name, name_from_path
from ...parsing.rendering import emoji, file_word, lines_of, mentions, people_names
from ...report import Report, leaving_out
from ...times.clock import from_iso, from_milliseconds
from . import bson
from .events import event

_ENDINGS = (".bson", ".json", ".jsonl", ".bson.gz", ".json.gz")
_MESSAGES = re.compile(r"(rocketchat_)?messages?\.(bson|jsonl?)(\.gz)?")
_ROOMS = ("rocketchat_room", "rocketchat_rooms", "rooms")
_PEOPLE = ("users", "rocketchat_users")
_EXPORTED = {
    "msg", "username", "name", "ts", "type", "drid", "tmid", "attachments", "title", "title_link", "url", "remote",
    "image_dimensions", "width", "height", "image_preview", "fileId", "fileName", "description",
}  # fmt: skip
_EVERYWHERE = "GENERAL"  # the id of the first room of every server
_QUOTE = re.compile(r"\[ ?\]\([^()\s]{0,500}?[?&]msg=([^()\s&]{1,99})[^()\s]{0,500}\)[ \n]?")
_LINKED = re.compile(r"[?&]msg=([^&\s]+)")


@dataclass(slots=True)
class _Directory:
    """Who is who by username, and the name of each room by id."""

    people: dict[str, str] = field(default_factory=dict)
    rooms: dict[str, str] = field(default_factory=dict)

    def person(self, username: str) -> str:
        return self.people.get(username) or username

    def room(self, id: str) -> str:
        return self.rooms.get(id) or ("#general" if id == _EVERYWHERE else id)


def _sniff(sample: Sample) -> Clue | None:
    if bson.looks_like(sample.head):
        return _sniff_bson(sample.head)
    keys = sample.json_keys
    if keys["rid"] and keys["msg"] and keys["ts"] and keys["u"]:
        return Clue(0.97, "messages with rid, msg, ts and u")
    if keys["_id"] and keys["usersCount"] and keys["t"] and keys["msgs"]:
        return Clue(0.9, "a list of Rocket.Chat rooms")
    if keys["_id"] and keys["username"] and keys["services"] + keys["roles"] + keys["emails"]:
        return Clue(0.9 if keys["statusConnection"] else 0.8, "a list of Rocket.Chat users")
    if keys["msg"] and keys["username"] and keys["ts"] and not keys["text"]:
        return Clue(0.7 if keys.keys() - _EXPORTED else 0.9, "messages with msg, username and ts")
    return None


def _sniff_bson(head: bytes) -> Clue | None:
    if b"rid\x00" in head and b"msg\x00" in head and b"ts\x00" in head:
        return Clue(1.0, "BSON messages with rid, msg and ts")
    if b"usersCount\x00" in head or b"msgs\x00" in head:
        return Clue(0.9, "BSON rooms")
    if b"username\x00" in head and (b"services\x00" in head or b"roles\x00" in head):
        return Clue(0.9, "BSON users")
    return None


def _claim(tree: Tree) -> Clue | None:
    found = _message_files(tree)
    return Clue(1.0, f"holds {PurePosixPath(found[0].name).name}") if covers(tree, found) else None


def _message_files(tree: Tree) -> list[Source]:
    named = [source for member, source in tree.files.items() if _MESSAGES.fullmatch(PurePosixPath(member).name)]
    return [source for source in named if (clue := _sniff(Sample(source))) and clue.score > 0.9]


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    files = _message_files(tree)
    if not files:
        raise WrongFormat(tree.name, "rocketchat", "it has no file of messages, such as rocketchat_message.bson")
    directory, strays = _Directory(), Report()
    rooms = [source for stem in _ROOMS for ending in _ENDINGS for source in tree.named(stem + ending)]
    people = [source for stem in _PEOPLE for ending in _ENDINGS for source in tree.named(stem + ending)]
    _learn(directory, people, rooms, strays)
    for source in tree.files.values():
        if source not in (*files, *rooms, *people):
            with leaving_out(strays, source.name, source):
                if _MESSAGES.fullmatch(PurePosixPath(source.name).name) and not is_blank(source.head):
                    all(True for _ in _records(source))  # goes through them, and fails if one is broken
                strays.skip_file(source.name, "a file beside the messages")
    records: list[tuple[str, int, object]] = []
    for source in files:
        with leaving_out(strays, source.name, None if bson.looks_like(source.head) else source):
            records += ((source.name, number, record) for number, record in _records(source))
    yield from _chats(records, directory, strays, tree.name)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    with expecting("rocketchat", source, _sniff):
        records = [(source.name, number, record) for number, record in _records(source)]
    strays, directory = Report(), _Directory()
    if _is_list(records):
        reason = PEOPLE if all("username" in mapping(record) for _, _, record in records) else CHAT_LIST
        strays.total += len(records)
        for where, number, _ in records:
            strays.skip(where, number, reason)
        yield from streams([], strays, fallback_name(source.name))
        return
    if records and not any({"msg", "rid"} & mapping(record).keys() for _, _, record in records):
        raise WrongFormat(source.name, "rocketchat", "no record in it has a msg or a rid")
    _learn(directory, _beside(source, _PEOPLE), _beside(source, _ROOMS), Report())
    yield from _chats(records, directory, strays, source.name)


def _beside(source: Source, stems: Iterable[str]) -> list[Source]:
    """Files of these names beside this one that are Rocket.Chat's too."""
    if source.name == "<stdin>":
        return []
    found = (source.sibling(stem + ending) for stem in stems for ending in _ENDINGS)
    return [each for each in found if each and _sniff(Sample(each))]


def _is_list(records: list[tuple[str, int, object]]) -> bool:
    """Rooms have a type and a count, people have a username; neither has a room that it is in."""
    found = [record for _, _, record in records if isinstance(record, dict)]
    return bool(found) and all("msg" not in each and "rid" not in each and "_id" in each for each in found)


def _records(source: Source) -> Iterator[tuple[int, object]]:
    """The records of a dump, whatever its form, numbered from 1."""
    if bson.looks_like(source.head):
        yield from enumerate(bson.documents(source.bytes(), source.name), 1)
        return
    text = text_of(source)
    try:
        document = parse_json(text, source.name)
    except Broken:
        lines = [line for line in text.split("\n") if line.strip(" \r\t,[]")]
        if len(lines) < 2 or not lines[0].rstrip("\r, ").endswith("}"):
            raise
        yield from enumerate((parse_json(line.rstrip("\r, "), source.name) for line in lines), 1)
        return
    if isinstance(document, dict) and not ("ts" in document and _fits(document)):
        lists = (document.get(key) for key in ("messages", "rooms", "channels", "users", "update"))
        document = next((each for each in lists if isinstance(each, list)), [document])
    yield from enumerate(document if isinstance(document, list) else [document], 1)


def _learn(directory: _Directory, people: Iterable[Source], rooms: Iterable[Source], strays: Report) -> None:
    for source in people:
        for record in _listed(source, PEOPLE, strays):
            _meet(directory, record)
    for source in rooms:
        for record in _listed(source, CHAT_LIST, strays):
            room = mapping(record)
            directory.rooms[_id(room.get("_id"))] = _room_name(room, directory)


def _listed(source: Source, reason: str, strays: Report) -> Iterator[object]:
    """The records of a list, each noted; what cannot be read of it is left out."""
    with leaving_out(strays, source.name):
        for number, record in _records(source):
            strays.total += 1
            strays.skip(source.name, number, reason)
            yield record


def _meet(directory: _Directory, record: object) -> None:
    person = mapping(record)
    username, name = string(person.get("username")), string(person.get("name"))
    if username and name:
        directory.people[username] = clean(name)


def _room_name(room: Mapping[str, Any], directory: _Directory) -> str:
    usernames = room.get("usernames")
    if room.get("t") == "d" and isinstance(usernames, list):
        return people_names(directory.person(string(each)) for each in usernames)
    shown = string(room.get("fname")) or string(room.get("name"))
    return f"#{shown}" if shown and room.get("t") in ("c", "p") and not room.get("prid") else shown


def _chats(
    records: list[tuple[str, int, object]], directory: _Directory, strays: Report, name: str
) -> Iterator[Stream]:
    rooms: dict[str, list[tuple[str, int, object]]] = {}
    for where, number, record in records:
        found = mapping(record)
        for person in (found.get("u"), *dicts(found.get("mentions"))):
            _meet(directory, person)
        rooms.setdefault(string(found.get("rid")), []).append((where, number, record))
    fallback = name_from_path(name)
    chats = [(directory.room(id) or fallback, id, partial(_messages, r, directory)) for id, r in rooms.items()]
    yield from streams(chats, strays, fallback, [id if id != _EVERYWHERE else "" for id in rooms])


def _fits(record: Mapping[str, Any]) -> bool:
    return bool({"msg", "t", "attachments", "file", "files"} & record.keys())


def _messages(
    records: list[tuple[str, int, object]], directory: _Directory, first: int, report: Report
) -> Iterator[Message]:
    ids, count = Ids(), first
    report.total += len(records)
    for where, number, record in records:
        if not isinstance(record, dict) or not _fits(record):
            report.unexplain(where, number, "no message: it has neither a msg nor a type")
        elif record.get("_hidden") and record.get("parent"):
            report.skip(where, number, "an earlier text of an edited message")
        else:
            yield _message(ids.take(_id(record.get("_id")) or str(count)), record, directory)
            count += 1


def _message(id: str, record: Mapping[str, Any], directory: _Directory) -> Message:
    user = mapping(record.get("u"))
    username = string(user.get("username")) or string(record.get("username"))
    name = string(record.get("alias")) or string(user.get("name")) or string(record.get("name"))
    author = clean(name or directory.person(username) or _id(user.get("_id")))
    type = string(record.get("t")) or string(record.get("type"))
    when, said = _time(record.get("ts")), string(record.get("msg"))
    if type == "rm" or record.get("_hidden"):
        return Message(id, when, author, "[deleted]", "system", _answered(record))
    if type == "e2e":
        return Message(id, when, author, "[encrypted message]", "message", _answered(record))
    if type and type != "message":
        told = event(type, author, said, directory.person(said), string(record.get("role")))
        return Message(id, when, author, clean(told), "system", _answered(record))
    return Message(id, when, author, _text(record, said, directory), "message", _answered(record))


def _answered(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The thread a message is in, and the messages it quotes."""
    links = [string(each.get("message_link")) for each in dicts(record.get("attachments"))]
    quoted = [found[1] for link in links if (found := _LINKED.search(link))]
    quoted += _QUOTE.findall(string(record.get("msg")))
    return tuple(dict.fromkeys(id for id in (string(record.get("tmid")), *quoted) if id))


def _text(record: Mapping[str, Any], said: str, directory: _Directory) -> str:
    attachments = [each for each in dicts(record.get("attachments")) if not each.get("message_link")]
    shown = [_attachment(each, directory) for each in attachments]
    files = dicts(record.get("files")) or dicts([record.get("file")])
    if not any(shown):
        shown = [file_word(string(file.get("name")), string(file.get("type"))) for file in files]
    said = _QUOTE.sub("", said)
    for room in dicts(record.get("channels")):
        if (known := directory.rooms.get(_id(room.get("_id")))) and string(room.get("name")):
            said = said.replace(f"#{room['name']}", "#" + known.removeprefix("#"))
    return lines_of(_shown(said, directory), *shown)


def _shown(text: str, directory: _Directory) -> str:
    return emoji(mentions(text, directory.people))


def _attachment(attachment: Mapping[str, Any], directory: _Directory) -> str:
    described = _shown(string(attachment.get("description")), directory)
    kinds = [kind for kind in ("image", "video", "audio") if attachment.get(f"{kind}_url")]
    title, text = string(attachment.get("title")), _shown(string(attachment.get("text")), directory)
    if kinds or attachment.get("type") == "file" or attachment.get("title_link_download"):
        return lines_of(described, file_word(title, kinds[0] if kinds else ""), text)
    fields = [f"{string(each.get('title'))}: {string(each.get('value'))}" for each in dicts(attachment.get("fields"))]
    return lines_of(string(attachment.get("author_name")), title, text, described, *fields)


def _id(value: object) -> str:
    return string(mapping(value).get("$oid")) or string(value)


def _time(value: object) -> datetime | None:
    """A time in any form of a dump: a date, ISO text, milliseconds, or extended JSON around one of them."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, dict):
        inner = value.get("$date", value.get("$numberLong"))
        return _time(inner) if not isinstance(inner, dict) else from_milliseconds(inner.get("$numberLong"))
    return from_iso(value) or from_milliseconds(value)


FORMAT = Format("rocketchat", _sniff, _read, _claim, _read_tree)
