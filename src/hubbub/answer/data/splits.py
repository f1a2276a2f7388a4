"""Dialogues to train on, to choose on and to be tested on, apart by date, none in two parts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from .dialogue import Dialogue

Parts = tuple[list[Dialogue], list[Dialogue], list[Dialogue]]


def by_date(dialogues: Sequence[Dialogue], valid: float, test: float) -> Parts:
    """The latest dialogues are the test part, those before them the validation part.

    Dialogues that share a message with one of an earlier part stay with it.
    """
    ordered = sorted(dialogues, key=_begins)
    test_start = len(ordered) - round(test * len(ordered))
    validation_start = test_start - round(valid * len(ordered))
    parts: Parts = ([], [], [])
    part_of: dict[tuple[str, int], int] = {}
    for number, dialogue in enumerate(ordered):
        places = [(dialogue.name.rpartition("/")[0], each.position) for each in dialogue.utterances]
        by_time = (number >= validation_start) + (number >= test_start)
        # A dialogue that shares messages with an earlier part would leak them into the later one.
        part = min([by_time, *(part_of[place] for place in places if place in part_of)])
        for place in places:
            part_of.setdefault(place, part)
        parts[part].append(dialogue)
    return parts


def _begins(dialogue: Dialogue) -> tuple[datetime, str, int]:
    first = dialogue.utterances[0]
    time = first.time.replace(tzinfo=None) if first.time else datetime.min
    return time, dialogue.name.rpartition("/")[0], first.position
