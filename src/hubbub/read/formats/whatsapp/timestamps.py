"""How a phone writes the time at the start of a line: in brackets, before a dash, or before a colon."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...times.dates import GROUPS, MOMENT, TIME
from ...times.month_names import DATE, named_date
from ...times.month_names import GROUPS as DATE_GROUPS

MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
BRACKET, DASH, COLON, CLOCK_FIRST = "[", "-", ":", "t"
WORDED = "w"  # the separator of a date with the name of a month, whose order needs no other date
Shape = tuple[str, str, bool, bool]

_HEAD = 80
_STAMP = re.compile(rf"\s*(?:\[\s*{MOMENT}\s*\] ?(?:[-–] )?|{MOMENT}( [-–—] ?|: ))")
# What WhatsApp Web copies, and what Vietnamese phones write: the clock stands before the date.
_CLOCK_FIRST = re.compile(
    r"\s*\[?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[ \u00a0\u202f]?([^\W\d][^\d,\]:]{0,14}))?, "
    r"(\d{1,4})([./-]) ?(\d{1,2})[./-] ?(\d{1,4})\.?(?:\] ?| [-–—] )"
)
_HOURS = r"(?: ?(?:Uhr|uur|hrs?|h|น\.))?"
_WORDED = re.compile(rf"\s*(\[)?\s*{DATE}{TIME}{_HOURS}\s*(?(1)\] ?(?:[-–] )?|( [-–—] ?|: ))")
_WORDED_CLOCK_FIRST = re.compile(
    r"\s*(\[)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[ \u00a0\u202f]?([^\W\d][^\d,\]:]{0,14}))?, "
    rf"{DATE}(?(1)\] ?| [-–—] )"
)


class Stamped(NamedTuple):
    """A line that starts with a time: the groups of its date, its shape, and what follows."""

    groups: tuple[str | None, ...]
    shape: Shape
    rest: str

    def numbers(self) -> tuple[str, str, str]:
        return self.groups[0] or "", self.groups[2] or "", self.groups[3] or ""

    def half(self) -> str:
        return self.groups[4] or self.groups[8] or ""


def stamped(line: str) -> Stamped | None:
    head = line[:_HEAD] if line.isascii() else MARKS.sub("", line[:_HEAD])
    found = _STAMP.match(head)
    if found is None:
        return _clock_first(line, head) or _worded(line, head)
    style = BRACKET if found[1] else COLON if found[2 * GROUPS + 1] == ": " else DASH
    groups = found.groups()[:GROUPS] if style == BRACKET else found.groups()[GROUPS : 2 * GROUPS]
    return Stamped(groups, _shape(style, groups), _after(line, head, found.end()))


def _clock_first(line: str, head: str) -> Stamped | None:
    found = _CLOCK_FIRST.match(head)
    if not found:
        return None
    hour, minute, second, half, *numbers = found.groups()
    groups = (*numbers, None, hour, minute, second, half.strip() if half else None)
    return Stamped(groups, _shape(CLOCK_FIRST, groups), _after(line, head, found.end()))


def _worded(line: str, head: str) -> Stamped | None:
    """A stamp with the name of a month; a word there that is none makes it no stamp."""
    if found := _WORDED.match(head):
        style = BRACKET if found[1] else COLON if found.groups()[-1] == ": " else DASH
        dated = found.groups()[1 : DATE_GROUPS + 1]
        clock = found.groups()[DATE_GROUPS + 1 : DATE_GROUPS + 6]
    elif found := _WORDED_CLOCK_FIRST.match(head):
        style, dated = CLOCK_FIRST, found.groups()[5:]
        hour, minute, second, half = found.groups()[1:5]
        clock = (None, hour, minute, second, half.strip() if half else None)
    else:
        return None
    if (numbers := named_date(dated)) is None:
        return None
    year, month, day = numbers
    groups = (year, WORDED, month, day, *clock)
    return Stamped(groups, (style, WORDED, True, clock[3] is not None), _after(line, head, found.end()))


def _shape(style: str, groups: tuple[str | None, ...]) -> Shape:
    long_year = len(groups[0] or "") == 4 or len(groups[3] or "") == 4
    return style, groups[1] or "", long_year, groups[7] is not None


def _after(line: str, head: str, end: int) -> str:
    """What follows the stamp, with the invisible marks it starts with: they tell a notice from a message."""
    if len(head) == min(len(line), _HEAD):
        return line[end:]
    seen = 0
    for position, letter in enumerate(line):
        if seen == end:
            return line[position:]
        seen += not MARKS.match(letter)
    return ""
