"""Conversations side by side: the number of each, and the lane it runs in from its first message to its last.

Messages come one after the other, and each is given out when those ahead of it are known, so that the memory needed is
that of the look-ahead. A conversation without a message in the look-ahead counts as ended and gives its lane back; if
it goes on later, it keeps its number and takes a free lane.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..chat import Message
from .annotations import Mark
from .style import PALETTE, QUIET, Line, Segment, style_of
from .wrap import clip, drawable_line

MAX_LANES = 8  # more are hard to follow with the eye
LOOK_AHEAD = (
    2_000  # messages; the bundled model finds no parent further back than 100 messages that are no system lines
)
REACH = 1 << 16  # messages back to which a reply that the platform recorded may point

STARTS, SAID, ENDS, RUNS, WITHOUT_LANE = "○", "●", "◌", "│", "·"
REPLIES = "↰"
LONGEST_NAME = 16  # columns of a name in a note

_FREE = Segment("  ", QUIET)


class MessageRow(NamedTuple):
    """A message to draw, with what was predicted for it: parents are positions in the chat."""

    message: Message
    parents: Sequence[int] = ()
    tag: str = ""
    marks: Sequence[Mark] = ()


@dataclass(slots=True, eq=False)
class RunningConversation:
    """A conversation of which some messages have come in. Its number is known when its first message is given out."""

    number: int = 0  # from 1; 0 is that of system lines to which nobody replies
    ahead: int = 0  # messages of it in the look-ahead
    given: int = 0  # messages of it that were given out
    latest: int = -1  # the position of the last of these
    is_spoken: bool = False  # whether any of its messages is no system line
    is_open: bool = False  # whether the look-ahead had more of it when its last message was given out
    merged: RunningConversation | None = None


class LaneRow(NamedTuple):
    """A row with its conversation, the lanes beside it (None is a free one), and what is drawn in its own lane."""

    row: MessageRow
    own: RunningConversation
    lanes: tuple[RunningConversation | None, ...]
    symbol: str
    note: str = ""

    def width(self) -> int:
        """Lanes that the row takes; a message without a lane of its own needs a free one."""
        needs_one = self.symbol == WITHOUT_LANE and None not in self.lanes
        return len(self.lanes) + needs_one


class Lanes:
    """Gives numbers and lanes to the conversations of one chat. `count` and `replied` grow with what is given out."""

    def __init__(self, max_lanes: int = MAX_LANES, ahead: int | None = LOOK_AHEAD) -> None:
        """`ahead` None looks ahead to the end of the chat."""
        self.max_lanes, self.ahead = max_lanes, ahead
        self.messages = 0  # that came in
        self.count = 0  # conversations
        self.replied = 0  # conversations of more than one message
        self._running: list[RunningConversation | None] = []
        self._known: dict[int, tuple[RunningConversation, str]] = {}  # position -> conversation and author

    def over(self, rows: Iterable[MessageRow]) -> Iterator[LaneRow]:
        """Every row with its lanes, in order."""
        waiting: deque[tuple[MessageRow, RunningConversation]] = deque()
        given = 0
        for row in rows:
            waiting.append((row, self._add(row)))
            if self.ahead is not None and len(waiting) > self.ahead:
                yield self._given(given, *waiting.popleft())
                given += 1
        while waiting:
            yield self._given(given, *waiting.popleft())
            given += 1

    def _add(self, row: MessageRow) -> RunningConversation:
        position, known = self.messages, self._known
        found = [known[parent][0] for parent in row.parents if parent != position and parent in known]
        own = _current(found[0]) if found else RunningConversation()
        for other in found[1:]:
            own = _merge(own, _current(other))
        own.ahead += 1
        own.is_spoken = own.is_spoken or row.message.kind != "system"
        known[position] = own, row.message.author
        if self.ahead is not None:
            known.pop(position - REACH, None)
        self.messages += 1
        return own

    def _given(self, position: int, row: MessageRow, conversation: RunningConversation) -> LaneRow:
        own = _current(conversation)
        own.ahead -= 1
        own.given += 1
        if own.is_spoken and not own.number:
            self.count += 1
            own.number = self.count
        if own.given == 2 and own.number:
            self.replied += 1
        note = self._replied_to(row, position, own.latest)
        own.latest = position
        return self._placed(row, own, note)

    def _placed(self, row: MessageRow, own: RunningConversation, note: str) -> LaneRow:
        """A conversation of two or more messages takes the leftmost free lane; if all are taken, it has none."""
        running = self._unmerged() if any(each and each.merged for each in self._running) else self._running
        if not own.is_open and own.ahead and own.number:
            lane = next((n for n, other in enumerate(running) if other is None), len(running))
            if lane < self.max_lanes:
                running[lane : lane + 1] = [own]
        own.is_open = own.ahead > 0
        lanes, symbol = tuple(running), ""
        if own in running:
            symbol = ENDS if not own.is_open else STARTS if own.given == 1 else SAID
        elif own.number and row.message.kind != "system":
            symbol = WITHOUT_LANE
        if not own.is_open and own in running:
            running[running.index(own)] = None
        while running and running[-1] is None:
            running.pop()
        return LaneRow(row, own, lanes, symbol, note)

    def _unmerged(self) -> list[RunningConversation | None]:
        """The lanes, without the second one of two conversations that became one."""
        kept: list[RunningConversation | None] = []
        for each in self._running:
            current = _current(each) if each else None
            kept.append(None if current in kept else current)
        self._running = kept
        return kept

    def _replied_to(self, row: MessageRow, position: int, latest: int) -> str:
        """Whom a message replies to, where neither its position in the conversation nor its first word shows it."""
        if not row.parents or (row.parents[0] in (position, latest) and len(row.parents) == 1):
            return ""
        others = (
            self._known[each][1] for each in row.parents if each not in (position, latest) and each in self._known
        )
        text, own = row.message.text.lower(), row.message.author
        names = [name for name in others if name not in ("", own) and not text.startswith(name.lower())]
        return " ".join(f"{REPLIES} {clip(drawable_line(name), LONGEST_NAME)}" for name in names)


def _current(conversation: RunningConversation) -> RunningConversation:
    while conversation.merged is not None:
        conversation = conversation.merged
    return conversation


def _merge(one: RunningConversation, other: RunningConversation) -> RunningConversation:
    """One conversation of two that a message connects; it keeps the smaller number."""
    if one is other:
        return one
    if other.number and not 0 < one.number < other.number:
        one, other = other, one
    one.ahead += other.ahead
    one.given += other.given
    one.latest = max(one.latest, other.latest)
    one.is_spoken = one.is_spoken or other.is_spoken
    one.is_open = one.is_open or other.is_open
    other.merged = one
    return one


def gutter(drawn: LaneRow, height: int) -> list[Line]:
    """The lanes beside a message that is so many lines high."""
    first = [_lane(each, drawn.symbol if each is drawn.own else RUNS) for each in drawn.lanes]
    if drawn.symbol == WITHOUT_LANE:
        free = next((n for n, each in enumerate(drawn.lanes) if each is None), len(first))
        first[free : free + 1] = [_lane(drawn.own, WITHOUT_LANE)]
    if height == 1:
        return [tuple(first)]
    ended = drawn.own if drawn.symbol == ENDS else None
    below = tuple(_lane(None if each is ended else each, RUNS) for each in drawn.lanes)
    return [tuple(first), *[below] * (height - 1)]


def _lane(conversation: RunningConversation | None, symbol: str) -> Segment:
    return _segment(symbol, conversation.number) if conversation else _FREE


@lru_cache(maxsize=4096)
def _segment(symbol: str, number: int) -> Segment:
    return Segment(f"{symbol} ", style_of(colour_of(number)))


def colour_of(number: int) -> int:
    """The colour of a conversation by its number; neighbours in number are far apart in colour."""
    return PALETTE[(number - 1) * 5 % len(PALETTE)]
