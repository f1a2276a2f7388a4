"""Slack: the official export as zip or folder, one channel's JSON, and what slackdump and the web API give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ...chat import Kind, Message
from ...errors import WrongFormat
from ...text import clean
from ..assembly import PEOPLE, ROOMS, Ids, streams
from ..clock import from_epoch
from ..document import dicts, load_json, mapping, string
from ..export_folder import covers
from ..format import Clue, Format, Options, Report, Sample, Stream, expecting
from ..names import fallback_name
from ..source import Source, Tree
from ..wording import file_word, lines_of, sentence
from .names import (
    DAY_FILE,
    LOG,
    PEOPLE_FILES,
    ROOM_FILES,
    SIDE_FILES,
    beside,
    file_label,
    label,
    labels_in,
    names_in,
)
from .words import Names, message_text, mrkdwn, person_name

_TS = re.compile(r'"ts"\s*:\s*"?\d{9,11}(\.\d+)?\b')
_USER = re.compile(r'"(id|user)"\s*:\s*"[UW][A-Z0-9]{6,}"')
_ROOM = re.compile(r'"id"\s*:\s*"[CDG][A-Z0-9]{6,}"')
_SYSTEM = re.compile(
    r"(channel|group|mpim|im|bot|app|reminder|huddle|sh_room|joiner|pinned|unpinned|ekm|file_mention|tombstone|room|"
    r"workflow|assistant_app|document_comment)(_|$)"
)
_SPOKEN = frozenset(("bot_message", "document_comment_root", "huddle_thread_reply"))


@dataclass(slots=True)
class _Channel:
    """One chat: its name, and its records with the file and the place there that they come from."""

    name: str
    hint: str
    records: list[tuple[str, int, object]] = field(default_factory=list)


def _sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if not keys or {"guild", "chat_messages", "zerver_message", "msg"} & keys.keys():
        return None
    if keys["ts"] and _TS.search(sample.text) and (keys["text"] or keys["blocks"] or keys["subtype"]):
        sure = keys["thread_ts"] or keys["subtype"] or keys["client_msg_id"] or _USER.search(sample.text)
        return Clue(0.95 if sure else 0.6, "messages with ts, user and text")
    people = keys["real_name"] and (keys["team_id"] or keys["profile"] or keys["deleted"])
    if sample.json_start == "[" and keys["id"] and people and _USER.search(sample.text):
        return Clue(0.9, "a list of Slack users")
    if sample.json_start == "[" and keys["members"] and keys["created"] and _ROOM.search(sample.text):
        return Clue(0.9, "a list of Slack channels")
    if sample.json_start == "[" and keys["change_type"] and keys["app_type"]:
        return Clue(0.8, "a log of Slack integrations")
    return None


def _claim(tree: Tree) -> Clue | None:
    """The lists must lie at the top; without lists, every file must be a day."""
    days = [source for member, source in tree.files.items() if DAY_FILE.fullmatch(PurePosixPath(member).name)]
    lists = [source for name in (*PEOPLE_FILES, *ROOM_FILES) for source in tree.named(name)]
    if not covers(tree, lists) and len(days) < len(tree.files):
        return None
    if any(_sniff(Sample(source)) for source in days[:3] + days[-1:]):
        return Clue(1.0 if lists else 0.9, "a folder of days for every channel")
    return Clue(0.8, "lists of Slack users or channels") if any(_sniff(Sample(each)) for each in lists) else None


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays = Report()
    names = names_in(tree, strays)
    labels = labels_in(tree, names)
    channels: dict[str, _Channel] = {}
    for member, source in tree.files.items():
        path = PurePosixPath(member)
        day = bool(DAY_FILE.fullmatch(path.name))
        if path.name in SIDE_FILES:
            continue
        if not day and not (path.suffix == ".json" and _sniff(Sample(source))):
            strays.skip(source.name, 0, "a file beside the messages")
            continue
        folder = path.parent if day else path.with_suffix("")
        here = folder.name or PurePosixPath(tree.name).name
        channel = channels.setdefault(str(folder), _Channel(label(here, labels), str(folder.parent)))
        _add(channel, source, load_json(source))
    names = _meet(names, channels.values())
    yield from streams(_openers(channels.values(), names), strays, fallback_name(tree.name))


def _read(source: Source, options: Options) -> Iterator[Stream]:
    with expecting("slack", source, _sniff):
        document = load_json(source)
    strays = Report()
    if _is_side_list(document):
        reason = PEOPLE if _has_people(document) else ROOMS if "id" in dicts(document)[0] else LOG
        for number in range(1, len(document) + 1):
            strays.skip(source.name, number, reason)
        yield from streams([], strays, fallback_name(source.name))
        return
    tree = beside(source)
    names = names_in(tree, Report())
    channel = _Channel(file_label(source, document, labels_in(tree, names)), "")
    _add(channel, source, document)
    names = _meet(names, [channel])
    fields = [mapping(record).keys() for _, _, record in channel.records]
    if not any("ts" in each and "msg" not in each for each in fields) and document != []:
        raise WrongFormat(source.name, "slack", "no record in it has a ts")
    yield from streams(_openers([channel], names), strays, channel.name)


def _is_side_list(document: object) -> bool:
    records = dicts(document)
    return bool(records) and all(
        ("id" in each or "change_type" in each) and not {"ts", "text", "messages"} & each.keys() for each in records
    )


def _has_people(document: object) -> bool:
    return any("real_name" in each or "profile" in each for each in dicts(document))


def _add(channel: _Channel, source: Source, document: object) -> None:
    """The records of a file, the replies that slackdump nests under a message after it."""
    listed = document.get("messages", [document]) if isinstance(document, dict) else document
    for number, record in enumerate(listed if isinstance(listed, list) else [listed], 1):
        channel.records.append((source.name, number, record))
        nested = dicts(mapping(record).get("slackdump_thread_replies"))
        channel.records += [(source.name, number, reply) for reply in nested]


def _meet(names: Names, channels: Iterable[_Channel]) -> Names:
    """The names, and those that only the messages tell: of guests, of bots, and where no list is there."""
    told: dict[str, str] = {}
    for channel in channels:
        for _, _, record in channel.records:
            fields = mapping(record)
            name = person_name(mapping(fields.get("user_profile")))
            name = name or string(mapping(fields.get("bot_profile")).get("name"))
            if name and (user := string(fields.get("user"))):
                told.setdefault(user, clean(name))
    return Names({**told, **names.people}, names.channels)


def _openers(channels: Iterable[_Channel], names: Names) -> list[Any]:
    return [(each.name, each.hint.strip("."), partial(_messages, each, names)) for each in channels]


def _fits(record: Mapping[str, Any]) -> bool:
    return bool({"ts", "text", "blocks", "attachments", "files"} & record.keys())


def _messages(channel: _Channel, names: Names, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    changed, deleted = _changes(channel)
    present = {string(record.get("ts")) for _, _, record in channel.records if isinstance(record, dict)}
    for where, number, record in channel.records:
        if not isinstance(record, dict) or not _fits(record):
            report.unexplain(where, number, "no message: it has neither a ts nor a text")
            continue
        target = _target(record)
        if target and target in present:
            report.skip(where, number, "an edit or a deletion, applied to its message")
            continue
        ts = target or string(record.get("ts"))
        if ts in deleted:
            yield _deleted(ids.take(ts), record, names)
        else:
            yield _message(ids.take(ts), {**record, **changed.get(ts, {})}, names)


def _target(record: Mapping[str, Any]) -> str:
    """The ts of the message that this record changes or deletes, or ""."""
    if record.get("subtype") == "message_changed":
        return string(mapping(record.get("message")).get("ts"))
    if record.get("subtype") == "message_deleted":
        return string(record.get("deleted_ts")) or string(mapping(record.get("previous_message")).get("ts"))
    return ""


def _changes(channel: _Channel) -> tuple[dict[str, dict[str, Any]], set[str]]:
    changed: dict[str, dict[str, Any]] = {}
    deleted: set[str] = set()
    for _, _, record in channel.records:
        if isinstance(record, dict) and (target := _target(record)):
            if record["subtype"] == "message_deleted":
                deleted.add(target)
            else:
                changed[target] = {"subtype": None, **mapping(record.get("message"))}
    return changed, deleted


def _deleted(id: str, record: Mapping[str, Any], names: Names) -> Message:
    before = record if record.get("user") else mapping(record.get("previous_message"))
    when = _time(string(before.get("ts")) or string(record.get("ts")))
    return Message(id, when, _author(before, names), "[deleted]", "system", _parent(before))


def _message(id: str, record: Mapping[str, Any], names: Names) -> Message:
    subtype = string(record.get("subtype"))
    author = _author(record, names)
    kind = _kind(subtype)
    text = _file_text(record, names) or message_text(record, names, "" if kind == "system" else "@")
    if subtype == "tombstone":
        author, text = "", text or "This message was deleted."
    elif kind == "system":
        text = text if text.startswith("A huddle") else sentence(author, text or _happened(subtype))
    return Message(id, _time(string(record.get("ts"))), author, text, kind, _parent(record))


def _kind(subtype: str) -> Kind:
    if subtype == "me_message":
        return "action"
    return "system" if _SYSTEM.match(subtype) and subtype not in _SPOKEN else "message"


def _happened(subtype: str) -> str:
    return "started a huddle" if "huddle" in subtype or subtype == "sh_room_created" else subtype.replace("_", " ")


def _file_text(record: Mapping[str, Any], names: Names) -> str:
    """The text of the records of old exports that tell of a file in a sentence, or ""."""
    subtype, comment = record.get("subtype"), mapping(record.get("comment"))
    if subtype == "file_comment" and comment:
        return lines_of(mrkdwn(string(comment.get("comment")), names))
    file = mapping(record.get("file"))
    if subtype != "file_share" or not file or not string(record.get("text")).startswith("<@"):
        return ""
    said = string(mapping(file.get("initial_comment")).get("comment"))
    name = string(file.get("name")) or string(file.get("title"))
    return lines_of(mrkdwn(said, names), file_word(name, string(file.get("mimetype"))))


def _author(record: Mapping[str, Any], names: Names) -> str:
    whole = mapping(record.get("user"))
    user = string(whole.get("id") or record.get("user") or mapping(record.get("comment")).get("user"))
    known = names.people.get(user, "")
    if record.get("subtype") == "bot_message" or not user:
        shown = string(record.get("username")) or string(mapping(record.get("bot_profile")).get("name"))
        known = mrkdwn(shown, names, "") or known or string(record.get("bot_id"))
    told = person_name(whole) or person_name(mapping(record.get("user_profile")))
    return clean(known or told or (names.person(user) if user else ""))


def _parent(record: Mapping[str, Any]) -> tuple[str, ...]:
    thread = string(record.get("thread_ts"))
    return (thread,) if thread and thread != string(record.get("ts")) else ()


def _time(ts: str) -> Any:
    try:
        return from_epoch(float(ts))
    except (ValueError, OverflowError):
        return None


FORMAT = Format("slack", _sniff, _read, _claim, _read_tree)
