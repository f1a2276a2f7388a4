"""Messages in lists: a generator step per message would take as long as the regular expression that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ...chat import Message

STEP = 256  # messages; Python's garbage collector examines whatever is held from 700 objects on


def in_steps(messages: Iterator[Message], size: int = STEP) -> Iterator[list[Message]]:
    """Lists of at most `size` messages. An error is raised after the messages before it have been given out."""
    while True:
        step: list[Message] = []
        try:
            step.extend(islice(messages, size))  # keeps what came before an error
        except Exception:
            yield step
            raise
        if not step:
            return
        yield step
