"""Mattermost: the bulk export (JSON lines, alone or in a zip), posts from the web API, and the compliance CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ...chat import Kind, Message
from ...errors import Broken, WrongFormat
from ...text import clean
from ..assembly.chat_streams import CHAT_LIST, PEOPLE, Ids, numbered, streams
from ..assembly.export_folder import covers
from ..detect.file_head import Clue, Sample
from ..format import Format, Options, Stream, expecting
from ..input.lines import LONGEST_CELL, text_of
from ..input.source import Source, Tree, is_blank
from ..parsing.json_document import dicts, mapping, parse_json, string
from ..parsing.path_names import fallback_name, local_identity, name_from_path
from ..parsing.rendering import emoji, file_word, lines_of, mentions, people_names, sentence
from ..report import Report, count_lines, leaving_out
from ..times.clock import from_milliseconds

_LINE = re.compile(
    r'\{\s*"type"\s*:\s*"(version|user|bot|channel|team|role|scheme|emoji|post|direct_channel|direct_post|attachment)"'
)
_PART = re.compile(r"^(?!(?:.*/)?data/).*\.jsonl$")  # attachments lie below data
_CSV_HEAD = re.compile(r"(?i)\W*Post Creation Time,.*(?:Channel Name,|Parent Post Id,).*Post Message")
_COMING = re.compile(r"^@?\S+ (?:has )?(?:joined|left) the (?:channel|team)\.$")
_SKIPPED = {
    "version": "a heading",
    "user": PEOPLE,
    "bot": PEOPLE,
    "channel": CHAT_LIST,
    "direct_channel": CHAT_LIST,
    "team": CHAT_LIST,
    "role": "a role, no message",
    "scheme": "a scheme of roles, no message",
    "emoji": "a custom emoji, no message",
    "attachment": "a file of a message",
}


@dataclass(slots=True)
class _Export:
    """What a bulk export tells: who is who, and the posts of every chat in order of appearance."""

    people: dict[str, str] = field(default_factory=dict)
    channels: dict[tuple[str, str], str] = field(default_factory=dict)
    posts: dict[tuple[str, ...], list[dict[str, Any]]] = field(default_factory=dict)

    def name(self, username: str) -> str:
        return self.people.get(username) or username


def _sniff(sample: Sample) -> Clue | None:
    if sample.lines and _CSV_HEAD.match(sample.lines[0]):
        return Clue(1.0, "the columns of a compliance export")
    keys = sample.json_keys
    if keys["order"] and keys["posts"] and keys["channel_id"] and keys["create_at"]:
        return Clue(0.95, "has order and posts keys with channel_id")
    if keys["create_at"] and keys["channel_id"] and keys["user_id"] and keys["message"] and keys["root_id"]:
        return Clue(0.95, "a list of posts with create_at, channel_id and root_id")
    share = sample.share(_LINE)
    if share < 0.5:
        return None
    typical = keys["direct_post"] or keys["post"] or keys["channel_members"] or keys["version"] or keys["username"]
    return Clue(1.0 if typical else 0.7, "lines of type version, user, channel or post")


def _claim(tree: Tree) -> Clue | None:
    found = _parts(tree)
    return Clue(1.0, f"holds {PurePosixPath(found[0].name).name}, a bulk export") if covers(tree, found) else None


def _parts(tree: Tree) -> list[Source]:
    lines = [source for member, source in tree.files.items() if member.endswith((".jsonl", ".json"))]
    return [source for source in lines if (clue := _sniff(Sample(source))) and clue.score > 0.9]


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    parts = _parts(tree)
    strays = Report()
    for member, source in tree.files.items():
        if source in parts:
            continue
        if _PART.search(member) and not is_blank(source.head):
            strays.leave_out(source.name, "not a part of a bulk export", count_lines(source))
        else:
            strays.skip_file(source.name, "a file beside the messages")
    yield from _bulk(parts, strays, tree.name)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    if _CSV_HEAD.match(source.head[:4096].decode("utf-8", "ignore")):
        yield from _table(source)
    elif _is_api(source):
        yield from _api(source)
    else:
        yield from _bulk([source], Report(), source.name)


def _is_api(source: Source) -> bool:
    sample = Sample(source)
    return bool(sample.json_keys["channel_id"] and sample.json_keys["create_at"]) and not sample.share(_LINE)


def _bulk(parts: list[Source], strays: Report, name: str) -> Iterator[Stream]:
    export = _Export()
    known = 0
    for source in parts:
        with _one_of(parts, source, strays), expecting("mattermost", source, _sniff):
            known += _gather(export, source, strays)
    if not known:
        raise WrongFormat(name, "mattermost", "no line in it is a record of a bulk export")
    chats = [(*_label(key, export), partial(_messages, posts, export)) for key, posts in export.posts.items()]
    yield from streams(chats, strays, fallback_name(name), [local_identity(name, *key) for key in export.posts])


def _one_of(parts: list[Source], source: Source, strays: Report) -> AbstractContextManager[None]:
    """A file that cannot be read is left out if there are others."""
    return leaving_out(strays, source.name, source) if len(parts) > 1 else nullcontext()


def _gather(export: _Export, source: Source, strays: Report) -> int:
    """Sorts the lines of a part; how many were records of an export."""
    known = 0
    lines = text_of(source).rstrip().split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            strays.total += 1
            strays.skip(source.name, number, "a blank line")
            continue
        found = _parse(line, source.name)
        if found is None and number == len(lines) and known:
            strays.leave_out(source.name, f"is cut short: line {number} is no whole JSON object", 1)
            break
        record = found or {}
        kind = string(record.get("type"))
        inside = mapping(record.get(kind))
        known += bool(inside) or kind in _SKIPPED
        if kind in ("post", "direct_post") and inside:
            export.posts.setdefault(_key(kind, inside), []).append(inside)
        elif kind in _SKIPPED:
            strays.total += 1
            _learn(export, kind, inside)
            strays.skip(source.name, number, _SKIPPED[kind])
        else:
            strays.total += 1
            strays.unexplain(source.name, number, "no record of a bulk export")
    return known


def _parse(line: str, name: str) -> dict[str, Any] | None:
    """The record of a line, empty if it is another value, None if it is no JSON."""
    try:
        return mapping(parse_json(line, name))
    except Broken:
        return None


def _key(kind: str, post: Mapping[str, Any]) -> tuple[str, ...]:
    if kind == "post":
        return "post", string(post.get("team")), string(post.get("channel"))
    members = post.get("channel_members")
    return "direct_post", *(sorted(map(string, members)) if isinstance(members, list) else ())


def _learn(export: _Export, kind: str, record: Mapping[str, Any]) -> None:
    if kind in ("user", "bot"):
        full = f"{string(record.get('first_name'))} {string(record.get('last_name'))}".strip()
        name = string(record.get("nickname")) or full or string(record.get("display_name"))
        export.people[string(record.get("username"))] = clean(name or string(record.get("username")))
    elif kind == "channel":
        place = string(record.get("team")), string(record.get("name"))
        export.channels[place] = string(record.get("display_name"))


def _label(key: tuple[str, ...], export: _Export) -> tuple[str, str]:
    """The name of a chat, and its team or its members' usernames in case that two share it."""
    if key[0] == "post":
        return export.channels.get((key[1], key[2])) or key[2], key[1]
    return people_names(map(export.name, key[1:])) or "direct messages", ", ".join(key[1:])


