"""The JSON shape: everything that Discord records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ....chat import Message
from ....errors import InputError, WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids
from ...assembly.sorting import Collected
from ...format import Stream
from ...input.source import Source
from ...parsing.json_document import dicts, mapping, string
from ...parsing.json_stream import Path, walk
from ...parsing.path_names import fallback_name
from ...parsing.rendering import bracketed, file_word
from ...times.clock import from_iso
from .rendering import attachment_at, channel, id_of_file, sentence

_SPOKEN = {"", "Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand",
           "ApplicationCommand", "0", "19", "20", "21", "23"}  # fmt: skip
_NUMBERED = {
    "8": "boosted the server.", "9": "boosted the server to level 1.", "10": "boosted the server to level 2.",
    "11": "boosted the server to level 3.", "12": "added a channel to follow here.",
    "22": "was reminded to invite people.",
    "24": "was stopped by AutoMod.", "25": "subscribed to a role.", "27": "started a Stage.", "28": "ended the Stage.",
    "29": "is now a speaker.", "31": "changed the Stage topic.", "44": "bought something.", "46": "closed a poll.",
}  # fmt: skip
_MENTION = re.compile(r"<@!?(\d+)>")
_EMOJI = re.compile(r"<a?:(\w+):\d+>")


def stream(source: Source) -> Stream:
    found = _Channel()
    try:
        for path, kind, value in walk(source, _entered):
            if kind == "items":
                found.take(value, source.name)
            elif path == ("messages",) and kind == "start":
                found.listed = True
            elif len(path) == 1 and kind == "value":
                found.members[path[0]] = value
    except InputError as error:
        if not found.collected.report.total:
            raise
        found.collected.break_off(error)
    if not found.listed:
        raise WrongFormat(source.name, "discord", "it is JSON, but has no list of messages")
    if found.objects and not found.signs:
        raise WrongFormat(source.name, "discord", "no message in it has an author or a timestamp")
    id = string(mapping(found.members.get("channel")).get("id")) or id_of_file(source.name)
    return Stream(_name(found.members, source), found.collected.open, identity=id)


def _entered(path: Path) -> str:
    return {(): "{", ("messages",): "["}.get(path, "")


@dataclass(slots=True)
class _Channel:
    """The channel as it is being read; `signs` if any record has what a message of Discord has."""

    members: dict[str, Any] = field(default_factory=dict)
    collected: Collected = field(default_factory=Collected)
    listed: bool = False
    objects: bool = False
    signs: bool = False

    def take(self, records: list[Any], where: str) -> None:
        ids, messages, report = self.collected.ids, self.collected.messages, self.collected.report
        for record in records:
            report.total += 1
            if isinstance(record, dict):
                self.objects = True
                self.signs = self.signs or "author" in record or isinstance(record.get("timestamp"), str)
                messages.add(_message(record, ids))
            else:
                report.unexplain(where, report.total, "not a message object")


def _name(document: dict[str, Any], source: Source) -> str:
    guild, here = mapping(document.get("guild")), mapping(document.get("channel"))
    parent = string(here.get("category")) if "Thread" in string(here.get("type")) else ""
    name = channel(string(guild.get("name")), string(here.get("name")), parent)
    return clean(name) or fallback_name(source.name)


def _message(record: dict[str, Any], ids: Ids) -> Message:
    kind = string(record.get("type"))
    author = clean(_person(record.get("author")))
    time = from_iso(record.get("timestamp"))
    id = ids.take(string(record.get("id")))
    if kind in _SPOKEN:
        return Message(id, time, author, clean(_text(record)), "message", _answered(record, kind))
    notice = _text(record) or _NUMBERED.get(kind) or f"did something ({kind})."
    return Message(id, time, author, clean(sentence(author, notice)), "system")


def _person(value: object) -> str:
    user = mapping(value)
    return string(user.get("nickname")) or string(user.get("name")) or string(user.get("id"))


def _answered(record: dict[str, Any], kind: str) -> tuple[str, ...]:
    reference = mapping(record.get("reference"))
    answered = string(reference.get("messageId"))
    forwards = string(reference.get("type")) == "Forward" or bool(record.get("forwardedMessage"))
    return (answered,) if answered and kind in ("Reply", "19", "Default", "0") and not forwards else ()


def _text(record: dict[str, Any]) -> str:
    names = {string(user.get("id")): _person(user) for user in dicts(record.get("mentions"))}
    said = _MENTION.sub(lambda found: f"@{names.get(found[1], found[1])}", string(record.get("content")))
    parts = [_EMOJI.sub(r":\1:", said), *_forwarded(record), *_extras(record, said)]
    if not any(parts) and (command := mapping(record.get("interaction"))):
        parts = [f"[used /{string(command.get('name'))}]"]
    return "\n".join(part for part in parts if part)


def _forwarded(record: dict[str, Any]) -> Iterator[str]:
    if forwarded := mapping(record.get("forwardedMessage")):
        yield f"[forwarded] {_text({**forwarded, 'forwardedMessage': None})}".strip()


def _extras(record: dict[str, Any], said: str) -> Iterator[str]:
    for file in dicts(record.get("attachments")):
        name = string(file.get("fileName"))
        yield file_word(name) if name else attachment_at(string(file.get("url")))
    for sticker in dicts(record.get("stickers")):
        yield bracketed("sticker", string(sticker.get("name")))
    for embed in dicts(record.get("embeds")):
        url = string(embed.get("url"))
        if not url or url not in said:
            yield "\n".join(_embed(embed))
    if poll := mapping(record.get("poll")):
        yield _poll(poll)


def _embed(embed: dict[str, Any]) -> Iterator[str]:
    lines = [mapping(embed.get("author")).get("name"), embed.get("title"), embed.get("description")]
    for cell in dicts(embed.get("fields")):
        lines.append(": ".join(filter(None, (string(cell.get("name")), string(cell.get("value"))))))
    lines.append(mapping(embed.get("footer")).get("text"))
    shown = [text for line in lines if (text := _EMOJI.sub(r":\1:", string(line)).strip())]
    yield from shown
    picture = string(embed.get("url")) or string(mapping(embed.get("image")).get("url"))
    if picture and not shown:
        yield picture


def _poll(poll: dict[str, Any]) -> str:
    answers = [_worded(answer) for answer in dicts(poll.get("answers"))]
    return f"[poll: {_worded(poll, 'question')} {' / '.join(filter(None, answers))}]"


def _worded(record: dict[str, Any], key: str = "text") -> str:
    value = record.get(key)
    return string(mapping(value).get("text")) if isinstance(value, dict) else string(value)
