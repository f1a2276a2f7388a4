"""Draws one message after the other: columns of lanes, number, time, name and text; one column where it is narrow."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from ..chat import Message, renamed
from ..text import LONGEST_SEEN, plural
from .annotations import Mark, inside, marked
from .lanes import REPLIES
from .legend import MEANT, Legend
from .style import QUIET, Colours, Line, Segment, style_of
from .wrap import clip, display_width, drawable_line, wrap

NARROW = 60  # columns below which times and names stand in the text, since columns of them would leave too little of it
TAG = style_of(29, italic=True)

_TIME = 5
_MAX_QUOTABLE = 10_000  # earlier messages that a reply can quote
_MAX_QUOTE = 200  # characters
_MINUTE = timedelta(minutes=1)


class TextColumn(NamedTuple):
    """One column's part of a message: lines that are no wider than `width`, and the space behind them."""

    lines: Sequence[Line]
    width: int
    to_the_right: bool = False
    gap: int = 2


class Beside(NamedTuple):
    """What stands beside a message when conversations are drawn.

    `gutter` gives the lanes for a height in lines; `colour` is that of the name, None for the person's own; `note`
    names whom the message replies to; `number` is that of the conversation, 0 for none.
    """

    gutter: Callable[[int], Sequence[Line]]
    colour: int | None
    note: str = ""
    number: int = 0


class MessageDrawer:
    """Draws messages and remembers what it needs of those before."""

    def __init__(self, width: int, names_width: int, gutter_width: int = 0, legend: Legend | None = None) -> None:
        self._width, self._names_width, self._gutter_width = width, names_width, gutter_width
        self._numbers_width = 0
        self._is_narrow = width < NARROW
        self._legend = legend or Legend()
        self._colours = Colours()
        self._quotable: OrderedDict[str, str] = OrderedDict()
        self._day: date | None = None
        self._before: Message | None = None
        self._number_before = 0
        self._shown_time = ""
        self._text_width = self._measured()

    def show_numbers(self, width: int) -> None:
        """Shows the number of each conversation in a column, which grows with the numbers."""
        self._numbers_width = width
        self._text_width = self._measured()

    def _measured(self) -> int:
        """Columns that are left for the text, with an empty one at either end of the line."""
        if self._is_narrow:
            used = self._gutter_width + (self._numbers_width + 1 if self._numbers_width else 0)
        else:
            used = _TIME + 2 + self._names_width + 2 + (self._gutter_width + 2 if self._gutter_width else 0)
            used += self._numbers_width + 2 if self._numbers_width else 0
        return max(self._width - 2 - used, 1)

    def draw(
        self,
        message: Message,
        day: date | None,
        beside: Beside | None = None,
        tag: str = "",
        marks: Sequence[Mark] = (),
    ) -> Iterator[Line]:
        message = _shortened(message)
        if pair := renamed(message):
            self._colours.rename(*pair)
        if day and day != self._day:
            yield from self._day_break(day)
        number = beside.number if beside else 0
        if self._numbers_width and len(str(number)) > self._numbers_width:
            self.show_numbers(len(str(number)))
        yield from _side_by_side(self._columns(message, beside, tag, marks))
        self._remember(message)
        self._before, self._number_before = message, number

    def _day_break(self, day: date) -> Iterator[Line]:
        if self._before:
            yield ()
        title = f" {day:%A} {day_text(day)} "
        yield Segment(" "), Segment(clip(f"{title:─^{self._width - 2}}", self._width - 2), QUIET)
        yield ()
        self._day, self._before = day, None

    def _columns(
        self, message: Message, beside: Beside | None, tag: str, marks: Sequence[Mark]
    ) -> Sequence[TextColumn]:
        goes_on = self._goes_on(message, beside.number if beside else 0)
        time = _time(message)
        shown_time = "" if goes_on and time == self._shown_time else time
        self._shown_time = time
        name = () if goes_on else (self._name(message, beside.colour if beside else None),)
        before = self._inline(shown_time, name) if self._is_narrow else ()
        text = self._text(message, before, beside.note if beside else "", marks)
        if tag:
            text += wrap((Segment(f"→ {tag}", TAG),), self._text_width)
        columns = [TextColumn(text, self._text_width)]
        if not self._is_narrow:
            names = TextColumn([name], self._names_width, to_the_right=True)
            columns = [TextColumn([(Segment(shown_time, QUIET),)], _TIME), names, *columns]
        return [*self._gutter(beside, len(text)), *columns] if beside else columns

    def _gutter(self, beside: Beside, height: int) -> Iterator[TextColumn]:
        gap = 0 if self._is_narrow else 2
        yield TextColumn(beside.gutter(height), self._gutter_width, gap=gap)
        if self._numbers_width:
            number = Segment(str(beside.number or ""), style_of(beside.colour))
            yield TextColumn([(number,)], self._numbers_width, to_the_right=True, gap=gap or 1)

    def _inline(self, time: str, name: Line) -> Line:
        """Time and name in front of a text, where there are no columns for them."""
        if not name:
            return ()
        return (Segment(f"{time} " if time else "", QUIET), *name, Segment(" "))

    def _goes_on(self, message: Message, number: int) -> bool:
        """Whether the same person just goes on talking in the same conversation."""
        before = self._before
        if before is None or message.kind != "message" or before.kind != "message" or before.author != message.author:
            return False
        return number == self._number_before and _within_a_minute(before, message)

    def _name(self, message: Message, colour: int | None) -> Segment:
        if message.kind == "system":
            return Segment("·", QUIET)
        name = "*" if message.kind == "action" else clip(drawable_line(message.author), self._names_width)
        return Segment(name, style_of(self._colours.of(message.author) if colour is None else colour))

    def _text(self, message: Message, before: Line, note: str, marks: Sequence[Mark]) -> list[Line]:
        width = self._text_width
        if message.kind == "system":
            return wrap((*before, *marked(message.text, (), QUIET)), width)
        if note:
            before = (*before, Segment(f"{note} ", QUIET))
            self._legend.add(REPLIES)
        if any(mark.note for mark in inside(message.text, marks)):
            self._legend.add(MEANT)
        if message.kind == "action":
            author = Segment(drawable_line(message.author), style_of(self._colours.of(message.author), italic=True))
            later = [mark._replace(start=mark.start + 1, end=mark.end + 1) for mark in marks]
            return wrap((*before, author, *marked(f" {message.text}", later, style_of(italic=True))), width)
        text = marked(message.text, marks)
        if note or not message.reply_to:
            return wrap((*before, *text), width) if before else wrap(text, width)
        if self._before and self._before.reply_to == message.reply_to:
            return wrap((*before, Segment("↪ ", QUIET), *text), width)
        return [*self._quotes(message, before), *wrap(text, width)]

    def _quotes(self, message: Message, before: Line) -> Iterator[Line]:
        """A line for every message that the platform says is answered."""
        quoted = (self._quotable.get(id, "an earlier message") for id in message.reply_to)
        for text in dict.fromkeys(quoted):
            left = self._text_width - sum(display_width(segment.text) for segment in before)
            yield (*before, Segment(clip(f"↪ {text}", left), QUIET))
            before = ()

    def _remember(self, message: Message) -> None:
        words = message.text[:_MAX_QUOTE]
        words = f"{message.author}: {words}" if message.author else words
        self._quotable[message.id] = " ".join(drawable_line(words).split())
        if len(self._quotable) > _MAX_QUOTABLE:
            self._quotable.popitem(last=False)


