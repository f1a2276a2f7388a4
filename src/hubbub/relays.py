"""The layer of relays: which messages a bridge brought, and how each stood in the file.

Reading gives a message that a bridge relayed its real author. What it changed is kept here, by position, so that the
original line can always be had: only pieces of the text are ever cut out, so the pieces and their places are enough.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .chat import Kind, Message

Cut = tuple[int, str]


class Relay(NamedTuple):
    """What a message looked like in the file: its author and kind there, and what was cut out of its text.

    Every cut is a place in the text as it is now and the piece that stood there.
    """

    author: str
    cut: tuple[Cut, ...] = ()
    kind: Kind = "message"

    def original(self, message: Message) -> Message:
        """The message as it stood in the file."""
        return message._replace(author=self.author, text=restored(message.text, self.cut), kind=self.kind)


def without(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, tuple[Cut, ...]]:
    """The text without these spans, which are in order and do not overlap, and the cuts that `restored` takes."""
    kept: list[str] = []
    cuts: list[Cut] = []
    done = length = 0
    for start, end in spans:
        kept.append(text[done:start])
        length += start - done
        cuts.append((length, text[start:end]))
        done = end
    return "".join(kept) + text[done:], tuple(cuts)


def restored(text: str, cuts: Iterable[Cut]) -> str:
    """The text with what was cut out of it."""
    parts: list[str] = []
    done = 0
    for place, piece in cuts:
        parts += (text[done:place], piece)
        done = place
    return "".join(parts) + text[done:]


class Relays(Mapping[int, Relay]):
    """Position -> Relay, for the messages that came through a bridge.

    Equal relays are held once, so that a message takes eight bytes, whatever the length of the chat.
    """

    __slots__ = ("_codes", "_known", "_positions", "_table")

    def __init__(self, items: Iterable[tuple[int, Relay]] = ()) -> None:
        self._positions = array("I")
        self._codes = array("I")
        self._table: list[Relay] = []
        self._known: dict[Relay, int] = {}
        for position, relay in items:
            self.add(position, relay)

    def add(self, position: int, relay: Relay) -> None:
        """Positions mostly come in order; one that was there already is replaced."""
        code = self._known.setdefault(relay, len(self._table))
        if code == len(self._table):
            self._table.append(relay)
        place = len(self._positions)
        if place and position <= self._positions[-1]:
            place = bisect_left(self._positions, position)
            if self._positions[place] == position:
                self._codes[place] = code
                return
        self._positions.insert(place, position)
        self._codes.insert(place, code)

    def sliced(self, kept: range) -> Relays:
        """The relays of these positions, which are counted anew from 0."""
        return Relays((new, self[old]) for new, old in enumerate(kept) if old in self) if self else Relays()

    def rows(self) -> Iterator[tuple[int, Relay]]:
        """All of them, in order of position."""
        table = self._table
        return ((position, table[code]) for position, code in zip(self._positions, self._codes, strict=True))

    def authors(self) -> tuple[str, ...]:
        """The authors that the file names: the bots that relay, and the puppets."""
        return tuple(dict.fromkeys(relay.author for relay in self._table))

    def __getitem__(self, position: int) -> Relay:
        place = bisect_left(self._positions, position)
        if place == len(self._positions) or self._positions[place] != position:
            raise KeyError(position)
        return self._table[self._codes[place]]

    def __iter__(self) -> Iterator[int]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)

    def __repr__(self) -> str:
        return f"Relays({dict(self.rows())!r})"
