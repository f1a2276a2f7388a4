"""Who is a machine, told from behaviour: it answers commands at once, or says the same things again and again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ..chat import Chat

COMMAND = re.compile(r"^\s*(?:\S+[:,]\s*)?[!@.][a-z][\w-]*", re.I)
FEWEST, REACH = 12, 2
OBEYS, REPEATS, OBEDIENT_REPEATS = 0.5, 0.6, 0.15


def bots(chat: Chat) -> frozenset[str]:
    """The authors of at least a handful of messages most of which follow commands or were said before."""
    said: dict[str, list[int]] = defaultdict(list)
    for position, message in enumerate(chat):
        if message.kind == "message":
            said[message.author].append(position)
    return frozenset(author for author, places in said.items() if len(places) >= FEWEST and _is_machine(chat, places))


def _is_machine(chat: Chat, places: list[int]) -> bool:
    obeys = sum(_follows_command(chat, place) for place in places) / len(places)
    shapes = Counter(_shape(chat[place].text) for place in places)
    longest = [count for shape, count in shapes.items() if len(shape) > 15]
    repeats = sum(count for count in longest if count > 1) / len(places)
    return repeats >= REPEATS or (obeys >= OBEYS and repeats >= OBEDIENT_REPEATS)


def _follows_command(chat: Chat, place: int) -> bool:
    author = chat[place].author
    before = (chat[earlier] for earlier in range(max(0, place - REACH), place))
    return any(m.author != author and m.kind == "message" and COMMAND.match(m.text) for m in before)


def _shape(text: str) -> str:
    """A text without what changes between two of the same kind: the name in front, numbers, links."""
    body = text.partition(": ")[2] or text
    return re.sub(r"\d+|\S+://\S+", "#", body.lower())[:80]
