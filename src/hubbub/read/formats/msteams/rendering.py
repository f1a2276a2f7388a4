"""What Microsoft Teams shows: the text of a message's HTML, its attachments, and what its events tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...parsing.html import Node, parse
from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import bracketed, file_word, lines_of, people_names, sentence

_DEEPEST = 20
_EVENTS = {
    "membersAdded": "{a} added {m}",
    "membersDeleted": "{a} removed {m}",
    "membersJoined": "{m} joined the conversation",
    "membersLeft": "{m} left the conversation",
    "callStarted": "{a} started a call",
    "callEnded": "The call ended",
    "callRecording": "The call was recorded",
    "callTranscript": "The call was transcribed",
    "channelAdded": "{a} created the channel {n}",
    "channelDeleted": "{a} deleted the channel {n}",
    "channelRenamed": "{a} renamed the channel to {n}",
    "channelDescriptionUpdated": "{a} changed the channel's description to: {n}",
    "chatRenamed": "{a} renamed the chat to {n}",
    "teamCreated": "{a} created the team {n}",
    "teamRenamed": "{a} renamed the team to {n}",
    "teamDescriptionUpdated": "{a} changed the team's description to: {n}",
    "teamJoiningEnabled": "{a} enabled joining the team",
    "teamJoiningDisabled": "{a} disabled joining the team",
    "teamArchived": "{a} archived the team",
    "teamUnarchived": "{a} unarchived the team",
    "teamsAppInstalled": "{a} installed the app {n}",
    "teamsAppRemoved": "{a} removed the app {n}",
    "teamsAppUpgraded": "{a} upgraded the app {n}",
    "tabUpdated": "{a} changed the tab {n}",
    "messagePinned": "{a} pinned a message",
    "messageUnpinned": "{a} unpinned a message",
}
_NAMED = ("channelDisplayName", "chatDisplayName", "teamDisplayName", "channelDescription", "teamDescription",
          "teamsAppDisplayName", "tabName")  # fmt: skip


def get(record: object, *path: str) -> Any:
    """The value at a path of camelCase keys, which some tools write in PascalCase."""
    for key in path:
        here = mapping(record)
        record = here[key] if key in here else here.get(key[:1].upper() + key[1:])
    return record


@dataclass(frozen=True, slots=True)
class TeamsText:
    """The text of a message's body, and the ids of the messages that it quotes."""

    text: str
    quotes: tuple[str, ...] = ()


def body(html: str, mentions: object = None) -> TeamsText:
    """Mentions with an @, emoji and pictures by their names, quotes of answered messages taken out.

    `mentions` tell who is meant: the words of one name may each be a mention of the same person.
    """
    root = parse(html)
    if original := root.first("originalname"):
        return TeamsText(file_word(original.attributes.get("v", "")))
    quotes: list[str] = []
    meant = {string(get(each, "id")): string(get(each, "mentioned", "user", "id")) for each in dicts(mentions)}
    for node in list(root.walk()):
        _join_names(node, meant)
        node.children = [child for child in node.children if not _quote(child, quotes)]
        _show(node)
    return TeamsText(root.text(), tuple(quotes))


def _join_names(parent: Node, meant: Mapping[str, str]) -> None:
    """Puts the further words of a name, each a mention by itself, behind its first."""
    kept: list[Node | str] = []
    for child in parent.children:
        apart = len(kept) > 1 and isinstance(kept[-1], str) and not kept[-1].strip()
        before = kept[-2] if apart else None
        if isinstance(child, Node) and isinstance(before, Node) and _mean_one(before, child, meant):
            before.children += [kept.pop(), child.text()]
        else:
            kept.append(child)
    parent.children = kept


def _mean_one(one: Node, other: Node, meant: Mapping[str, str]) -> bool:
    whom = [meant.get(node.attributes.get("id", "")) for node in (one, other) if node.tag == "at"]
    return len(whom) == 2 and bool(whom[0]) and whom[0] == whom[1]


def _quote(child: Node | str, quotes: list[str]) -> bool:
    """Whether this is a quote of an answered message; its id is noted."""
    if isinstance(child, str) or child.tag not in ("blockquote", "quote"):
        return False
    id = child.attributes.get("itemid") or child.attributes.get("messageid") or ""
    if id and (child.tag == "quote" or child.attributes.get("itemtype", "").endswith("Reply")):
        quotes.append(id)
        return True
    return False


