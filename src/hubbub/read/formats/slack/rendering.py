"""Slack's mrkdwn, blocks and attachments as the text that people see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import emoji, emoji_named, file_word, lines_of

_ENTITY = re.compile(r"<([^<>\n]+)>")
_NO_TEXT = ("", "This content can't be displayed.", "This message contains interactive elements.")
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class WorkspaceNames:
    """Who and what the ids of a workspace are."""

    people: Mapping[str, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)

    def person(self, id: str) -> str:
        return self.people.get(id) or ("Slackbot" if id == "USLACKBOT" else id)

    def channel(self, id: str) -> str:
        return self.channels.get(id) or id


def person_name(user: Mapping[str, Any]) -> str:
    """The name that Slack shows for a user record or a message's user_profile."""
    profile = mapping(user.get("profile"))
    shown = (profile.get("display_name"), user.get("display_name"), user.get("real_name"), profile.get("real_name"))
    return next((name for value in (*shown, user.get("name")) if (name := string(value).strip())), "")


def mrkdwn(text: str, names: WorkspaceNames, at: str = "@") -> str:
    """Mentions, channels, links, entities and emoji as people see them; `at` stands before a person's name."""
    parts = []
    end = 0
    for found in _ENTITY.finditer(text):
        parts += [emoji(text[end : found.start()]), _entity(found[1], names, at)]
        end = found.end()
    return _unescape("".join([*parts, emoji(text[end:])]))


def _unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _entity(inside: str, names: WorkspaceNames, at: str) -> str:
    target, _, label = inside.partition("|")
    if target.startswith("@"):
        known = names.people.get(target[1:])
        return at + (known or label.lstrip("@") or names.person(target[1:]))
    if target.startswith("#"):
        return "#" + (label or names.channel(target[1:])).lstrip("#")
    if target.startswith("!"):
        return label or "@" + target[1:].removeprefix("subteam^")
    return label or re.sub(r"^(mailto|tel):", "", target)


def message_text(record: Mapping[str, Any], names: WorkspaceNames, at: str = "@") -> str:
    """Everything a message shows: its text, or its blocks; what is attached; its files."""
    text = mrkdwn(string(record.get("text")), names, at)
    if text in _NO_TEXT:
        text = lines_of(*(_block(block, names) for block in dicts(record.get("blocks")))) or text
    attached = [attachment for attachment in dicts(record.get("attachments")) if _is_shown(attachment, text)]
    return lines_of(text, *(_attachment(each, names) for each in attached), *map(_file, _files(record)))


def _is_shown(attachment: Mapping[str, Any], text: str) -> bool:
    """A preview of a link that the text has says nothing new; a shared message does."""
    preview = attachment.get("from_url") or attachment.get("original_url")
    return not text or not preview or bool(attachment.get("is_share"))


def _attachment(attachment: Mapping[str, Any], names: WorkspaceNames) -> str:
    def shown(key: str) -> str:
        return mrkdwn(string(attachment.get(key)), names)

    fields = [
        ": ".join(filter(None, (mrkdwn(string(each.get(key)), names) for key in ("title", "value"))))
        for each in dicts(attachment.get("fields"))
    ]
    blocks = [_block(block, names) for block in dicts(attachment.get("blocks"))]
    for each in dicts(attachment.get("message_blocks")):
        blocks += [_block(block, names) for block in dicts(mapping(each.get("message")).get("blocks"))]
    files = map(_file, _files(attachment))
    body = lines_of(shown("title"), shown("text") or lines_of(*blocks), *fields, *files)
    author = shown("author_name")
    picture = file_word("", "image") if attachment.get("image_url") and not body else ""
    return lines_of(shown("pretext"), f"{author}: {body}" if author and body else body or author) or (
        picture or shown("fallback")
    )


def _files(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return dicts(record.get("files")) or dicts([record.get("file")])


def _file(file: Mapping[str, Any]) -> str:
    if file.get("mode") == "tombstone":
        return "[file: deleted]"
    if file.get("mode") == "hidden_by_limit":
        return "[file: hidden]"
    name = string(file.get("name")) or string(file.get("title")) or string(file.get("id"))
    return file_word(name, string(file.get("mimetype")))


def _block(block: Mapping[str, Any], names: WorkspaceNames) -> str:
    kind = block.get("type")
    if kind == "rich_text":
        return lines_of(*(_rich(element, names) for element in dicts(block.get("elements"))))
    if kind in ("image", "video"):
        title = mapping(block.get("title")).get("text")
        return file_word(string(title) or string(block.get("alt_text")), string(kind))
    if kind == "context":
        return " ".join(filter(None, (_text_object(each, names) for each in dicts(block.get("elements")))))
    fields = (_text_object(each, names) for each in dicts(block.get("fields")))
    return lines_of(_text_object(block, names) or _text_object(mapping(block.get("text")), names), *fields)


def _text_object(value: Mapping[str, Any], names: WorkspaceNames) -> str:
    """A Block Kit text object, or an image among the elements of a context."""
    if value.get("type") == "image":
        return string(value.get("alt_text"))
    text = string(value.get("text"))
    return emoji(text) if value.get("type") == "plain_text" else mrkdwn(text, names)


def _rich(element: Mapping[str, Any], names: WorkspaceNames, depth: int = 0) -> str:
    if depth > _DEEPEST:
        return ""
    inner = dicts(element.get("elements"))
    if element.get("type") == "rich_text_list":
        return "\n".join(_items(element, inner, names, depth))
    if inner:
        return "".join(_rich(each, names, depth + 1) for each in inner)
    return _rich_leaf(element, names)


def _items(element: Mapping[str, Any], inner: list[dict[str, Any]], names: WorkspaceNames, depth: int) -> Iterator[str]:
    for number, each in enumerate(inner, 1):
        mark = f"{number}. " if element.get("style") == "ordered" else "- "
        yield mark + _rich(each, names, depth + 1)


def _rich_leaf(leaf: Mapping[str, Any], names: WorkspaceNames) -> str:
    text = string(leaf.get("text"))
    match leaf.get("type"):
        case "user":
            return "@" + names.person(string(leaf.get("user_id")))
        case "channel":
            return "#" + names.channel(string(leaf.get("channel_id")))
        case "usergroup":
            return "@" + string(leaf.get("usergroup_id"))
        case "broadcast":
            return "@" + string(leaf.get("range"))
        case "emoji":
            name = string(leaf.get("name"))
            return emoji(f":{name}:") if "::" in name else emoji_named(name) or f":{name}:"
        case "link":
            return text or string(leaf.get("url"))
        case "date":
            return string(leaf.get("fallback"))
        case "color":
            return string(leaf.get("value"))
    return text
