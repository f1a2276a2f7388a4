"""main.jsonl, the export of Signal Desktop itself: people, chats and messages, an object a line.

People and chats stand before what refers to them, so that one pass is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....chat import Kind, Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import CHAT_LIST, PEOPLE, Ids
from ...assembly.download import FoundChat, chat_streams
from ...detect.file_head import Sample
from ...format import Options, Stream
from ...input.source import Source, rewindable
from ...parsing.json_document import dicts, mapping, string
from ...parsing.path_names import fallback_name, local_identity
from ...parsing.rendering import bracketed, lines_of, sentence
from ...report import Report
from ...times.clock import from_milliseconds
from .events import update
from .rendering import DELETED, NOTES, OWN_NAME, files, mentioned, records, sticker

_SIDE = {"recipient": PEOPLE, "account": PEOPLE, "chat": CHAT_LIST}
_OTHER = "no message, but a setting"


def is_frames(sample: Sample) -> bool:
    keys = sample.json_keys
    return bool(keys["chatItem"] and keys["chatId"]) or bool(
        keys["backupTimeMs"] and keys["mediaRootBackupKey"] and keys["recipient"]
    )


@dataclass(slots=True)
class _Chat:
    """The messages of one chat, and the lines of the file that did not become one."""

    messages: list[Message] = field(default_factory=list)
    ids: Ids = field(default_factory=Ids)


@dataclass(slots=True)
class _Backup:
    """What the file has told so far."""

    people: dict[str, str] = field(default_factory=dict)
    by_account: dict[str, str] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    owner: str = OWN_NAME
    notes: str = ""
    recipient_of: dict[str, str] = field(default_factory=dict)
    chats: dict[str, _Chat] = field(default_factory=dict)

    def person(self, id: str) -> str:
        return self.people.get(id, "")

    def account(self, id: str) -> str:
        """The name of whoever has this account id."""
        return self.by_account.get(id, "somebody")

    def learn(self, kind: str, fields: Mapping[str, Any]) -> None:
        if kind == "account":
            self.owner = _full(fields, "givenName", "familyName") or self.owner
        elif kind == "chat":
            self.recipient_of[string(fields.get("id"))] = string(fields.get("recipientId"))
        elif kind == "recipient":
            self._learn_recipient(string(fields.get("id")), fields)

    def _learn_recipient(self, id: str, fields: Mapping[str, Any]) -> None:
        contact, group = mapping(fields.get("contact")), mapping(fields.get("group"))
        if "self" in fields:
            self.people[id], self.notes = self.owner, id
        elif contact:
            self.people[id] = _contact(contact)
            self.identities[id] = string(contact.get("aci")) or string(contact.get("e164"))
            for key in ("aci", "pni"):
                if account := string(contact.get(key)):
                    self.by_account[account] = self.people[id]
        elif group:
            snapshot = mapping(group.get("snapshot"))
            self.identities[id] = string(group.get("masterKey"))
            self.people[id] = clean(string(mapping(snapshot.get("title")).get("title")))
        elif "releaseNotes" in fields:
            self.people[id] = "Signal"
        else:
            inner = mapping(fields.get("distributionList"))
            named = mapping(inner.get("distributionList")) or inner or mapping(fields.get("callLink"))
            self.people[id] = clean(string(named.get("name")))

    def identity(self, chat: str) -> str:
        """The account or the key of the group; "" for a chat that everybody has, such as that of notes."""
        return self.identities.get(self.recipient_of.get(chat, ""), "")

    def name(self, chat: str, source: Source) -> str:
        recipient = self.recipient_of.get(chat, "")
        if recipient and recipient == self.notes:
            return NOTES
        return self.person(recipient) or (f"chat {chat}" if chat else fallback_name(source.name))


def _contact(contact: Mapping[str, Any]) -> str:
    """As Signal shows somebody: by the nickname, the name in the address book, that of the profile, or the number."""
    nickname = _full(mapping(contact.get("nickname")), "given", "family")
    saved = _full(contact, "systemGivenName", "systemFamilyName")
    profile = _full(contact, "profileGivenName", "profileFamilyName")
    number = string(contact.get("e164"))
    return (
        nickname or saved or profile or clean(string(contact.get("username"))) or (number and f"+{number.lstrip('+')}")
    )


def _full(fields: Mapping[str, Any], given: str, family: str) -> str:
    return clean(" ".join(part for key in (given, family) if (part := string(fields.get(key)).strip())))


def streams(source: Source, options: Options) -> Iterator[Stream]:
    source, strays, backup = rewindable(source), Report(), _Backup()
    for number, record in records(source):
        strays.total += 1
        if record == "":
            strays.skip(source.name, number, "blank line")
        elif not isinstance(record, dict):
            strays.unexplain(source.name, number, "not a JSON object")
        else:
            _take(record, number, source.name, backup, strays)
    if strays.unexplained and not backup.chats and not backup.people:
        raise WrongFormat(source.name, "signal", "no line of it is a message, a chat or a person")
    found = [
        FoundChat(backup.name(id, source), backup.identity(id) or local_identity(source.name, id), _opener(chat), id)
        for id, chat in backup.chats.items()
    ]
    yield from chat_streams(found, strays, fallback_name(source.name))


def _opener(chat: _Chat) -> Callable[[int, Report], list[Message]]:
    def messages(first: int, report: Report) -> list[Message]:
        report.total += len(chat.messages)
        return chat.messages

    return messages


def _take(record: dict[str, Any], number: int, where: str, backup: _Backup, strays: Report) -> None:
    """One line. A message is counted by its own chat, everything else by the strays."""
    item = record.get("chatItem")
    if not isinstance(item, dict):
        kind = next((kind for kind in _SIDE if kind in record), "")
        if kind:
            backup.learn(kind, mapping(record[kind]))
        strays.skip(where, number, _SIDE.get(kind, _OTHER))
        return
    if "chatId" not in item and "dateSent" not in item:
        strays.unexplain(where, number, "no message: it has neither a chat nor a date")
        return
    strays.total -= 1
    chat = backup.chats.setdefault(string(item.get("chatId")), _Chat())
    chat.messages.append(_message(chat.ids.take(string(item.get("dateSent"))), item, backup))


def _message(id: str, item: Mapping[str, Any], backup: _Backup) -> Message:
    when, author = from_milliseconds(item.get("dateSent")), backup.person(string(item.get("authorId")))
    if "updateMessage" in item:
        about, told = update(mapping(item["updateMessage"]), author, backup.account)
        return Message(id, when, clean(about), clean(told), "system")
    if "remoteDeletedMessage" in item or "adminDeletedMessage" in item:
        return Message(id, when, author, DELETED, "system")
    kind: Kind = "message"
    standard = mapping(item.get("standardMessage")) or mapping(item.get("directStoryReplyMessage"))
    text = lines_of(*_standard(standard, backup), *_others(item))
    if not text and "standardMessage" not in item:
        kind, text = "system", sentence(author, "[unsupported message]")
    answered = string(mapping(standard.get("quote")).get("targetSentTimestamp"))
    return Message(id, when, author, text, kind, (answered,) if answered and answered != "0" else ())


def _standard(standard: Mapping[str, Any], backup: _Backup) -> Iterator[str]:
    """The text as it was last edited; a story is answered with a text or an emoji."""
    text = mapping(standard.get("text")) or mapping(mapping(standard.get("textReply")).get("text"))
    yield mentioned(string(text.get("body")), text.get("bodyRanges"), backup.account)
    yield string(standard.get("emoji"))
    yield from files(standard.get("attachments"))


def _others(item: Mapping[str, Any]) -> Iterator[str]:
    contact = mapping(item.get("contactMessage"))
    for each in dicts(contact.get("contact")) or [inner for inner in [mapping(contact.get("contact"))] if inner]:
        yield bracketed("contact", _full(mapping(each.get("name")), "givenName", "familyName"))
    yield sticker(mapping(item.get("stickerMessage")).get("sticker"))
    poll = mapping(item.get("poll"))
    if poll:
        options = [string(each.get("option")) for each in dicts(poll.get("options"))]
        yield bracketed("poll", string(poll.get("question")), " / ".join(options))
    for key, shown in (
        ("viewOnceMessage", "view-once media"),
        ("paymentNotification", "payment"),
        ("giftBadge", "gift"),
    ):
        if key in item:
            yield bracketed(shown)
