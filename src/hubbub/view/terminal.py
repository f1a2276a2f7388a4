"""A chat as lines of a terminal. Messages pass through; only a look-ahead and the latest few are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain, islice
from typing import NamedTuple

from ..chat import Aliases, Message, renamed
from ..text import LONGEST_SEEN, plural
from .marks import NO_MARKS, Mark, Marks, marked
from .style import QUIET, STRONG, Colours, Line, Span, Style
from .wrap import clip, display_width, drawable_line, wrap

AHEAD = 10_000
NARROWEST = 20

NO_TAGS: Mapping[int, str] = {}
TAG = Style(29, italic=True)

_TIME = 5
_REMEMBERED = 10_000
_WAITING = 100
_GAP: Line = (Span("  "),)
_MINUTE = timedelta(minutes=1)


class Cell(NamedTuple):
    """One column's part of a message: lines that are no wider than `width`."""

    lines: Sequence[Line]
    width: int
    to_the_right: bool = False


Row = tuple[Cell, ...]


def draw_chat(
    name: str, messages: Iterator[Message], width: int, tags: Mapping[int, str] = NO_TAGS, marks: Marks = NO_MARKS
) -> Iterator[Line]:
    """A chat under its heading, in its order; by position, marks in a message's text and a tag behind it."""
    width = max(width, NARROWEST)
    ahead = list(islice(messages, AHEAD + 1))
    yield from heading(name, ahead, width)
    hand = Hand(width, names_width(ahead, width))
    for position, (day, message) in enumerate(with_days(chain(_emptied(ahead), messages))):
        yield from hand.draw(message, day, tag=tags.get(position, ""), marks=marks.get(position, ()))


def _emptied(ahead: list[Message]) -> Iterator[Message]:
    """The messages, let go as they pass."""
    ahead.reverse()
    while ahead:
        yield ahead.pop()


def with_days(messages: Iterator[Message]) -> Iterator[tuple[date | None, Message]]:
    """Each message and the day it stands under; announcements without a time stand with what follows them."""
    day: date | None = None
    waiting: list[Message] = []
    for message in messages:
        waiting.append(message)
        if message.time:
            day = message.time.date()
        elif message.kind == "system" and len(waiting) < _WAITING:
            continue
        yield from ((day, each) for each in waiting)
        waiting.clear()
    yield from ((day, each) for each in waiting)


def heading(name: str, ahead: Sequence[Message], width: int, more: str = "") -> Iterator[Line]:
    yield ()
    yield Span(" "), Span(clip(drawable_line(name), width - 2), STRONG)
    facts = f"{_facts(ahead)} · {more}" if more else _facts(ahead)
    for line in wrap((Span(facts, QUIET),), width - 2):
        yield Span(" "), *line
    yield ()


def _facts(ahead: Sequence[Message]) -> str:
    days = [message.time.date() for message in ahead if message.time]
    if len(ahead) > AHEAD:
        since = [f"from {day_text(min(days))}"] if days else []
        return " · ".join([f"more than {plural(AHEAD, 'message')}", *since])
    span = [_span(min(days), max(days))] if days else []
    people = plural(_people(ahead), "person", "people")
    return " · ".join([plural(len(ahead), "message"), people, *span])


def _people(messages: Sequence[Message]) -> int:
    first_name = Aliases.of(messages).people()
    return len({first_name.get(m.author, m.author) for m in messages if m.kind != "system" and m.author})


