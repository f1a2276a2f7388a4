"""Bot detection by behaviour: most messages follow commands, or repeat earlier ones."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ...chat import Chat

# Commands begin with one of these signs on most networks.
COMMAND = re.compile(r"^\s*(?:\S+[:,]\s*)?[!@.][a-z][\w-]*", re.I)
MIN_BOT_MESSAGES = 12  # with fewer, repetition is chance
COMMAND_LOOKBACK = 2  # messages; bots answer at once
# Of the messages of an author: after commands, repeated, and repeated by one who also follows commands.
MIN_COMMAND_SHARE, MIN_REPEATED_SHARE, MIN_REPEATED_SHARE_WITH_COMMANDS = 0.5, 0.6, 0.15


def bots(chat: Chat) -> frozenset[str]:
    """The authors of at least a handful of messages most of which follow commands or were said before."""
    positions: dict[str, list[int]] = defaultdict(list)
    for position, message in enumerate(chat):
        if message.kind == "message":
            positions[message.author].append(position)
    return frozenset(author for author, own in positions.items() if len(own) >= MIN_BOT_MESSAGES and _is_bot(chat, own))


def _is_bot(chat: Chat, own: list[int]) -> bool:
    command_share = sum(_follows_command(chat, place) for place in own) / len(own)
    templates = Counter(_template(chat[place].text) for place in own)
    frequent = [count for shape, count in templates.items() if len(shape) > 15]
    repeated_share = sum(count for count in frequent if count > 1) / len(own)
    return repeated_share >= MIN_REPEATED_SHARE or (
        command_share >= MIN_COMMAND_SHARE and repeated_share >= MIN_REPEATED_SHARE_WITH_COMMANDS
    )


def _follows_command(chat: Chat, place: int) -> bool:
    author = chat[place].author
    before = (chat[earlier] for earlier in range(max(0, place - COMMAND_LOOKBACK), place))
    return any(m.author != author and m.kind == "message" and COMMAND.match(m.text) for m in before)


def _template(text: str) -> str:
    """A text without what changes between two of the same kind: the name in front, numbers, links."""
    body = text.partition(": ")[2] or text
    return re.sub(r"\d+|\S+://\S+", "#", body.lower())[:80]
