"""One chat of Messenger or Instagram: its files, its records, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...assembly.chat_streams import numbered
from ...input.source import Source
from ...parsing.json_document import dicts, load_json, mapping, string
from ...parsing.path_names import local_identity
from ...parsing.rendering import bracketed, file_word, lines_of, people_names, sentence
from ...report import Report
from ...times.clock import from_milliseconds
from .encoding import Mending
from .notices import ATTACHMENT, notice

# The kinds of files that a message may list, and what each is called.
_FILES = {"photos": "image", "videos": "video", "audio_files": "audio", "gifs": "image", "files": "", "media": ""}
_SIGNS = {"sender_name", "senderName", "timestamp_ms", "timestamp", "content", "text", *_FILES}
_FAILED = "Failed to download media"


class Facts(NamedTuple):
    """What a file tells of the chat that it is from."""

    title: str
    identity: str


def facts(source: Source) -> Facts:
    document = _document(source)
    mending = Mending(document)
    encrypted = string(document.get("threadName"))
    title = string(document.get("title")) or encrypted.rpartition("_")[0] or encrypted or _people(document)
    # The number behind the name of an encrypted chat counts the files of one download.
    identity = string(document.get("thread_path")) or local_identity(source.name, encrypted)
    return Facts(mending.text(title).strip(), mending.text(identity))


def _document(source: Source) -> dict[str, Any]:
    document = mapping(load_json(source))
    records = document.get("messages")
    if not isinstance(records, list):
        raise WrongFormat(source.name, "messenger", "it has no list of messages")
    if dicts(records) and not any({"sender_name", "senderName"} & each.keys() for each in dicts(records)):
        raise WrongFormat(source.name, "messenger", "no message in it has a sender")
    return document


def _people(document: Mapping[str, Any]) -> str:
    listed = document.get("participants")
    people = listed if isinstance(listed, list) else []
    return people_names(string(mapping(each).get("name")) or string(each) for each in people)


def messages(sources: Sequence[Source], first: int, report: Report) -> Iterator[Message]:
    """The messages of all files of a chat. The newest stands first, in the files and among them, or last in all."""
    found: list[Message] = []
    for source in sources:
        document = _document(source)
        mending, records = Mending(document), document["messages"]
        report.total += len(records)
        for number, record in enumerate(records, 1):
            if isinstance(record, dict) and record.keys() & _SIGNS:
                found.append(_message(record, mending))
            else:
                report.unexplain(source.name, number, "no message: it has neither a sender nor a text")
    times = [message.time for message in found if message.time]
    newest_first = len(times) > 1 and times[0] > times[-1]
    yield from numbered(((message, None) for message in (reversed(found) if newest_first else found)), first)


def _message(record: Mapping[str, Any], mending: Mending) -> Message:
    def text(key: str) -> str:
        return mending.text(string(record.get(key)))

    sender = clean(text("sender_name") or text("senderName"))
    when = _time(record)
    if record.get("is_unsent") is True or record.get("isUnsent") is True:
        return Message("", when, sender, "[deleted]", "system")
    said = text("content") or text("text")
    if happened := _happened(record, sender, said, mending):
        return Message("", when, sender, clean(happened), "system")
    shown = lines_of(*_extras(record, said, mending))
    # "Ana sent an attachment." says nothing beside the attachment itself.
    said = "" if shown and ATTACHMENT.match(said) else said
    return Message("", when, sender, lines_of(said, shown))


def _time(record: Mapping[str, Any]) -> datetime | None:
    return from_milliseconds(record["timestamp_ms"] if "timestamp_ms" in record else record.get("timestamp"))


def _happened(record: Mapping[str, Any], sender: str, said: str, mending: Mending) -> str:
    """What a notice tells, by the type that older downloads give or else by its words; "" if this is a message."""
    kind = string(record.get("type"))
    if kind in ("Subscribe", "Unsubscribe"):
        users = people_names(mending.text(string(each.get("name"))) for each in dicts(record.get("users")))
        done = "left" if users in ("", sender) else f"removed {users}"
        return said or sentence(sender, done if kind == "Unsubscribe" else f"added {users}".strip())
    if kind == "Call" or "call_duration" in record:
        missed = record.get("missed") is True
        told = said or sentence(sender, "missed a call" if missed else "called")
        return f"{told} {bracketed('call', length)}" if (length := _length(record.get("call_duration"))) else told
    return notice(sender, said)


def _length(seconds: object) -> str:
    """How long a call took, as 1:02:03, or "" if nobody answered."""
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 < seconds < 10**9:
        return ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _extras(record: Mapping[str, Any], said: str, mending: Mending) -> Iterator[str]:
    for key, kind in _FILES.items():
        for file in dicts(record.get(key)):
            yield file_word(_file_name(mending.text(string(file.get("uri")))), kind)
    if sticker := mapping(record.get("sticker")):
        yield bracketed("sticker", _file_name(mending.text(string(sticker.get("uri")))))
    share = mapping(record.get("share"))
    for key in ("share_text", "link"):
        shared = mending.text(string(share.get(key)))
        if shared and shared not in said:
            yield shared


def _file_name(uri: str) -> str:
    """The end of a path or an address; nothing where the file could not be downloaded."""
    path = urlsplit(uri).path if uri.startswith(("http://", "https://")) and "]" not in uri and "[" not in uri else uri
    return "" if uri == _FAILED else unquote(PurePosixPath(path.replace("\\", "/")).name)