def day_text(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _span(first: date, last: date) -> str:
    """The days from first to last, with nothing said twice."""
    if first == last:
        return day_text(last)
    if first.year != last.year:
        return f"{day_text(first)} – {day_text(last)}"
    if first.month != last.month:
        return f"{first.day} {first:%B} – {day_text(last)}"
    return f"{first.day}–{day_text(last)}"


def names_width(ahead: Iterable[Message], width: int) -> int:
    """Wide enough for the names that come, without a few long ones among them; never more than a fifth of the line."""
    widths = sorted(display_width(drawable_line(message.author)) for message in ahead if message.kind == "message")
    longest, usual = (widths[-1], widths[len(widths) * 19 // 20]) if widths else (0, 0)
    return max(min(longest, max(usual, 12), 16, width // 5), 4)


class Beside(NamedTuple):
    """What stands beside a message when conversations are drawn: the gutter, the colour of its name, a note."""

    gutter: Callable[[int], Sequence[Line]]
    colour: int
    note: str = ""


class Hand:
    """Draws one message after the other and remembers what it needs of those before."""

    def __init__(self, width: int, names_width: int, gutter_width: int = 0) -> None:
        self._width = width
        self._names_width = names_width
        self._gutter_width = gutter_width
        self._text_width = width - names_width - _TIME - 6 - (gutter_width + 2 if gutter_width else 0)
        self._colours = Colours()
        self._recent: OrderedDict[str, str] = OrderedDict()
        self._day: date | None = None
        self._before: Message | None = None
        self._shown_time = ""

    def draw(
        self,
        message: Message,
        day: date | None,
        beside: Beside | None = None,
        tag: str = "",
        marks: Sequence[Mark] = (),
    ) -> Iterator[Line]:
        message = _seen(message)
        if pair := renamed(message):
            self._colours.rename(*pair)
        if day and day != self._day:
            yield from self._day_break(day)
        yield from _laid(self._row(message, beside, tag, marks))
        self._remember(message)
        self._before = message

    def _day_break(self, day: date) -> Iterator[Line]:
        if self._before:
            yield ()
        title = f" {day:%A} {day_text(day)} "
        yield Span(" "), Span(clip(f"{title:─^{self._width - 2}}", self._width - 2), QUIET)
        yield ()
        self._day, self._before = day, None

    def _row(self, message: Message, beside: Beside | None, tag: str, marks: Sequence[Mark]) -> Row:
        goes_on = self._goes_on(message)
        time = _time(message)
        shown_time = "" if goes_on and time == self._shown_time else time
        self._shown_time = time
        name = () if goes_on else (self._name(message, beside.colour if beside else None),)
        text = self._text(message, beside.note if beside else "", marks)
        if tag:
            text += wrap((Span(f"→ {tag}", TAG),), self._text_width)
        row = (
            Cell([(Span(shown_time, QUIET),)], _TIME),
            Cell([name], self._names_width, to_the_right=True),
            Cell(text, self._text_width),
        )
        return (Cell(beside.gutter(len(text)), self._gutter_width), *row) if beside else row

    def _goes_on(self, message: Message) -> bool:
        """Whether the same person just goes on talking."""
        before = self._before
        if before is None or message.kind != "message" or before.kind != "message" or before.author != message.author:
            return False
        return _within_a_minute(before, message)

    def _name(self, message: Message, colour: int | None) -> Span:
        if message.kind == "system":
            return Span("·", QUIET)
        mark = "*" if message.kind == "action" else clip(drawable_line(message.author), self._names_width)
        return Span(mark, Style(self._colours.of(message.author) if colour is None else colour))

    def _text(self, message: Message, note: str, marks: Sequence[Mark]) -> list[Line]:
        arc = (Span(f"{note} ", QUIET),) if note else ()
        if message.kind == "system":
            return wrap(marked(message.text, (), QUIET), self._text_width)
        if message.kind == "action":
            who = Span(drawable_line(message.author), Style(self._colours.of(message.author), italic=True))
            later = [mark._replace(start=mark.start + 1, end=mark.end + 1) for mark in marks]
            done = marked(f" {message.text}", later, Style(italic=True))
            return wrap((*arc, who, *done), self._text_width)
        text = marked(message.text, marks)
        if arc or not message.reply_to:
            return wrap((*arc, *text), self._text_width)
        if self._before and self._before.reply_to == message.reply_to:
            return wrap((Span("↪ ", QUIET), *text), self._text_width)
        answered = (self._recent.get(id, "an earlier message") for id in message.reply_to)
        quotes: list[Line] = [(Span(clip(f"↪ {each}", self._text_width), QUIET),) for each in dict.fromkeys(answered)]
        return quotes + wrap(text, self._text_width)

    def _remember(self, message: Message) -> None:
        words = f"{message.author}: {message.text[:200]}" if message.author else message.text[:200]
        self._recent[message.id] = " ".join(drawable_line(words).split())
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)


def _seen(message: Message) -> Message:
    """The message as it is drawn: a text without an end in sight is cut, and says so."""
    if (more := len(message.text) - LONGEST_SEEN) <= 0:
        return message
    return message._replace(text=f"{message.text[:LONGEST_SEEN]}… [{plural(more, 'more character')}]")


def _within_a_minute(one: Message, other: Message) -> bool:
    """By date, else by the clock; without either, what stands together was said together."""
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


def _laid(row: Row) -> Iterator[Line]:
    """The cells of a row side by side, line by line; the last one ends where its text ends."""
    height = max(len(cell.lines) for cell in row)
    for number in range(height):
        line: list[Span] = [Span(" ")]
        for cell in row[:-1]:
            line += _padded(cell, number)
            line += _GAP
        last = row[-1]
        line += last.lines[number] if number < len(last.lines) else ()
        yield _trimmed(line)


def _padded(cell: Cell, number: int) -> Line:
    spans = cell.lines[number] if number < len(cell.lines) else ()
    blank = Span(" " * (cell.width - sum(display_width(span.text) for span in spans)))
    return (blank, *spans) if cell.to_the_right else (*spans, blank)


def _trimmed(line: list[Span]) -> Line:
    """The line without blanks at its end."""
    while line and not line[-1].text.strip():
        line.pop()
    return tuple(line)