def _messages(posts: list[dict[str, Any]], export: _Export, first: int, report: Report) -> list[Message]:
    pairs: list[tuple[Message, Message | None]] = []
    for post in posts:
        parent = _message(post, export)
        pairs.append((parent, None))
        replies = post.get("replies")
        for reply in replies if isinstance(replies, list) else []:
            if isinstance(reply, dict):
                pairs.append((_message(reply, export), parent))
            else:
                report.total += 1
                report.unexplain(string(post.get("channel")), 0, "a reply that is no object")
    report.total += len(pairs)
    return numbered(pairs, first)


def _message(post: Mapping[str, Any], export: _Export, files: Iterable[str] = ()) -> Message:
    props, message = mapping(post.get("props")), string(post.get("message"))
    kind = _kind(string(post.get("type")), string(post.get("user")), message)
    author = export.name(string(post.get("user")))
    if props.get("override_username") and string(props.get("from_webhook")) == "true":
        author = string(props["override_username"])
    text = _shown(message, export)
    if kind == "action":
        text = re.sub(r"^\*(.*)\*$", r"\1", text, flags=re.S)
    elif kind == "system":
        text = _event(text or string(post.get("type")).removeprefix("system_").replace("_", " "), author, post, export)
    attached = [_attachment(each, export) for each in dicts(props.get("attachments"))]
    files = [*files, *(file_word(PurePosixPath(string(a.get("path"))).name) for a in dicts(post.get("attachments")))]
    when = from_milliseconds(post.get("create_at"))
    if post.get("delete_at"):
        return Message("", when, clean(author), "[deleted]", "system")
    return Message("", when, clean(author), lines_of(text, *attached, *files), kind)


