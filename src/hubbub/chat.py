"""The data every task takes: Message, Chat (messages in order) and Chats (several chats)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from datetime import time as Time
from typing import Any, Literal, NamedTuple, overload

from .relays import Relays
from .text import LONGEST_SEEN

Kind = Literal["message", "action", "system"]
KINDS: tuple[Kind, ...] = ("message", "action", "system")

RENAME = " is now known as "


class Message(NamedTuple):
    """A message, an action (`/me`), or a system event such as a join or a rename.

    `time` is None when the date is unknown; `clock` then keeps the time of day, if the log had one.
    `author` of a system message is the person it is about, or "" if there is none.
    A rename has the same form on every platform: kind "system", author OLD, text "OLD is now known as NEW".
    `reply_to` holds the ids of the messages that, according to the platform, this one replies to.
    """

    id: str
    time: datetime | None
    author: str
    text: str
    kind: Kind = "message"
    reply_to: tuple[str, ...] = ()
    clock: Time | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Chat(Sequence[Message]):
    """Messages in order. A position is an int; layers point at positions.

    `relays` says which messages a bridge relayed; it is ignored when chats are compared.
    """

    name: str
    messages: tuple[Message, ...] = ()
    format: str = ""
    relays: Relays = field(default_factory=Relays, compare=False, repr=False)

    @overload
    def __getitem__(self, position: int) -> Message: ...
    @overload
    def __getitem__(self, position: slice) -> Chat: ...
    def __getitem__(self, position: int | slice) -> Message | Chat:
        if isinstance(position, slice):
            relays = self.relays.sliced(range(*position.indices(len(self.messages))))
            return Chat(self.name, self.messages[position], self.format, relays)
        return self.messages[position]

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def __repr__(self) -> str:
        people = len(self.authors())
        return f"<Chat {self.name!r}: {len(self)} messages by {people} {'person' if people == 1 else 'people'}>"

    def authors(self) -> tuple[str, ...]:
        """Everybody who wrote a message or an action, in order of first appearance."""
        return tuple(dict.fromkeys(m.author for m in self.messages if m.kind != "system" and m.author))

    def seen(self) -> Chat:
        """The chat as models get it: texts are cut after LONGEST_SEEN characters. Positions are the same."""
        if all(len(message.text) <= LONGEST_SEEN for message in self.messages):
            return self
        cut = tuple(message._replace(text=message.text[:LONGEST_SEEN]) for message in self.messages)
        return Chat(self.name, cut, self.format, self.relays)

    def original(self, position: int) -> Message:
        """The message as the file has it, written by the bot or puppet of a bridge if one relayed it."""
        message = self.messages[position]
        relay = self.relays.get(range(len(self.messages))[position])
        return relay.original(message) if relay else message

    def columns(self) -> dict[str, list[Any]]:
        """The chat as columns, as polars, pandas and pyarrow take them."""
        rows = self.messages
        return {field: [getattr(row, field) for row in rows] for field in Message._fields}

    def aliases(self) -> Aliases:
        """The names that belong to one person, according to the renames in this chat."""
        return Aliases.of(self.messages)


def renamed(message: Message) -> tuple[str, str] | None:
    """(old, new) if the message announces a rename."""
    if message.kind != "system" or RENAME not in message.text:
        return None
    old, _, new = message.text.partition(RENAME)
    return (old, new) if old == message.author and new else None


@dataclass(frozen=True, slots=True)
class Aliases:
    """Chains of names of one person each, joined by renames."""

    chains: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Aliases:
        chain_of: dict[str, list[str]] = {}
        for message in messages:
            if pair := renamed(message):
                _join(chain_of, *pair)
        unique = {id(chain): chain for chain in chain_of.values()}
        return cls(tuple(tuple(chain) for chain in unique.values()))

    def names(self, name: str) -> tuple[str, ...]:
        """Every name of the person who has this name, including it."""
        return next((chain for chain in self.chains if name in chain), (name,))

    def same(self, one: str, other: str) -> bool:
        return other in self.names(one)

    def people(self) -> Mapping[str, str]:
        """Each renamed name -> the first name of its chain."""
        return {name: chain[0] for chain in self.chains for name in chain}


def _join(chain_of: dict[str, list[str]], old: str, new: str) -> None:
    one = chain_of.setdefault(old, [old])
    other = chain_of.setdefault(new, [new])
    if one is not other:
        one.extend(other)
        for name in other:
            chain_of[name] = one


@dataclass(frozen=True, slots=True, repr=False)
class Chats(Sequence[Chat]):
    """Several chats, by position or by name."""

    chats: tuple[Chat, ...]

    @overload
    def __getitem__(self, key: int | str) -> Chat: ...
    @overload
    def __getitem__(self, key: slice) -> Chats: ...
    def __getitem__(self, key: int | str | slice) -> Chat | Chats:
        if isinstance(key, slice):
            return Chats(self.chats[key])
        if isinstance(key, int):
            return self.chats[key]
        for chat in self.chats:
            if chat.name == key:
                return chat
        raise KeyError(f"no chat is named {key!r}; there are: {', '.join(self.names())}")

    def __len__(self) -> int:
        return len(self.chats)

    def __iter__(self) -> Iterator[Chat]:
        return iter(self.chats)

    def __repr__(self) -> str:
        shown = ", ".join(self.names()[:5]) + (", ..." if len(self) > 5 else "")
        return f"<Chats: {shown}>"

    def names(self) -> tuple[str, ...]:
        return tuple(chat.name for chat in self.chats)
