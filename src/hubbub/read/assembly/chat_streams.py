"""Messages put together as chats: ids that differ, the order of time, names that differ."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from ...chat import Message
from ...errors import NoChats
from ...text import clean
from ..format import Stream
from ..report import Report

Opener = Callable[[int, Report], Iterable[Message]]

_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")  # written in the one way that numbers are, and below 2 ** 64

PEOPLE = "a list of people, used for names"
CHAT_LIST = "a list of chats, used for names"


class Ids:
    """Gives every message an id of its own: the platform's, unless that is missing or taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._copies: dict[str, int] = {}  # the last number behind an id that is taken: many may want the same
        self._rising = array("Q")  # ids that are numbers, each above all before it: eight bytes an id, not a hundred

    def take(self, wanted: str) -> str:
        wanted = wanted or f"#{len(self._taken) + len(self._rising)}"
        number = int(wanted) if _NUMBER.fullmatch(wanted) else -1
        if number >= 0 and (not self._rising or number > self._rising[-1]) and wanted not in self._taken:
            self._rising.append(number)
            return wanted
        found = wanted
        while found in self._taken or (found == wanted and self._has(number)):
            self._copies[wanted] = copy = self._copies.get(wanted, 1) + 1
            found = f"{wanted}~{copy}"
        self._taken.add(found)
        return found

    def _has(self, number: int) -> bool:
        at = bisect_left(self._rising, number) if number >= 0 else len(self._rising)
        return at < len(self._rising) and self._rising[at] == number


def in_time_order(messages: Iterable[Message]) -> list[Message]:
    """Sorted by time; equal times keep their order, and a message without a time stays behind the one before it."""
    keyed: list[tuple[datetime, Message]] = []
    last = datetime.min
    for message in messages:
        if message.time is not None:
            last = message.time.astimezone(UTC).replace(tzinfo=None) if message.time.tzinfo else message.time
        keyed.append((last, message))
    return [message for _, message in sorted(keyed, key=lambda pair: pair[0])]


def distinct(names: Sequence[str], hints: Sequence[str]) -> list[str]:
    """Names that no two chats share: a hint, else a number, tells equal ones apart."""
    shared = Counter(names)
    taken: set[str] = set()
    found = []
    for name, hint in zip(names, hints, strict=True):
        shown = f"{name} ({hint})" if hint and shared[name] > 1 else name
        base, copy = shown, 1
        while shown in taken:
            copy += 1
            shown = f"{base} ({copy})"
        taken.add(shown)
        found.append(shown)
    return found


def streams(
    chats: Sequence[tuple[str, str, Opener]], strays: Report, otherwise: str, identities: Sequence[str] = ()
) -> Iterator[Stream]:
    """Chats, each a name, a hint for the case that two share the name, and how to open it, in order of time.

    `identities` are what tells each of them from chats in other inputs.

    `strays` are remarks that belong to no chat: the first one carries them. Without any chat, an empty one named
    `otherwise` does, unless there is none because files cannot be read.
    """
    if not chats and strays.left_out:
        raise NoChats(otherwise, f"{strays.left_out[0].where}: {strays.left_out[0].reason}")
    chats = chats or [(otherwise, "", lambda first, report: ())]
    names = distinct([clean(name) for name, _, _ in chats], [clean(hint) for _, hint, _ in chats])
    for number, (name, (_, _, opener)) in enumerate(zip(names, chats, strict=True)):
        identity = identities[number] if identities else ""
        yield Stream(name, partial(_open, opener, None if number else strays), identity=identity)


def _open(opener: Opener, strays: Report | None, first: int, report: Report) -> Iterator[Message]:
    if strays:
        report.merge(strays)
    yield from in_time_order(opener(first, report))


def numbered(messages: Iterable[tuple[Message, Message | None]], first: int) -> list[Message]:
    """Messages without ids of their own, in time order and numbered; each comes with the one it answers."""
    pairs = list(messages)
    parent_of = {id(message): parent for message, parent in pairs}
    ordered = in_time_order(message for message, _ in pairs)
    number = {id(message): str(first + position) for position, message in enumerate(ordered)}
    return [
        message._replace(id=number[id(message)], reply_to=(number[id(parent)],) if parent else ())
        for message in ordered
        for parent in [parent_of[id(message)]]
    ]
