"""Lanes of a timeline: conversations side by side, each in a lane and colour from its first to its last message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MAX_LANES = 8  # more are hard to follow with the eye
COLOURS = 8  # of the style sheet, --c1 to --c8
LANE_WIDTH, LANE_START = 13, 7  # pixels between lanes, and left of the first


class LaneMark(NamedTuple):
    """What is drawn of one lane beside one message: a line above, a line below, and a dot if it is its message."""

    x: int
    colour: int
    conversation: int
    is_above: bool
    is_below: bool
    is_own: bool


def colour_of(conversation: int) -> int:
    """The colour of a conversation, the same on every page."""
    return conversation % COLOURS + 1


def lanes(conversations: Sequence[int | None], open_before: set[int], open_after: set[int]) -> list[list[LaneMark]]:
    """For each message, in order, the lanes beside it.

    `open_before` and `open_after` are conversations that go on beyond the first and the last message.
    """
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for place, number in enumerate(conversations):
        if number is not None:
            first.setdefault(number, place)
            last[number] = place
    running: list[int | None] = []
    for number in sorted(open_before & first.keys(), key=first.__getitem__)[:MAX_LANES]:
        running.append(number)
    rows = []
    for place, number in enumerate(conversations):
        if number is not None and number not in running:
            is_single = first[number] == last[number] and number not in open_before | open_after
            if not is_single:
                _enter(running, number)
        rows.append(_row(running, place, number, first, last, open_before, open_after))
        for lane, each in enumerate(running):
            if each is not None and last[each] <= place and each not in open_after:
                running[lane] = None
    return rows


def _enter(running: list[int | None], number: int) -> None:
    if None in running:
        running[running.index(None)] = number
    elif len(running) < MAX_LANES:
        running.append(number)


def _row(
    running: Sequence[int | None], place: int, own: int | None, first: dict[int, int], last: dict[int, int],
    open_before: set[int], open_after: set[int],
) -> list[LaneMark]:  # fmt: skip
    marks = [
        LaneMark(
            LANE_START + LANE_WIDTH * lane, colour_of(number), number,
            first[number] < place or number in open_before,
            last[number] > place or number in open_after,
            number == own,
        )
        for lane, number in enumerate(running)
        if number is not None
    ]  # fmt: skip
    if own is not None and own not in running:  # a conversation of one message, or one for which no lane is free
        free = running.index(None) if None in running else len(running)
        marks.append(LaneMark(LANE_START + LANE_WIDTH * free, colour_of(own), own, False, False, True))
    return marks
