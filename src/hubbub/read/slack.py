"""Slack: the official export as zip or folder, one channel's JSON, and what slackdump and the web API give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from ..chat import Kind, Message
from ..errors import WrongFormat
from ..text import clean
from .clock import from_epoch
from .document import Ids, dicts, load_json, mapping, string
from .format import Clue, Format, Options, Report, Sample, Stream
from .names import chat_name, fallback_name
from .shown import PEOPLE, ROOMS, covers, file_word, lines_of, people_names, sentence, streams
from .slack_text import Names, message_text, mrkdwn, person_name
from .source import Source, Tree, file_source

_DAY_FILE = re.compile(r"\d{4}-\d{2}-\d{2}[^/]*\.json$")
_PEOPLE_FILES = ("users.json", "org_users.json")
_ROOM_FILES = ("channels.json", "groups.json", "dms.json", "mpims.json")
_SIDE_FILES = (*_PEOPLE_FILES, *_ROOM_FILES, "integration_logs.json", "canvases.json", "lists.json",
               "file_conversations.json", "huddle_transcripts.json")  # fmt: skip
_TS = re.compile(r'"ts"\s*:\s*"?\d{9,11}(\.\d+)?\b')
_USER = re.compile(r'"(id|user)"\s*:\s*"[UW][A-Z0-9]{6,}"')
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


def sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if not keys or {"guild", "chat_messages", "zerver_message", "msg"} & keys.keys():
        return None
    if keys["ts"] and _TS.search(sample.text) and (keys["text"] or keys["blocks"] or keys["subtype"]):
        sure = keys["thread_ts"] or keys["subtype"] or keys["client_msg_id"] or _USER.search(sample.text)
        return Clue(0.95 if sure else 0.6, "messages with ts, user and text")
    people = keys["real_name"] and (keys["team_id"] or keys["profile"] or keys["deleted"])
    if sample.json_start == "[" and keys["id"] and people and _USER.search(sample.text):
        return Clue(0.9, "a list of Slack users")
    if sample.json_start == "[" and keys["creator"] and keys["members"] and keys["is_general"]:
        return Clue(0.9, "a list of Slack channels")
    return None


def claim(tree: Tree) -> Clue | None:
    """The lists must lie at the top; without lists, every file must be a day."""
    days = [source for member, source in tree.files.items() if _DAY_FILE.fullmatch(PurePosixPath(member).name)]
    lists = [source for name in (*_PEOPLE_FILES, *_ROOM_FILES) for source in tree.named(name)]
    if not covers(tree, lists) and len(days) < len(tree.files):
        return None
    if any(sniff(Sample(source)) for source in days[:3] + days[-1:]):
        return Clue(1.0 if lists else 0.9, "a folder of days for every channel")
    return Clue(0.8, "lists of Slack users or channels") if any(sniff(Sample(each)) for each in lists) else None


def read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays = Report()
    names = _names(tree, strays)
    labels = _labels(tree, names)
    channels: dict[str, _Channel] = {}
    for member, source in tree.files.items():
        path = PurePosixPath(member)
        day = bool(_DAY_FILE.fullmatch(path.name))
        if path.name in _SIDE_FILES:
            continue
        if not day and not (path.suffix == ".json" and sniff(Sample(source))):
            strays.skip(source.name, 0, "a file beside the messages")
            continue
        folder = path.parent if day else path.with_suffix("")
        here = folder.name or PurePosixPath(tree.name).name
        channel = channels.setdefault(str(folder), _Channel(_label(here, labels), str(folder.parent)))
        _add(channel, source, load_json(source))
    yield from streams(_openers(channels.values(), names), strays, fallback_name(tree.name))


def read(source: Source, options: Options) -> Iterator[Stream]:
    document = load_json(source)
    strays = Report()
    if _is_side_list(document):
        reason = PEOPLE if any(person_name(each) for each in dicts(document)) and _has_people(document) else ROOMS
        for number in range(1, len(document) + 1):
            strays.skip(source.name, number, reason)
        yield from streams([], strays, fallback_name(source.name))
        return
    tree = _beside(source)
    names = _names(tree, Report())
    channel = _Channel(_file_label(source, document, _labels(tree, names)), "")
    _add(channel, source, document)
    if not any(isinstance(record, dict) and _fits(record) for _, _, record in channel.records) and document != []:
        raise WrongFormat(source.name, "slack", "no record in it has a ts or a text")
    yield from streams(_openers([channel], names), strays, channel.name)


def _is_side_list(document: object) -> bool:
    records = dicts(document)
    return bool(records) and not any("ts" in each or "text" in each or "messages" in each for each in records) and all(
        "id" in each for each in records
    )  # fmt: skip


def _has_people(document: object) -> bool:
    return any("real_name" in each or "profile" in each for each in dicts(document))


def _beside(source: Source) -> Tree:
    """The lists of people and channels beside a file, or one folder above it."""
    found = Tree(source.name)
    if source.name == "<stdin>":
        return found
    for name in (*_PEOPLE_FILES, *_ROOM_FILES):
        if other := source.sibling(name) or source.sibling(f"../{name}") or _above(source, name):
            found.files[name] = other
    return found


def _above(source: Source, name: str) -> Source | None:
    if source.tree is None:
        return None
    here = PurePosixPath(source.name).relative_to(PurePosixPath(source.tree.name)).parent.parent
    outside = Path(source.tree.name).parent / name
    return source.tree.files.get(str(here / name)) or (file_source(outside) if outside.is_file() else None)


def _names(tree: Tree, strays: Report) -> Names:
    """Who and what is who, from every list; `strays` notes the records of the lists."""
    people: dict[str, str] = {}
    channels: dict[str, str] = {}
    for name in _SIDE_FILES:
        for source in tree.named(name):
            records = load_json(source)
            reason = PEOPLE if name in _PEOPLE_FILES else ROOMS if name in _ROOM_FILES else "no message, but a log"
            for number, record in enumerate(records if isinstance(records, list) else [records], 1):
                strays.skip(source.name, number, reason)
                table = people if name in _PEOPLE_FILES else channels if name in _ROOM_FILES else {}
                _learn(table, mapping(record))
    return Names(people, channels)


def _learn(table: dict[str, str], record: Mapping[str, Any]) -> None:
    if name := person_name(record):
        table[string(record.get("id"))] = clean(name)


def _labels(tree: Tree, names: Names) -> dict[str, str]:
    """The name of each chat by its folder, which is the name of a channel and the id of a direct chat."""
    labels: dict[str, str] = {}
    for list_name in _ROOM_FILES:
        for source in tree.named(list_name):
            for record in dicts(load_json(source)):
                id, name = string(record.get("id")), string(record.get("name"))
                members = record.get("members")
                listed = [names.person(string(each)) for each in members] if isinstance(members, list) else []
                direct = list_name in ("dms.json", "mpims.json") or name.startswith("mpdm-")
                shown = people_names(listed) if direct and listed else f"#{name}" if name and not direct else name
                labels.update({key: shown for key in (id, name) if key and shown})
    return labels


def _label(folder: str, labels: Mapping[str, str]) -> str:
    return labels.get(folder) or (folder if re.fullmatch(r"[DCG][A-Z0-9]{7,}|mpdm-.*", folder) else f"#{folder}")


def _file_label(source: Source, document: object, labels: Mapping[str, str]) -> str:
    head = mapping(document)
    info = mapping(head.get("channel_info") or head.get("channel"))
    records = dicts(document)[:1]
    for holder in (info, head, *records):
        name = string(holder.get("channel_name")) or ("" if holder in records else string(holder.get("name")))
        if name:
            return _label(name, labels)
    path = PurePosixPath(source.name.replace("\\", "/"))
    id = string(head.get("channel_id")) or string(info.get("id")) or path.stem
    if id in labels:
        return labels[id]
    if _DAY_FILE.fullmatch(path.name) and path.parent.name:
        return _label(path.parent.name, labels)
    return chat_name(source.name) or fallback_name(source.name)


def _add(channel: _Channel, source: Source, document: object) -> None:
    """The records of a file, the replies that slackdump nests under a message after it."""
    listed = document.get("messages", [document]) if isinstance(document, dict) else document
    for number, record in enumerate(listed if isinstance(listed, list) else [listed], 1):
        channel.records.append((source.name, number, record))
        nested = dicts(mapping(record).get("slackdump_thread_replies"))
        channel.records += [(source.name, number, reply) for reply in nested]


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
        text = sentence(author, text or _happened(subtype))
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
    user = string(record.get("user")) or string(mapping(record.get("comment")).get("user"))
    known = names.people.get(user, "")
    if record.get("subtype") == "bot_message" or not user:
        shown = string(record.get("username")) or string(mapping(record.get("bot_profile")).get("name"))
        known = mrkdwn(shown, names, "") or known or string(record.get("bot_id"))
    return clean(known or person_name(mapping(record.get("user_profile"))) or (names.person(user) if user else ""))


def _parent(record: Mapping[str, Any]) -> tuple[str, ...]:
    thread = string(record.get("thread_ts"))
    return (thread,) if thread and thread != string(record.get("ts")) else ()


def _time(ts: str) -> Any:
    try:
        return from_epoch(float(ts))
    except (ValueError, OverflowError):
        return None


FORMAT = Format("slack", sniff, read, claim, read_tree)
