"""The numbers that people see and type: messages count from 1, positions in the library from 0."""

from __future__ import annotations

from ..errors import OptionError


def position_of(option: str, number: int, count: int, name: str) -> int:
    """The position of the message with a number."""
    if not 1 <= number <= count:
        raise OptionError(option, number, f"{name} has messages 1 to {count}")
    return number - 1
