"""Words and strings that more than one room needs."""

from __future__ import annotations

import re

_NOISE = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # terminal escapes
    r"|\x03(?:\d{1,2}(?:,\d{1,2})?)?"  # mIRC colours
    r"|\x04(?:[0-9a-fA-F]{6}(?:,[0-9a-fA-F]{6})?)?"  # hexadecimal colours
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]"  # every other control character but tab and newline
)
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text as people see it: no colour codes, no control characters, no broken halves of a character."""
    if text.isprintable():
        return text
    return whole(_NOISE.sub("", text))


def whole(text: str) -> str:
    """The text with U+FFFD for each broken half of a character, so that it can be written as UTF-8."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key under which "day10" comes after "day9"."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text) if part)


def plural(count: int, thing: str, many: str = "") -> str:
    return f"{count:,} {thing if count == 1 else many or thing + 's'}"


def words(text: str) -> list[str]:
    """The words of a text in small letters, apostrophes inside them kept."""
    return _WORD.findall(text.lower())
