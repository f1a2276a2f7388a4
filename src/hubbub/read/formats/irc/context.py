"""What the lines around an unusual line of a log tell of it.

A line that a dialect does not explain may belong to the message above it, or another program may have begun to write
the log. A clock that jumps may have passed midnight, or lines of another log were pasted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from itertools import pairwise, takewhile
from textwrap import dedent
from typing import TYPE_CHECKING

from ....chat import Message
from ...times.clock import HOUR, Clock, second_of_day
from .all_dialects import others
from .timestamps import STAMP

if TYPE_CHECKING:
    from .dialect import Dialect

AHEAD = 40  # lines to look at: as many as a screen shows
INDENT = " \t"

_SIZES = (3, 5, 15, AHEAD)  # lines that the next program wrote, at least: the log may soon change back
_FEW, _STAMPED = 10, 0.9  # messages, and the share of those with stamps, that show whether a log has stamps
_PASTED = 20  # lines; who pastes more uses another place for it
_NEAR = 600  # seconds between two lines of a conversation that goes on
_LONG = 2 * HOUR  # between two lines of what somebody pasted: more makes it the course of a day
_DAY = 24 * HOUR

# A line of its own, whatever program wrote it: it has a time and somebody or a mark, or a nick, or a mark.
_OWN = re.compile(
    rf"\s*(?:[\[(]?(?:{STAMP})[\])]?[:,]?\s*(?:< *[^<>\s/][^<>]*>|\*|-!-|---|===|-->|<--|[^\s:]+\t)"
    r"|< *[@+%&~]?[^<>\s/]+>\s|(?:\*\*\*\*?|===|---|-!-|-->|<--)\s|Session (?:Start|Time|Close|Ident)\b)"
)


def continuation(dialect: Dialect, message: Message, lines: Sequence[str], place: int, end: int) -> list[str]:
    """The lines from this place on that belong to the message above them, as they were before they were indented.

    Indented lines do. Others do right below what somebody said with a time stamp: where lines have stamps, one without
    is the rest of a message that had a line break in it.
    """
    ahead = (lines[at] for at in range(place, end))  # a slice would copy the whole batch for every blank line
    if dialect.multiline:
        # Below a blank line that belongs to no message, whatever comes before the next stamp is blank too.
        apart = bool(place) and not lines[place].strip() and not lines[place - 1].strip()
        return [] if apart else _until_stamp(dialect, ahead)
    spoken = message.kind != "system" and (message.time is not None or message.clock is not None)
    below = spoken and (not place or bool(lines[place - 1].strip()))
    clock = Clock(None, None)
    taken = []
    for line in ahead:
        indented = line[:1] in INDENT
        if not line.strip() or _OWN.match(line) or dialect.stamp_in(line):
            break
        if not (indented or (below and not dialect.explains(line, clock))):
            break
        taken.append(line.rstrip())
    return dedent("\n".join(taken)).split("\n") if taken else []


def is_stamped(dialect: Dialect, lines: Sequence[str]) -> bool:
    """Whether nearly all who say or do something in these lines do it behind a time stamp."""
    told = [found for line in lines if any((found := dialect.parts(line))[1:])]
    return len(told) >= _FEW and sum(1 for found in told if found[0]) >= _STAMPED * len(told)


def pasted(dialect: Dialect, lines: Sequence[str], place: int, end: int) -> list[str]:
    """The lines from this place on that look like messages without a stamp, in a log in which messages have one.

    They are a part of the message above, such as HTML that somebody pasted, if lines with stamps follow soon. A long
    part without stamps is the log of another program.
    """
    if not any(dialect.parts(lines[place])[1:]):
        return []
    ahead = lines[place : place + AHEAD]
    count = next((n for n, line in enumerate(ahead) if dialect.stamp_in(line)), 0)
    taken = [line.rstrip() for line in lines[place : min(place + count, end)]]
    while taken and not taken[-1]:
        taken.pop()
    return taken


def _until_stamp(dialect: Dialect, lines: Iterable[str]) -> list[str]:
    """Everything before the next stamp or event; blank lines at its end are not part of it."""
    clock = Clock(None, None)
    taken = list(takewhile(lambda line: not dialect.stamp_in(line) and not dialect.explains(line, clock), lines))
    while taken and not taken[-1].strip():
        taken.pop()
    return taken


@dataclass(slots=True)
class Watch:
    """Notices that another program writes the log from some line on. `sample` is the beginning of the log.

    Every check costs as much as some hundred lines, so after one in vain twice as many lines must be missed before the
    next; a long part without any missed line makes up for that.
    """

    dialect: Dialect
    sample: Sequence[str]
    missed: int = 0
    patience: int = 1
    last: int = 0
    _fitting: bool | None = field(default=None)

    MOST = 1024
    LONG = 5 * AHEAD

    def change(self, ahead: list[str], number: int) -> bool:
        """Whether the lines from this one on, which the dialect does not explain, are another's: then that is taken."""
        if self.dialect.multiline or not ahead[0].strip() or ahead[0][0] in INDENT:
            return False
        if number - self.last > self.LONG:
            self.missed, self.patience = 0, 1
        self.last = number
        self.missed += 1
        if self.missed < self.patience or not self._fits_at_all():
            return False
        self.missed, self.patience = 0, min(2 * self.patience, self.MOST)
        lines = [line for line in ahead if line.strip() and line[0] not in INDENT]
        for size in _SIZES:
            if better := self._better(lines[:size]):
                self.dialect, self.patience = better, 1
                return True
            if len(lines) <= size:
                break
        return False

    def _fits_at_all(self) -> bool:
        """A log of another format altogether is not one whose program changed."""
        if self._fitting is None:
            clock = Clock(None, None)
            self._fitting = any(self.dialect.explains(line, clock) for line in self.sample)
        return self._fitting

    def _better(self, ahead: list[str]) -> Dialect | None:
        """The dialect that explains the lines ahead much better, and this one too."""
        now = self.dialect.fit(ahead)
        if now.share == 1:
            return None
        found = [(other.fit(ahead), other) for other in others(self.dialect)]
        fit, best = max(found, key=lambda pair: pair[0].score)
        more = round((fit.share - now.share) * len(ahead))
        enough = more > 1 or (fit.share == 1 and now.share == 0)
        # A program leaves its marks; without any, the present one must have stopped to explain most of the lines.
        replaced = fit.marked > now.marked or (not now.marked and now.share < 0.5)
        clear = fit.share > 0.8 and fit.score > now.score + 0.05 and best.explains(ahead[0], Clock(None, None))
        return best if enough and replaced and clear else None