def day_text(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _shortened(message: Message) -> Message:
    """The message as it is drawn: an extremely long text is cut, and says so."""
    if (more := len(message.text) - LONGEST_SEEN) <= 0:
        return message
    return message._replace(text=f"{message.text[:LONGEST_SEEN]}… [{plural(more, 'more character')}]")


def _within_a_minute(one: Message, other: Message) -> bool:
    """By date, else by the clock; without either, neighbours count as said together."""
    if one.time and other.time:
        same_kind = (one.time.tzinfo is None) == (other.time.tzinfo is None)
        return same_kind and abs(other.time - one.time) <= _MINUTE
    if one.clock and other.clock:
        first, second = (datetime.combine(date.min, clock.replace(tzinfo=None)) for clock in (one.clock, other.clock))
        return abs(second - first) <= _MINUTE
    return _time(one) == _time(other)


def _time(message: Message) -> str:
    if message.time:
        return message.time.isoformat()[11:16]
    return message.clock.isoformat()[:5] if message.clock else ""


def _side_by_side(columns: Sequence[TextColumn]) -> Iterator[Line]:
    """The columns line by line; the last one ends where its text ends."""
    *left, last = columns
    for number in range(max(len(column.lines) for column in columns)):
        line: list[Segment] = [Segment(" ")]
        for column in left:
            line += _padded(column, number)
        line += last.lines[number] if number < len(last.lines) else ()
        while line and not line[-1].text.strip():
            line.pop()
        yield tuple(line)


def _padded(column: TextColumn, number: int) -> Line:
    segments = column.lines[number] if number < len(column.lines) else ()
    missing = column.width - sum(display_width(segment.text) for segment in segments)
    if column.to_the_right:
        return (Segment(" " * missing), *segments, Segment(" " * column.gap))
    return (*segments, Segment(" " * (missing + column.gap)))
