"""The numbers that people see and type: messages count from 1, positions in the library from 0."""

from __future__ import annotations

from collections.abc import Sequence

from ..chat import Message
from ..errors import OptionError


def position_of(option: str, number: int, count: int, name: str) -> int:
    """The position of the message with a number."""
    if not 1 <= number <= count:
        raise OptionError(option, number, f"{name} has messages 1 to {count}")
    return number - 1


def spoken_position(option: str, number: int, messages: Sequence[Message], name: str) -> int:
    """The position of the message with a number, which somebody must have said."""
    position = position_of(option, number, len(messages), name)
    if messages[position].kind == "system":
        raise OptionError(option, number, "that is a system line, which neither replies nor is replied to")
    return position
