"""Permanent ids of conversations: a digest of their first message, such as c-7f3k2m9xqp."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Iterator

PREFIX = "c-"
LENGTH = 10  # characters of 5 bits: among a million conversations, two have the same id with a probability of 0.0005
LONGEST = 16


def conversation_ids(
    network: str, channel: str, when: str, author: str, text: str, occurrence: int = 0
) -> Iterator[str]:
    """The id of the conversation that starts with this message, then what it is if another one has that.

    `occurrence` counts the messages before it that are equal in everything else.
    """
    for number in range(occurrence, occurrence + 1_000_000):
        parts = (network, channel, when, author, text, *([str(number)] if number else []))
        digest = hashlib.blake2b("\x00".join(parts).encode("utf-8", "replace"), digest_size=10).digest()
        whole = b32encode(digest).decode().lower()
        for length in range(LENGTH, LONGEST + 1):
            yield f"{PREFIX}{whole[:length]}"
    raise AssertionError("a million conversations with the same first message")
