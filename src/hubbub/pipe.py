"""What travels between verbs: JSON lines, a versioned header, then messages, then layers, chat after chat."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, time
from typing import Any

from .chat import KINDS, Chat, Message
from .layers import Intent, Layers, Link, Mention, Person, Reply, ReplyGraph

VERSION = 1

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_encode_ascii = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def dump(record: Mapping[str, Any]) -> str:
    """One line of JSON, in UTF-8 unless a broken half of a character forces escapes."""
    line = _encode(record)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return _encode_ascii(record)
    return line


def header(name: str, format: str) -> str:
    return dump({"hubbub": VERSION, "name": name, "format": format})


def message_line(message: Message) -> str:
    return dump(message_record(message))


def message_record(message: Message) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": message.id,
        "time": message.time.isoformat() if message.time else None,
        "author": message.author,
        "text": message.text,
        "kind": message.kind,
        "reply_to": list(message.reply_to),
    }
    if message.clock:
        record["clock"] = message.clock.isoformat()
    return record


def message_of(record: Mapping[str, Any]) -> Message:
    """Raises KeyError, TypeError or ValueError if the record is no message."""
    when, clock = record["time"], record.get("clock")
    kind, reply_to = record["kind"], record["reply_to"]
    words = [record["id"], record["author"], record["text"], *reply_to]
    if kind not in KINDS or not isinstance(reply_to, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("a field of the wrong kind")
    return Message(
        record["id"],
        datetime.fromisoformat(when) if when is not None else None,
        record["author"],
        record["text"],
        kind,
        tuple(reply_to),
        time.fromisoformat(clock) if clock is not None else None,
    )


def chat_lines(chat: Chat, layers: Layers | None = None) -> Iterator[str]:
    """A whole chat with its layers as lines."""
    yield header(chat.name, chat.format)
    yield from map(message_line, chat)
    if layers:
        yield from layer_lines(layers)


def layer_lines(layers: Layers) -> Iterator[str]:
    if layers.replies:
        yield from (dump({"layer": "replies", **row}) for row in layers.replies.rows())
    for name, items in _lists(layers).items():
        yield from (dump({"layer": name, **asdict(item)}) for item in items)


def _lists(layers: Layers) -> dict[str, tuple[Person | Link | Intent | Reply, ...]]:
    return {"person": layers.people, "link": layers.links, "intent": layers.intents, "reply": layers.answers}


@dataclass(slots=True)
class LayerRows:
    """Gathers layer records as they are read, and makes the layers of them at the end of a chat."""

    rows: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    def add(self, record: Mapping[str, Any]) -> None:
        name = record["layer"]
        if name not in ("replies", "person", "link", "intent", "reply"):
            raise ValueError(f"no layer is named {name!r}")
        self.rows.setdefault(name, []).append({key: value for key, value in record.items() if key != "layer"})

    def layers(self, length: int) -> Layers:
        get = self.rows.get
        return Layers(
            ReplyGraph.from_rows(get("replies", []), length) if "replies" in self.rows else None,
            tuple(Person(row["id"], tuple(row["names"])) for row in get("person", [])),
            tuple(Link(Mention(**row["mention"]), tuple(row["people"]), row["score"]) for row in get("link", [])),
            tuple(_intent(row) for row in get("intent", [])),
            tuple(Reply(**row) for row in get("reply", [])),
        )


def _intent(row: Mapping[str, Any]) -> Intent:
    return Intent(row["position"], row["name"], row["score"], tuple((n, s) for n, s in row["ranking"]))


def load(lines: Iterable[str]) -> Iterator[tuple[Chat, Layers]]:
    """Chats and their layers from lines that `chat_lines` wrote. Raises ValueError, KeyError or TypeError on others."""
    head: Mapping[str, Any] | None = None
    messages: list[Message] = []
    rows = LayerRows()
    for line in lines:
        record = json.loads(line)
        if "hubbub" in record:
            if head is not None:
                yield Chat(head["name"], tuple(messages), head["format"]), rows.layers(len(messages))
            head, messages, rows = record, [], LayerRows()
        elif "layer" in record:
            rows.add(record)
        else:
            messages.append(message_of(record))
    if head is not None:
        yield Chat(head["name"], tuple(messages), head["format"]), rows.layers(len(messages))
