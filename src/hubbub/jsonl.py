"""The JSON-lines format: for each chat a versioned header, its messages and its layers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, time
from math import isfinite
from typing import Annotated, Any

import msgspec

from .chat import Chat, Kind, Message
from .layers import Intent, Layers, Link, Mention, Person, Reply, ReplyGraph
from .relays import Relay, Relays

VERSION = 1  # of the format; readers refuse later ones

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_DRIVING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def dump(record: Any) -> str:
    """One line of JSON, safe on a terminal: what could drive one, or reorder what it shows, is written as \\uXXXX.

    Everything else is UTF-8. A number that JSON does not have (infinite, or none) is null.
    """
    try:
        return _safe(_encode(record))
    except ValueError:
        return _safe(_encode(_finite(record)))


def _safe(line: str) -> str:
    """JSON has no control character below DEL that is not escaped already; the rest can only be inside strings."""
    if line.isascii():
        return line if "\x7f" not in line else line.replace("\x7f", "\\u007f")
    return line if line.isprintable() else _DRIVING.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def header(name: str, format: str) -> str:
    return dump({"hubbub": VERSION, "name": name, "format": format})


def message_line(message: Message) -> str:
    """The same as `dump` of its fields; written out, because millions of messages pass here."""
    id, when, author, text, kind, reply_to, clock = message
    time = f'"{when.isoformat()}"' if when else "null"
    answers = _encode(reply_to) if reply_to else "[]"
    shown = f',"clock":"{clock.isoformat()}"' if clock else ""
    line = (
        f'{{"id":{_encode(id)},"time":{time},"author":{_encode(author)},"text":{_encode(text)},'
        f'"kind":"{kind}","reply_to":{answers}{shown}}}'
    )
    return _safe(line)


class MessageRecord(msgspec.Struct, gc=False):
    """A message on a line."""

    id: str
    time: str | None
    author: str
    text: str
    kind: Kind
    reply_to: tuple[str, ...]
    clock: str | None = None


def message_of(record: Mapping[str, Any]) -> Message:
    """Raises ValueError if the record is no message."""
    found = msgspec.convert(record, MessageRecord)
    when = datetime.fromisoformat(found.time) if found.time is not None else None
    clock = time.fromisoformat(found.clock) if found.clock is not None else None
    return Message(found.id, when, found.author, found.text, found.kind, found.reply_to, clock)


def chat_lines(chat: Chat, layers: Layers | None = None) -> Iterator[str]:
    """A whole chat with its layers as lines; without layers, what the chat itself knows of relays."""
    yield header(chat.name, chat.format)
    yield from map(message_line, chat)
    yield from layer_lines(layers or Layers(relays=chat.relays))


def layer_lines(layers: Layers) -> Iterator[str]:
    if layers.replies:
        rows: list[dict[str, Any]] = layers.replies.rows() or [{}]
        yield from (dump({"layer": "replies", **row}) for row in rows)
    lists: dict[str, tuple[Person | Link | Intent | Reply, ...]] = {
        "person": layers.people, "link": layers.links, "intent": layers.intents, "reply": layers.answers
    }  # fmt: skip
    for name, item in ((name, item) for name, items in lists.items() for item in items):
        # What is not known of a person is left out.
        fields = {key: value for key, value in asdict(item).items() if value or key not in ("gender", "relations")}
        yield dump({"layer": name, **fields})
    yield from (dump({"layer": "relay", "position": place, **_relay(relay)}) for place, relay in layers.relays.rows())


def _relay(relay: Relay) -> dict[str, Any]:
    """What the file had; nothing is said of a text that is unchanged, and of the kind of most messages."""
    cut = {"cut": [list(each) for each in relay.cut]} if relay.cut else {}
    return {"author": relay.author, **cut, **({} if relay.kind == "message" else {"kind": relay.kind})}


Position = Annotated[int, msgspec.Meta(ge=0)]
Score = Annotated[float, msgspec.Meta(gt=-1e300, lt=1e300)]  # JSON readers accept NaN and infinities


class LayerRecord(msgspec.Struct, gc=False, tag_field="layer"):
    """A row of a layer; the key `layer` says of which."""


class RepliesRecord(LayerRecord, tag="replies"):
    """The parents of a message; without a position, it says that there is a reply graph, and nothing in it."""

    position: Position | None = None
    parents: tuple[Position, ...] | None = None
    scores: tuple[Score, ...] = ()


class PersonRecord(LayerRecord, tag="person"):
    id: str
    names: tuple[str, ...]
    gender: str = ""
    relations: tuple[tuple[str, str], ...] = ()


class MentionRecord(msgspec.Struct, gc=False):
    position: Position
    start: Position
    end: Position


class LinkRecord(LayerRecord, tag="link"):
    mention: MentionRecord
    people: tuple[str, ...]
    score: Score


class IntentRecord(LayerRecord, tag="intent"):
    position: Position
    name: str | None
    score: Score
    ranking: tuple[tuple[str, Score], ...]


class ReplyRecord(LayerRecord, tag="reply"):
    text: str
    score: Score
    source: str


class RelayRecord(LayerRecord, tag="relay"):
    position: Position
    author: str
    cut: tuple[tuple[Position, str], ...] = ()
    kind: Kind = "message"


AnyLayerRecord = RepliesRecord | PersonRecord | LinkRecord | IntentRecord | ReplyRecord | RelayRecord


@dataclass(slots=True)
class LayerRows:
    """Collects the layer records of a chat as they are read, and makes its layers at the end.

    `length` is the number of messages of the chat: they come before its layers, which point at them.
    """

    length: int = 0
    replies: list[Mapping[str, Any]] | None = None
    people: list[Person] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    intents: list[Intent] = field(default_factory=list)
    answers: list[Reply] = field(default_factory=list)
    relays: Relays = field(default_factory=Relays)

    def add(self, record: Mapping[str, Any]) -> None:
        """Raises ValueError if the record is no row of a layer."""
        row: AnyLayerRecord = msgspec.convert(record, AnyLayerRecord)
        match row:
            case RepliesRecord():
                self.replies = self.replies or []
                self.replies += self._reply_row(row)
            case PersonRecord():
                self.people.append(Person(row.id, row.names, row.gender, row.relations))
            case LinkRecord(mention):
                where = Mention(self._known(mention.position), mention.start, mention.end)
                self.links.append(Link(where, row.people, row.score))
            case IntentRecord():
                self.intents.append(Intent(self._known(row.position), row.name, row.score, row.ranking))
            case ReplyRecord():
                self.answers.append(Reply(row.text, row.score, row.source))
            case RelayRecord():
                self.relays.add(self._known(row.position), Relay(row.author, row.cut, row.kind))

    def clear(self) -> None:
        self.length, self.replies, self.relays = 0, None, Relays()
        for rows in (self.people, self.links, self.intents, self.answers):
            rows.clear()

    def layers(self) -> Layers:
        graph = None if self.replies is None else ReplyGraph.from_rows(self.replies, self.length)
        people, links = tuple(self.people), tuple(self.links)
        return Layers(graph, people, links, tuple(self.intents), tuple(self.answers), self.relays)

    def _reply_row(self, row: RepliesRecord) -> list[Mapping[str, Any]]:
        if row.position is None:
            return []
        if row.parents is None:
            raise ValueError("a row of replies has no parents")
        parents = [self._known(parent) for parent in row.parents]
        return [{"position": self._known(row.position), "parents": parents, "scores": list(row.scores)}]

    def _known(self, position: int) -> int:
        if position >= self.length:
            raise ValueError(f"there is no message at {position}")
        return position


def load(lines: Iterable[str]) -> Iterator[tuple[Chat, Layers]]:
    """Chats and their layers from lines that `chat_lines` wrote. Raises ValueError or KeyError on others."""
    head: Mapping[str, Any] | None = None
    messages: list[Message] = []
    rows = LayerRows()
    for line in lines:
        record = json.loads(line)
        if "hubbub" in record:
            if head is not None:
                yield Chat(head["name"], tuple(messages), head["format"], rows.relays), rows.layers()
            head, messages, rows = record, [], LayerRows()
        elif "layer" in record:
            rows.add(record)
        else:
            messages.append(message_of(record))
            rows.length += 1
    if head is not None:
        yield Chat(head["name"], tuple(messages), head["format"], rows.relays), rows.layers()
