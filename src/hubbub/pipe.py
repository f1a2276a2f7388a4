"""What travels between verbs: JSON lines, a versioned header, then messages, then layers, chat after chat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, time
from math import isfinite
from typing import Any

from .chat import KINDS, Chat, Message
from .layers import Intent, Layers, Link, Mention, Person, Reply, ReplyGraph
from .relays import Relay, Relays

VERSION = 1

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
    """A whole chat with its layers as lines; without layers, what the chat itself knows of relays."""
    yield header(chat.name, chat.format)
    yield from map(message_line, chat)
    yield from layer_lines(layers or Layers(relays=chat.relays))


def layer_lines(layers: Layers) -> Iterator[str]:
    if layers.replies:
        rows: list[dict[str, Any]] = layers.replies.rows() or [{}]
        yield from (dump({"layer": "replies", **row}) for row in rows)
    for name, items in _lists(layers).items():
        yield from (dump({"layer": name, **_fields(item)}) for item in items)
    yield from (dump({"layer": "relay", "position": place, **_relay(relay)}) for place, relay in layers.relays.rows())


def _relay(relay: Relay) -> dict[str, Any]:
    """What the file had; nothing is said of a text that is unchanged, and of the kind of most messages."""
    cut = {"cut": [list(each) for each in relay.cut]} if relay.cut else {}
    return {"author": relay.author, **cut, **({} if relay.kind == "message" else {"kind": relay.kind})}


def _fields(item: Person | Link | Intent | Reply) -> dict[str, Any]:
    """What there is to say of an item; what is not known of a person is left out."""
    return {key: value for key, value in asdict(item).items() if value or key not in ("gender", "relations")}


def _lists(layers: Layers) -> dict[str, tuple[Person | Link | Intent | Reply, ...]]:
    return {"person": layers.people, "link": layers.links, "intent": layers.intents, "reply": layers.answers}


@dataclass(slots=True)
class LayerRows:
    """Gathers layer records as they are read, and makes the layers of them at the end of a chat.

    `length` is how many messages the chat has: they come before its layers, which point at them.
    """

    length: int = 0
    replies: list[Mapping[str, Any]] | None = None
    people: list[Person] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    intents: list[Intent] = field(default_factory=list)
    answers: list[Reply] = field(default_factory=list)
    relays: Relays = field(default_factory=Relays)

    def add(self, record: Mapping[str, Any]) -> None:
        """Raises KeyError, TypeError or ValueError if the record is no row of a layer."""
        match record["layer"]:
            case "replies":
                self.replies = self.replies or []
                self.replies += self._reply_row(record)
            case "person":
                self.people.append(_person(record))
            case "link":
                mention = record["mention"]
                where = Mention(self._position(mention["position"]), _count(mention["start"]), _count(mention["end"]))
                self.links.append(Link(where, _words(record["people"]), _number(record["score"])))
            case "intent":
                name = None if record["name"] is None else _word(record["name"])
                ranking = tuple((_word(other), _number(score)) for other, score in record["ranking"])
                self.intents.append(Intent(self._position(record["position"]), name, _number(record["score"]), ranking))
            case "reply":
                self.answers.append(Reply(_word(record["text"]), _number(record["score"]), _word(record["source"])))
            case "relay":
                self.relays.add(self._position(record["position"]), _relay_of(record))
            case name:
                raise ValueError(f"no layer is named {name!r}")

    def clear(self) -> None:
        self.length, self.replies, self.relays = 0, None, Relays()
        for rows in (self.people, self.links, self.intents, self.answers):
            rows.clear()

    def layers(self) -> Layers:
        graph = None if self.replies is None else ReplyGraph.from_rows(self.replies, self.length)
        people, links = tuple(self.people), tuple(self.links)
        return Layers(graph, people, links, tuple(self.intents), tuple(self.answers), self.relays)

    def _reply_row(self, record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """A row of the reply graph; a record without a position says that there is a graph, and nothing in it."""
        if "position" not in record:
            return []
        parents = [self._position(parent) for parent in record["parents"]]
        scores = [_number(score) for score in record.get("scores", ())]
        return [{"position": self._position(record["position"]), "parents": parents, "scores": scores}]

    def _position(self, value: object) -> int:
        if (position := _count(value)) >= self.length:
            raise ValueError(f"there is no message at {position}")
        return position


def _person(record: Mapping[str, Any]) -> Person:
    relations = tuple((_word(relation), _word(other)) for relation, other in record.get("relations", ()))
    return Person(_word(record["id"]), _words(record["names"]), _word(record.get("gender", "")), relations)


def _relay_of(record: Mapping[str, Any]) -> Relay:
    kind = record.get("kind", "message")
    if kind not in KINDS:
        raise ValueError("not a kind of message")
    return Relay(_word(record["author"]), tuple((_count(at), _word(cut)) for at, cut in record.get("cut", ())), kind)


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return value


def _words(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(_word, values))


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("not a position")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not -1e300 < value < 1e300:
        raise TypeError("not a finite number")
    return value


def load(lines: Iterable[str]) -> Iterator[tuple[Chat, Layers]]:
    """Chats and their layers from lines that `chat_lines` wrote. Raises ValueError, KeyError or TypeError on others."""
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
