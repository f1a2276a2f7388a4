"""Google Chat: the download of Google Takeout as zip or folder, one of its chats, or one messages.json."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import CHAT_LIST, PEOPLE, Ids, in_time_order
from ...assembly.download import DownloadLayout, FoundChat, chat_streams, load_side, readable, skip_side
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source, Tree, rewindable
from ...parsing.json_document import dicts, load_json, mapping, string
from ...parsing.path_names import fallback_name
from ...parsing.quotes import Earlier
from ...parsing.rendering import lines_of, people_names
from ...report import Report
from .rendering import call, extras, files
from .times import read_time

_LAYOUT = DownloadLayout(
    re.compile(r"(?:^|/)messages\.json$"),
    re.compile(r"(?:^|/)(?:group_info|user_info)\.json$|(?:^|/)(?:Google Chat|Takeout)/|(?:^|/)archive_browser\.html$"),
)
_SIGNS = {"creator", "created_date", "text", "attached_files", "message_id"}
# What Takeout calls a group that nobody named.
_UNNAMED = ("", "Group Chat")


def _sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    typical = sample.json_start == "{" and {"messages", "creator", "created_date"} <= keys.keys()
    if typical and (keys["topic_id"] or keys["message_id"] or keys["user_type"]):
        return Clue(1.0, "messages with creator, created_date and topic_id")
    return None


def _claim(tree: Tree) -> Clue | None:
    if not _LAYOUT.fits(tree):
        return None
    if any(_sniff(Sample(source)) for _, source in _LAYOUT.parts(tree)[:5]):
        return Clue(1.0, "a folder with messages.json for every chat of Google Chat")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    with expecting("googlechat", source, _sniff):
        found = _look(source, _Owner(), options.timezone)
    yield from chat_streams([found], Report(), found.name)


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays, owner = Report(), _owner(tree)
    parts = [source for _, source in _LAYOUT.parts(tree)]
    found = [chat for _, chat in readable(parts, strays, partial(_look, owner=owner, zone=options.timezone))]
    for source in tree.files.values():
        if source not in parts:
            reason = _side_file(PurePosixPath(source.name).name)
            skip_side(source, strays, reason, helps=reason in (CHAT_LIST, PEOPLE))
    yield from chat_streams(found, strays, fallback_name(tree.name))


def _side_file(name: str) -> str:
    return {"group_info.json": CHAT_LIST, "user_info.json": PEOPLE}.get(name, "a file beside the messages")


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose download it is: a chat of two is named after the other one."""

    name: str = ""
    email: str = ""

    def is_same(self, person: Mapping[str, Any]) -> bool:
        email = string(person.get("email"))
        return email == self.email if email and self.email else string(person.get("name")) == self.name


def _owner(tree: Tree) -> _Owner:
    for source in tree.named("user_info.json"):
        user = mapping(mapping(load_side(source)).get("user"))
        if user:
            return _Owner(string(user.get("name")), string(user.get("email")))
    return _Owner()


def _look(source: Source, owner: _Owner, zone: tzinfo | None) -> FoundChat:
    records = _records(source)
    beside = source.sibling("group_info.json")
    info = mapping(load_side(beside)) if beside else {}
    return FoundChat(_name(info, records, owner, source), _identity(source, records), partial(_messages, source, zone))


def _records(source: Source) -> list[Any]:
    document = load_json(source)
    listed = mapping(document).get("messages")
    if not isinstance(listed, list):
        raise WrongFormat(source.name, "googlechat", "it has no list of messages")
    if dicts(listed) and not any({"creator", "created_date"} & each.keys() for each in dicts(listed)):
        raise WrongFormat(source.name, "googlechat", "no message in it has a creator or a created_date")
    return listed


def _name(info: Mapping[str, Any], records: list[Any], owner: _Owner, source: Source) -> str:
    if (name := string(info.get("name"))) not in _UNNAMED:
        return name
    members = dicts(info.get("members")) or [mapping(each.get("creator")) for each in dicts(records)]
    others = [each for each in members if not owner.is_same(each)] or members
    return people_names(map(_person, others)) or name or fallback_name(source.name)


def _identity(source: Source, records: list[Any]) -> str:
    """The id of the space: the end of its folder's name, or the beginning of the ids of its messages."""
    folder = PurePosixPath(source.name.replace("\\", "/")).parent.name
    if found := re.fullmatch(r"(?:Space|DM|Group) (\S+)", folder):
        return found[1]
    ids = (string(each.get("message_id")).split("/") for each in dicts(records))
    return next((parts[0] for parts in ids if len(parts) == 3), "")


def _person(user: Mapping[str, Any]) -> str:
    return clean(string(user.get("name")) or string(user.get("email")))


@dataclass(frozen=True, slots=True)
class _Read:
    """A record with its id and time."""

    id: str
    time: datetime | None
    record: Mapping[str, Any]

    def topic(self) -> str:
        return string(self.record.get("topic_id"))


def _messages(source: Source, zone: tzinfo | None, first: int, report: Report) -> Iterator[Message]:
    records, ids = _records(source), Ids()
    report.total += len(records)
    found: list[_Read] = []
    for number, record in enumerate(records, 1):
        if isinstance(record, dict) and record.keys() & _SIGNS:
            when = read_time(string(record.get("created_date")), zone)
            found.append(_Read(ids.take(string(record.get("message_id"))), when, record))
        else:
            report.unexplain(source.name, number, "no message: it has neither a creator nor a text")
    ordered = _in_time_order(found)
    roots, earlier = _roots(ordered), Earlier()
    for each in ordered:
        yield _message(each, roots, earlier)
        earlier.add(each.id, string(each.record.get("text")))


def _in_time_order(found: list[_Read]) -> list[_Read]:
    """As everywhere: a message without a time stays behind the one before it. Quotes are looked for in this order."""
    by_id = {each.id: each for each in found}
    return [by_id[message.id] for message in in_time_order(Message(each.id, each.time, "", "") for each in found)]


def _roots(found: list[_Read]) -> dict[str, str]:
    """The message that began each topic: the one that has the topic's own id, else the earliest that is there."""
    roots: dict[str, str] = {}
    for each in found:
        if topic := each.topic():
            roots.setdefault(topic, each.id)
            if each.id.endswith(f"/{topic}/{topic}"):
                roots[topic] = each.id
    return roots


def _message(each: _Read, roots: Mapping[str, str], earlier: Earlier) -> Message:
    record = each.record
    author = _person(mapping(record.get("creator")))
    answered = _answered(each, roots, earlier)
    if record.get("message_state") == "DELETED" or "deletion_metadata" in record or record.get("deleted_date"):
        return Message(each.id, each.time, author, "[deleted]", "system", answered)
    said = string(record.get("text"))
    text = lines_of(said, *files(record), *extras(record, said))
    if not text and (happened := call(record)):
        return Message(each.id, each.time, author, clean(happened), "system", answered)
    return Message(each.id, each.time, author, text, "message", answered)


def _answered(each: _Read, roots: Mapping[str, str], earlier: Earlier) -> tuple[str, ...]:
    """The message that began the topic, and the one that is quoted."""
    root = roots.get(each.topic(), "")
    quoted = mapping(each.record.get("quoted_message_metadata"))
    quote = string(quoted.get("message_id")) or earlier.find(string(quoted.get("text")))
    return tuple(dict.fromkeys(id for id in (root, quote) if id and id != each.id))


FORMAT = Format("googlechat", _sniff, _read, _claim, _read_tree)
