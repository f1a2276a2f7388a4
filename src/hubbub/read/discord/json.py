"""The JSON shape: everything that Discord records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean
from ..assembly import Ids, in_time_order
from ..clock import from_iso
from ..document import dicts, load_json, mapping, string
from ..format import Report, Stream
from ..names import fallback_name
from ..source import Source, rewindable
from ..wording import bracketed, file_word
from .words import attachment_at, channel, sentence

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
    source = rewindable(source)
    document = load_json(source)
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        raise WrongFormat(source.name, "discord", "it is JSON, but has no list of messages")
    records = dicts(document["messages"])
    if records and not any("author" in record or isinstance(record.get("timestamp"), str) for record in records):
        raise WrongFormat(source.name, "discord", "no message in it has an author or a timestamp")
    return Stream(_name(document, source), lambda first, report: _messages(document["messages"], source.name, report))


def _name(document: dict[str, Any], source: Source) -> str:
    guild, here = mapping(document.get("guild")), mapping(document.get("channel"))
    parent = string(here.get("category")) if "Thread" in string(here.get("type")) else ""
    name = channel(string(guild.get("name")), string(here.get("name")), parent)
    return clean(name) or fallback_name(source.name)


def _messages(records: list[Any], where: str, report: Report) -> Iterator[Message]:
    ids = Ids()
    found: list[Message] = []
    report.total += len(records)
    for number, record in enumerate(records, 1):
        if isinstance(record, dict):
            found.append(_message(record, ids))
        else:
            report.unexplain(where, number, "not a message object")
    yield from in_time_order(found)


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
    for field in dicts(embed.get("fields")):
        lines.append(": ".join(filter(None, (string(field.get("name")), string(field.get("value"))))))
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
