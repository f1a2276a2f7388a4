"""Permanent ids of conversations, derived from their first message: c-7f3k2, longer where a short one is taken."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Callable

PREFIX = "c-"
SHORTEST = 5  # characters; 33 million ids
LONGEST = 16


def new_id(network: str, channel: str, when: str, author: str, text: str, is_taken: Callable[[str], bool]) -> str:
    """The shortest id of this first message that no other conversation has.

    Two conversations whose first messages are equal in everything get ids by a number.
    """
    for number in range(1_000_000):
        parts = (network, channel, when, author, text, *([str(number)] if number else []))
        digest = hashlib.blake2b("\x00".join(parts).encode("utf-8", "replace"), digest_size=10).digest()
        whole = b32encode(digest).decode().lower()
        for length in range(SHORTEST, LONGEST + 1):
            if not is_taken(found := f"{PREFIX}{whole[:length]}"):
                return found
    raise AssertionError("a million conversations with the same first message")
