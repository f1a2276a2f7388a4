"""Bot detection by behaviour: most messages follow commands, or repeat earlier ones."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ...chat import Chat

# Commands begin with one of these signs on most networks.
COMMAND = re.compile(r"^\s*(?:\S+[:,]\s*)?[!@.][a-z][\w-]*", re.I)
MIN_BOT_MESSAGES, COMMAND_LOOKBACK = 12, 2
MIN_COMMAND_SHARE, MIN_REPEATED_SHARE, MIN_REPEATED_SHARE_WITH_COMMANDS = 0.5, 0.6, 0.15


def bots(chat: Chat) -> frozenset[str]:
    """The authors of at least a handful of messages most of which follow commands or were said before."""
    positions: dict[str, list[int]] = defaultdict(list)
    for position, message in enumerate(chat):
        if message.kind == "message":
            positions[message.author].append(position)
    return frozenset(
        author for author, own in positions.items() if len(own) >= MIN_BOT_MESSAGES and _is_machine(chat, own)
    )


def _is_machine(chat: Chat, own: list[int]) -> bool:
    obeys = sum(_follows_command(chat, place) for place in own) / len(own)
    shapes = Counter(_shape(chat[place].text) for place in own)
    longest = [count for shape, count in shapes.items() if len(shape) > 15]
    repeats = sum(count for count in longest if count > 1) / len(own)
    return repeats >= MIN_REPEATED_SHARE or (obeys >= MIN_COMMAND_SHARE and repeats >= MIN_REPEATED_SHARE_WITH_COMMANDS)


def _follows_command(chat: Chat, place: int) -> bool:
    author = chat[place].author
    before = (chat[earlier] for earlier in range(max(0, place - COMMAND_LOOKBACK), place))
    return any(m.author != author and m.kind == "message" and COMMAND.match(m.text) for m in before)


def _shape(text: str) -> str:
    """A text without what changes between two of the same kind: the name in front, numbers, links."""
    body = text.partition(": ")[2] or text
    return re.sub(r"\d+|\S+://\S+", "#", body.lower())[:80]
