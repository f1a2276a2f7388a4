"""Zulip: an organisation's export (folder, .tar.gz, zip, or one file of messages), and messages from its web API.

A topic is a conversation of its own, so every topic of a stream is a chat: "#stream > topic".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ....chat import Kind, Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import CHAT_LIST, PEOPLE, Ids, streams
from ...assembly.export_folder import covers
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source, Tree, is_blank
from ...parsing.json_document import dicts, load_json, mapping, string
from ...parsing.path_names import fallback_name, local_identity, name_from_path
from ...parsing.rendering import lines_of, people_names
from ...report import Report, leaving_out
from ...times.clock import from_epoch, from_iso
from .rendering import from_html, from_markdown

_PART = re.compile(r"messages-\d+\.json")
_PERSONAL, _STREAM, _GROUP = 1, 2, 3
_PEOPLE = ("zerver_userprofile", "zerver_userprofile_mirrordummy", "zerver_userprofile_crossrealm")
_SIGNS = {"recipient", "recipient_id", "display_recipient", "date_sent", "sender_id", "sender_full_name", "subject"}
_SILENT_NAME = re.compile(r"@_?\*\*([^*\n|]+)(?:\|\d+)?\*\*")

_Records = list[tuple[str, int, object]]


@dataclass(slots=True)
class _Realm:
    """Who is who, and where a recipient number leads."""

    people: dict[str, str] = field(default_factory=dict)
    announcers: set[str] = field(default_factory=set)
    streams: dict[str, str] = field(default_factory=dict)
    recipients: dict[str, tuple[object, str]] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    id: str = ""

    def person(self, id: str) -> str:
        return self.people.get(id) or id


def _sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if keys["zerver_message"] or keys["zerver_usermessage"] or keys["zerver_userprofile"] or keys["zerver_realm"]:
        return Clue(1.0, "has tables named zerver_...")
    if keys["date_sent"] and keys["recipient"] and keys["rendered_content"]:
        return Clue(0.9, "messages with recipient, date_sent and rendered_content")
    if keys["sender_full_name"] and keys["content"] and keys["timestamp"]:
        return Clue(0.97, "messages with sender_full_name, content and timestamp")
    return None


def _claim(tree: Tree) -> Clue | None:
    realms = [source for source in tree.named("realm.json") if _sniff(Sample(source))]
    if covers(tree, realms):
        return Clue(1.0, "holds realm.json, an organisation's export")
    return Clue(0.9, "holds messages-000001.json") if covers(tree, _parts(tree)) else None


def _parts(tree: Tree) -> list[Source]:
    named = [source for member, source in tree.files.items() if _PART.fullmatch(PurePosixPath(member).name)]
    return [source for source in named if _sniff(Sample(source))]


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    realm, strays, records = _Realm(), Report(), _Records()
    parts, realms = _parts(tree), tree.named("realm.json")
    for source in realms:
        with leaving_out(strays, source.name, source):
            _learn(realm, mapping(load_json(source)), source.name, strays)
    for source in tree.files.values():
        with leaving_out(strays, source.name, source):
            if source in parts:
                records += _records(source, load_json(source), strays)
            elif source not in realms:
                if _PART.fullmatch(PurePosixPath(source.name).name) and not is_blank(source.head):
                    load_json(source)
                strays.skip_file(source.name, "a file beside the messages")
    yield from _chats(records, realm, strays, tree.name)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    with expecting("zulip", source, _sniff):
        document = load_json(source)
    realm, strays = _Realm(), Report()
    if mapping(document).get("zerver_userprofile") is not None and "zerver_message" not in document:
        _learn(realm, document, source.name, strays)
        yield from streams([], strays, fallback_name(source.name))
        return
    records = _records(source, document, strays)
    fields = [mapping(record).keys() for _, _, record in records]
    if not any("content" in keys and keys & _SIGNS for keys in fields) and not _is_empty(document):
        raise WrongFormat(source.name, "zulip", "no record in it has a content and a recipient")
    beside = source.sibling("realm.json") if source.name != "<stdin>" else None
    _learn(realm, mapping(document), source.name, Report())
    if beside:
        _learn(realm, mapping(load_json(beside)), beside.name, Report())
    yield from _chats(records, realm, strays, source.name)


def _is_empty(document: object) -> bool:
    return document == [] or any(mapping(document).get(key) == [] for key in ("zerver_message", "messages"))


def _records(source: Source, document: object, strays: Report) -> _Records:
    tables = mapping(document)
    for key in tables.keys() - {"zerver_message", "messages"}:
        if key.startswith("zerver_"):
            strays.skip_file(source.name, "a table that holds no message")
    listed = tables.get("zerver_message", tables.get("messages", document if isinstance(document, list) else []))
    return [
        (source.name, number, record) for number, record in enumerate(listed if isinstance(listed, list) else [], 1)
    ]


def _learn(realm: _Realm, tables: Mapping[str, Any], where: str, strays: Report) -> None:
    for each in dicts(tables.get("zerver_realm"))[:1]:
        realm.id = string(each.get("uuid")) or string(each.get("string_id")) or string(each.get("name"))
    for table in _PEOPLE:
        for number, person in enumerate(dicts(tables.get(table)), 1):
            strays.total += 1
            strays.skip(where, number, PEOPLE)
            _meet(realm, string(person.get("id")), person)
    for number, stream in enumerate(dicts(tables.get("zerver_stream")), 1):
        strays.total += 1
        strays.skip(where, number, CHAT_LIST)
        realm.streams[string(stream.get("id"))] = clean(string(stream.get("name")))
    for recipient in dicts(tables.get("zerver_recipient")):
        realm.recipients[string(recipient.get("id"))] = recipient.get("type"), string(recipient.get("type_id"))
    for bond in dicts(tables.get("zerver_subscription")):
        members = realm.members.setdefault(string(bond.get("recipient")), [])
        members.append(string(bond.get("user_profile")))


def _meet(realm: _Realm, id: str, person: Mapping[str, Any]) -> None:
    address = string(person.get("delivery_email")) or string(person.get("email"))
    name = string(person.get("full_name")) or address.partition("@")[0].replace("-", " ").title()
    if name:
        realm.people[id] = clean(name)
    if address.startswith("notification-bot@"):
        realm.announcers.add(id)


def _chats(records: _Records, realm: _Realm, strays: Report, name: str) -> Iterator[Stream]:
    chats: dict[tuple[str, str], tuple[str, _Records]] = {}
    for where, number, record in records:
        fields = mapping(record)
        if fields.get("sender_id") is not None:
            sender = {"full_name": fields.get("sender_full_name"), "email": fields.get("sender_email")}
            _meet(realm, string(fields["sender_id"]), sender)
        key, label = _place(fields, realm)
        chats.setdefault(key, (label, []))[1].append((where, number, record))
    fallback = name_from_path(name)
    found = [(label or fallback, key[0], partial(_messages, r, realm)) for key, (label, r) in chats.items()]
    identities = ["/".join((realm.id, *key)) if realm.id else local_identity(name, *key) for key in chats]
    yield from streams(found, strays, fallback, identities)


def _place(record: Mapping[str, Any], realm: _Realm) -> tuple[tuple[str, str], str]:
    """Where a message was said: a key, and the name of that chat. Topics that differ in case only are the same."""
    shown = record.get("display_recipient")
    topic = clean(string(record.get("subject")) or string(record.get("topic")))
    if isinstance(shown, list):
        people = {string(each.get("id")): string(each.get("full_name")) for each in dicts(shown)}
        return _direct(people)
    number = string(record.get("recipient"))
    kind, id = realm.recipients.get(number, (_STREAM, ""))
    if kind == _PERSONAL:
        return _direct({each: realm.person(each) for each in (string(record.get("sender")), id)})
    if kind == _GROUP:
        return _direct({each: realm.person(each) for each in realm.members.get(number, [])})
    stream = clean(string(shown)) or realm.streams.get(id) or string(record.get("stream_id")) or number
    if not stream:
        return ("", topic.lower()), topic
    return (stream, topic.lower()), f"#{stream} > {topic or 'general chat'}"


def _direct(people: Mapping[str, str]) -> tuple[tuple[str, str], str]:
    """A chat of people, given as names by id."""
    return ("direct", ",".join(sorted(people))), people_names(sorted(people.values())) or "direct messages"


def _messages(records: _Records, realm: _Realm, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    report.total += len(records)
    for where, number, record in records:
        if "content" not in mapping(record):
            report.unexplain(where, number, "no message: it has no content")
        else:
            fields = mapping(record)
            yield _message(ids.take(string(fields.get("id"))), fields, realm)


def _message(id: str, record: Mapping[str, Any], realm: _Realm) -> Message:
    sender = string(record.get("sender")) or string(record.get("sender_id"))
    author = clean(string(record.get("sender_full_name"))) or realm.person(sender)
    content = string(record.get("content"))
    html = record.get("content_type") == "text/html" or re.match(r"\s*<(p|div|ul|ol|blockquote|h\d)\b", content)
    said = from_html(content) if html else from_markdown(content, realm.people)
    text, kind = said.text, _kind(said.text, sender, content, realm)
    if kind == "action":
        text = text.removeprefix("/me ")
    elif kind == "system":
        about = _SILENT_NAME.search(content)
        author = about[1] if about else ""
    return Message(id, _time(record), clean(author), lines_of(text), kind, said.quotes)


def _kind(text: str, sender: str, content: str, realm: _Realm) -> Kind:
    if text.startswith("/me "):
        return "action"
    announced = sender in realm.announcers and ("@_**" in content or "user-mention silent" in content)
    return "system" if announced else "message"


def _time(record: Mapping[str, Any]) -> Any:
    value = record.get("date_sent", record.get("timestamp"))
    try:
        return from_iso(value) or from_epoch(float(string(value)))
    except (ValueError, OverflowError):
        return None


FORMAT = Format("zulip", _sniff, _read, _claim, _read_tree)