def _kind(type: str, user: str = "", message: str = "") -> Kind:
    """By the type; older exports give none to what the system says of somebody."""
    if type == "me":
        return "action"
    if not type and user and message.removeprefix("@").startswith(f"{user} ") and _COMING.search(message):
        return "system"
    return "system" if type.startswith("system_") else "message"


def _shown(text: str, export: _Export) -> str:
    """Emoji as emoji, and @usernames as the names that the authors carry."""
    return emoji(mentions(text, export.people))


def _event(text: str, author: str, post: Mapping[str, Any], export: _Export) -> str:
    """A system sentence, with names in place of the usernames that it is about."""
    props = mapping(post.get("props"))
    about = [string(value) for key, value in props.items() if key.lower().endswith("username")]
    for username in sorted({*about, string(post.get("user"))} & export.people.keys(), key=len, reverse=True):
        shown = export.name(username).replace("\\", r"\\")
        text = re.sub(rf"(?<![\w.@-])@?{re.escape(username)}(?![\w-])", shown, text)
    return sentence(author, text)


def _attachment(attachment: Mapping[str, Any], export: _Export) -> str:
    parts = [_shown(string(attachment.get(key)), export) for key in ("pretext", "author_name", "title", "text")]
    fields = [
        ": ".join(filter(None, (string(each.get("title")), string(each.get("value")))))
        for each in dicts(attachment.get("fields"))
    ]
    return lines_of(*parts, *fields) or string(attachment.get("fallback"))


def _api(source: Source) -> Iterator[Stream]:
    """{"order": [...], "posts": {id: post}}, or only the posts, with whatever names these have."""
    document = parse_json(text_of(source), source.name)
    channels: dict[str, list[dict[str, Any]]] = {}
    posts = document if isinstance(document, list) else mapping(document).get("posts")
    listed, strays = list(posts.values()) if isinstance(posts, dict) else posts, Report()
    for number, post in enumerate(listed if isinstance(listed, list) else [], 1):
        if isinstance(post, dict):
            channels.setdefault(string(post.get("channel_id")), []).append(post)
        else:
            strays.total += 1
            strays.unexplain(source.name, number, "a post that is no object")
    if not channels and not isinstance(posts, dict | list):
        raise WrongFormat(source.name, "mattermost", "it has no posts")
    name = name_from_path(source.name)
    chats = [(name, channel, partial(_api_messages, found)) for channel, found in channels.items()]
    yield from streams(chats, strays, name, list(channels))


def _api_messages(posts: list[dict[str, Any]], first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    report.total += len(posts)
    for post in posts:
        metadata = mapping(post.get("metadata"))
        files = [file_word(string(f.get("name")), string(f.get("mime_type"))) for f in dicts(metadata.get("files"))]
        user = string(post.get("username")) or string(post.get("user_id"))
        message = _message({**post, "user": user, "attachments": None}, _Export(), files)
        root = string(post.get("root_id"))
        yield message._replace(id=ids.take(string(post.get("id"))), reply_to=(root,) if root else ())


def _table(source: Source) -> Iterator[Stream]:
    """The rows of a compliance export, a chat for every channel."""
    channels: dict[tuple[str, str], list[dict[str, Any]]] = {}
    strays = Report()
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.DictReader(io.StringIO(text_of(source)), restkey="more", restval="")
    try:
        for row in rows:
            team, id, name = (string(row.get(column)) for column in ("Team Name", "Channel Id", "Channel Name"))
            channels.setdefault((id or local_identity(source.name, team, name), name), []).append(row)
    except csv.Error as error:
        raise Broken(source.name, f"line {rows.line_num}: {error}") from None
    strays.total += 1
    strays.skip(source.name, 1, "a heading")
    here = name_from_path(source.name)
    chats = [
        (string(rows[0].get("Channel Display Name")) or name or here, _hint(rows[0]), partial(_row_messages, rows))
        for (_, name), rows in channels.items()
    ]
    yield from streams(chats, strays, fallback_name(source.name), [identity for identity, _ in channels])


def _hint(row: Mapping[str, Any]) -> str:
    return string(row.get("Team Display Name")) or string(row.get("Team Name")) or string(row.get("Channel Name"))


def _row_messages(rows: list[dict[str, Any]], first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    report.total += len(rows)
    for row in rows:
        post = {
            "user": row.get("Username") or row.get("User Name"),
            "message": row.get("Post Message"),
            "type": row.get("Post Type"),
            "create_at": row.get("Post Creation Time"),
        }
        parent = string(row.get("Replied to Post Id")) or string(row.get("Parent Post Id"))
        message = _message(post, _Export())
        yield message._replace(id=ids.take(string(row.get("Post Id"))), reply_to=(parent,) if parent else ())


FORMAT = Format("mattermost", _sniff, _read, _claim, _read_tree)
