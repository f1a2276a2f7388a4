"""Slack's records of one channel as messages, whatever wrote them: an export, the web API or slackdump."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....chat import Kind, Message
from ....text import clean
from ...assembly.chat_streams import Ids
from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import file_word, lines_of, sentence
from ...report import Report
from ...times.clock import from_epoch
from .rendering import WorkspaceNames, message_text, mrkdwn, person_name

_SYSTEM = re.compile(
    r"(channel|group|mpim|im|bot|app|reminder|huddle|sh_room|joiner|pinned|unpinned|ekm|file_mention|tombstone|room|"
    r"workflow|assistant_app|document_comment)(_|$)"
)
_SPOKEN = frozenset(("bot_message", "document_comment_root", "huddle_thread_reply"))
TWICE = "a message that is in the input twice"


@dataclass(slots=True)
class Channel:
    """One chat: its name, and its records with the file and the place there that they come from.

    `hint` tells it from another of the same name in the same input, `identity` from any other at all.
    """

    name: str
    hint: str = ""
    identity: str = ""
    records: list[tuple[str, int, object]] = field(default_factory=list)

    def add(self, where: str, document: object) -> None:
        """The records of a file; the replies that slackdump nests under a message come after it."""
        listed = document.get("messages", [document]) if isinstance(document, dict) else document
        for number, record in enumerate(listed if isinstance(listed, list) else [listed], 1):
            self.records.append((where, number, record))
            nested = dicts(mapping(record).get("slackdump_thread_replies"))
            self.records += [(where, number, reply) for reply in nested]


def with_met(names: WorkspaceNames, channels: Iterable[Channel]) -> WorkspaceNames:
    """The names, and those that only the messages tell: of guests, of bots, and where no list is there."""
    told: dict[str, str] = {}
    for channel in channels:
        for _, _, record in channel.records:
            fields = mapping(record)
            name = person_name(mapping(fields.get("user_profile")))
            name = name or string(mapping(fields.get("bot_profile")).get("name"))
            if name and (user := string(fields.get("user"))):
                told.setdefault(user, clean(name))
    return WorkspaceNames({**told, **names.people}, names.channels)


def _fits(record: Mapping[str, Any]) -> bool:
    return bool({"ts", "text", "blocks", "attachments", "files"} & record.keys())


def messages(channel: Channel, names: WorkspaceNames, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    seen: set[tuple[str, str, str]] = set()
    report.total += len(channel.records)
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
        said = ts, string(record.get("user")), string(record.get("text"))
        if ts and said in seen:
            report.skip(where, number, TWICE)
            continue
        seen.add(said)
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


def _changes(channel: Channel) -> tuple[dict[str, dict[str, Any]], set[str]]:
    changed: dict[str, dict[str, Any]] = {}
    deleted: set[str] = set()
    for _, _, record in channel.records:
        if isinstance(record, dict) and (target := _target(record)):
            if record["subtype"] == "message_deleted":
                deleted.add(target)
            else:
                changed[target] = {"subtype": None, **mapping(record.get("message"))}
    return changed, deleted


def _deleted(id: str, record: Mapping[str, Any], names: WorkspaceNames) -> Message:
    before = record if record.get("user") else mapping(record.get("previous_message"))
    when = _time(string(before.get("ts")) or string(record.get("ts")))
    return Message(id, when, _author(before, names), "[deleted]", "system", _parent(before))


def _message(id: str, record: Mapping[str, Any], names: WorkspaceNames) -> Message:
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


def _file_text(record: Mapping[str, Any], names: WorkspaceNames) -> str:
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


def _author(record: Mapping[str, Any], names: WorkspaceNames) -> str:
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