def _show(node: Node) -> None:
    alt = node.attributes.get("alt", "")
    if node.tag in ("at", "span") and (node.tag == "at" or node.attributes.get("itemtype", "").endswith("Mention")):
        if not node.text().startswith("@"):
            node.children.insert(0, "@")
    elif node.tag == "emoji":
        node.children = [alt, *node.children]
    elif node.tag == "img" and not node.attributes.get("itemtype", "").endswith("Emoji"):
        named = "" if alt.lower() == "image" else alt
        node.attributes["alt"] = alt if re.fullmatch(r"\W{1,8}", alt) else file_word(named, "image")


def files(value: object) -> list[str]:
    """The files of a message in a personal export: a list, or a list written as JSON text."""
    try:
        listed = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return []
    return [file_word(string(each.get("fileName")) or string(each.get("title"))) for each in dicts(listed)]


def attached(attachments: object) -> Iterator[TeamsText]:
    """Every attachment as text; a reference to a message as a quote of it."""
    for attachment in dicts(attachments):
        kind, name = string(get(attachment, "contentType")), string(get(attachment, "name"))
        content = _content(get(attachment, "content"))
        if kind == "messageReference":
            id = string(content.get("messageId")) or string(get(attachment, "id"))
            yield TeamsText("", (id,) if id else ())
        elif kind == "forwardedMessageReference":
            yield body(string(content.get("originalMessageContent")))
        elif "card" in kind:
            yield TeamsText(lines_of(*_card(content, 0)) or bracketed("card", name))
        elif kind == "meetingReference":
            yield TeamsText(bracketed("meeting", name))
        else:
            yield TeamsText(file_word(name, kind))


def _content(value: object) -> dict[str, Any]:
    try:
        return mapping(json.loads(value) if isinstance(value, str) else value)
    except (ValueError, RecursionError):
        return {}


def _card(value: object, depth: int) -> Iterator[str]:
    """The texts of a card, in their order."""
    if depth > _DEEPEST:
        return
    for key, inner in mapping(value).items():
        if key in ("title", "subtitle", "text", "value") and isinstance(inner, str):
            yield body(inner).text
        elif key in ("body", "items", "columns", "facts", "sections"):
            for each in dicts(inner):
                yield from _card(each, depth + 1)


def event(detail: Mapping[str, Any], name_of: Callable[[object], str]) -> tuple[str, str]:
    """Who caused an event, and the sentence that tells it."""
    author = next((name for kind in ("user", "application") if (name := name_of(get(detail, "initiator", kind)))), "")
    members = people_names(map(name_of, dicts(get(detail, "members"))))
    kind = next((string(detail[key]) for key in ("@odata.type", "OdataType", "odataType") if detail.get(key)), "")
    kind = kind.rpartition(".")[2].removesuffix("EventMessageDetail") or ("membersAdded" if members else "")
    named = next((string(value) for key in _NAMED if (value := get(detail, key))), "")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower() or "changed something"
    told = _EVENTS[kind].format(a=author or "Somebody", m=members or "somebody", n=named) if kind in _EVENTS else words
    about = members if kind in ("membersJoined", "membersLeft") else author
    return about, told.strip().removesuffix(":") if kind in _EVENTS else sentence(author, told)


def activity(kind: str, content: str, name_of: Callable[[str], str]) -> tuple[str, str]:
    """The same of the XML in a personal export, such as <addmember><initiator>..</initiator><target>..</target>."""
    root = parse(content)
    targets = people_names(name_of(node.text()) for node in root.all("target") if not node.first("id"))
    targets = targets or people_names(name_of(node.text()) for node in root.all("id"))
    starter = root.first("initiator")
    author = name_of(starter.text()) if starter else ""
    value = root.first("value")
    what = kind.rpartition("/")[2]
    match what:
        case "AddMember" | "MemberJoined":
            return author, f"{author} added {targets}" if author and author != targets else f"{targets} joined"
        case "DeleteMember" | "MemberLeft":
            return author, f"{author} removed {targets}" if author and author != targets else f"{targets} left"
        case "TopicUpdate":
            return author, f"{author or 'Somebody'} changed the topic to: {value.text() if value else ''}"
        case "Call":
            ended = root.first("ended") is not None or "ended" in content[:200]
            return author, "The call ended" if ended else sentence(author, "started a call")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", what).lower()
    return author, lines_of(sentence(author, words) + (f": {value.text()}" if value else ""))