def settle_line(
    dialect: Dialect, clock: Clock, stamp: str | None, when: datetime | None, lines: Sequence[str], place: int
) -> datetime | None:
    """The time of a line at which the clock jumped: if it was pasted, the clock goes on from where it was before."""
    clock.doubt = False
    before = _shown(dialect, lines[max(0, place - 1 - _PASTED) : place - 1])
    after = _shown(dialect, lines[place : place + _PASTED])
    shown = _time(dialect, stamp or "")
    if shown is None or _soon(clock.last_before, second_of_day(shown)):
        return when
    if not _returns(clock.last_before, before, [second_of_day(shown)], after):
        return when
    clock.undo()
    return clock.aside(shown)


def settle_day(dialect: Dialect, clock: Clock, lines: Sequence[str], place: int) -> None:
    """A line named a day that does not follow the one before: if the clock goes on regardless, it was pasted."""
    clock.doubt = False
    backward = clock.day is not None and clock.day_before is not None and clock.day < clock.day_before
    before = _shown(dialect, lines[max(0, place - 1 - _PASTED) : place - 1])
    after = _shown(dialect, lines[place : place + (_PASTED if backward else 1)])
    if _returns(clock.last_before, before, [], after):
        clock.undo()


def _returns(last: int, before: Sequence[int], part: Sequence[int], after: Sequence[int]) -> bool:
    """Whether a conversation that was going on at `last` goes on within a few lines; `part` is what may be pasted.

    A quiet chat has no such conversation: in it the clock jumps because days pass, and soon jumps again.
    """
    place = max((place for place, shown in enumerate(before) if shown == last), default=0)
    if not place or not 0 <= last - before[place - 1] <= _NEAR:
        return False
    back = next((place for place, shown in enumerate(after) if _soon(last, shown)), None)
    if back is None or any(later - one > _LONG for one, later in pairwise([*part, *after[:back]])):
        return False
    then = after[back + 1 :]
    return not then or any(_soon(after[back], shown) for shown in then)


def _soon(one: int, other: int) -> bool:
    """Whether a clock that shows the one shows the other a little later, be it past midnight."""
    return (other - one) % _DAY <= _NEAR


def _shown(dialect: Dialect, lines: Iterable[str]) -> list[int]:
    """The second of the day of each line that shows a time of day and no date."""
    times = (_time(dialect, stamp) for line in lines if (stamp := dialect.stamp_in(line)))
    return [second_of_day(shown) for shown in times if shown]


def _time(dialect: Dialect, stamp: str) -> time | None:
    return dialect.stamp(stamp, Clock(None, None))[1]
