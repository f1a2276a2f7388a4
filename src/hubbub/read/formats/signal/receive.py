"""What signal-cli prints as it receives messages: an envelope a line, with --output json or as JSON-RPC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import Ids
from ...assembly.download import FoundChat, chat_streams
from ...detect.file_head import Sample
from ...format import Options, Stream
from ...input.source import Source, rewindable
from ...parsing.json_document import mapping, string
from ...parsing.path_names import fallback_name
from ...parsing.rendering import lines_of
from ...report import Report
from ...times.clock import from_milliseconds
from .rendering import DELETED, OWN_NAME, files, mentioned, records, sticker


def is_envelopes(sample: Sample) -> bool:
    keys = sample.json_keys
    return bool(keys["envelope"]) and bool(keys["dataMessage"] + keys["syncMessage"] + keys["sourceUuid"])


class _Sent(NamedTuple):
    """A message of an envelope: which chat it is of, who sent it, and what it says; `edits` is what it replaces."""

    chat: str
    name: str
    author: str
    stamp: str
    fields: Mapping[str, Any]
    edits: str


@dataclass(slots=True)
class _Chat:
    name: str = ""
    messages: dict[str, Message] = field(default_factory=dict)
    files: dict[str, object] = field(default_factory=dict)
    ids: Ids = field(default_factory=Ids)
    joined: int = 0


def streams(source: Source, options: Options) -> Iterator[Stream]:
    source, strays = rewindable(source), Report()
    chats: dict[str, _Chat] = {}
    seen = False
    for number, record in records(source):
        envelope = _envelope(record)
        seen = seen or bool(envelope)
        sent = _sent(envelope)
        if sent and not sent.fields.get("reaction"):
            chat = chats.setdefault(sent.chat, _Chat())
            chat.name = chat.name or sent.name
            _take(sent, chat)
            continue
        strays.total += 1
        if record == "":
            strays.skip(source.name, number, "blank line")
        elif envelope:
            strays.skip(source.name, number, "a reaction" if sent else "a receipt or a signal that nobody sees")
        else:
            strays.unexplain(source.name, number, "no envelope of a message")
    if not seen and strays.unexplained:
        raise WrongFormat(source.name, "signal", "no line of it is an envelope")
    found = [FoundChat(chat.name or id, id, partial(_messages, chat)) for id, chat in chats.items()]
    yield from chat_streams(found, strays, fallback_name(source.name))


def _envelope(record: object) -> Mapping[str, Any]:
    fields = mapping(record)
    return mapping(fields.get("envelope")) or mapping(mapping(fields.get("params")).get("envelope"))


def _sent(envelope: Mapping[str, Any]) -> _Sent | None:
    """The message of an envelope: received, sent from another device of the account, or an edit of one."""
    own = mapping(mapping(envelope.get("syncMessage")).get("sentMessage"))
    outer = own or envelope
    edit = mapping(outer.get("editMessage"))
    fields = mapping(edit.get("dataMessage")) or (own if own and not edit else mapping(envelope.get("dataMessage")))
    if not fields:
        return None
    stamp = string(fields.get("timestamp")) or string(envelope.get("timestamp"))
    group = mapping(fields.get("groupInfo"))
    source = (
        string(envelope.get("sourceName")) or string(envelope.get("sourceNumber")) or string(envelope.get("source"))
    )
    author = OWN_NAME if own else clean(source)
    if group:
        id, name = string(group.get("groupId")), string(group.get("groupName"))
    elif own:
        id = string(own.get("destinationUuid")) or string(own.get("destination"))
        name = string(own.get("destinationName")) or string(own.get("destinationNumber")) or id
    else:
        id, name = string(envelope.get("sourceUuid")) or string(envelope.get("source")), author
    return _Sent(id, name, author, stamp, fields, string(edit.get("targetSentTimestamp")))


def _take(sent: _Sent, chat: _Chat) -> None:
    """An edit or a deletion joins the message that it changes, if that is there."""
    deleted = string(mapping(sent.fields.get("remoteDelete")).get("timestamp"))
    target = deleted or sent.edits
    # An edit of the text keeps the files that were sent with it.
    files_before = {"attachments": chat.files.get(target)} if target in chat.files else {}
    made = _message(sent._replace(fields={**files_before, **sent.fields}))
    if deleted:
        made = made._replace(text=DELETED, kind="system")
    if before := chat.messages.get(target):
        chat.joined += 1
        chat.messages[target] = before._replace(text=made.text, kind=made.kind)
        return
    id = chat.ids.take(target or sent.stamp)
    chat.messages[id] = made._replace(id=id)
    if sent.fields.get("attachments"):
        chat.files[id] = sent.fields["attachments"]


def _message(sent: _Sent) -> Message:
    fields = sent.fields
    said = mentioned(string(fields.get("message")), fields.get("mentions"), lambda id: id)
    text = lines_of(said, *files(fields.get("attachments")), sticker(fields.get("sticker")))
    answered = string(mapping(fields.get("quote")).get("id"))
    when = from_milliseconds(sent.stamp)
    return Message(sent.stamp, when, sent.author, text, "message", (answered,) if answered else ())


def _messages(chat: _Chat, first: int, report: Report) -> Iterator[Message]:
    report.total += len(chat.messages) + chat.joined
    report.continued += chat.joined
    yield from chat.messages.values()
