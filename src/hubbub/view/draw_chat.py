"""A chat as lines of a terminal. Messages pass through; only a look-ahead and the latest few are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import chain, islice
from typing import TypeVar

from ..chat import Aliases, Message
from ..text import plural
from .lanes import MessageRow
from .legend import Legend
from .message_drawer import MessageDrawer, day_text
from .style import QUIET, STRONG, Line, Segment
from .wrap import clip, display_width, drawable_line, wrap

AHEAD = 10_000  # messages of a stream that are counted, and whose names are measured, before the first is drawn
NARROWEST = 20

_MAX_WAITING = 100  # system lines without a time that wait for the day of what follows

Item = TypeVar("Item")


def draw_chat(name: str, rows: Iterator[MessageRow], width: int, legend: Legend | None = None) -> Iterator[Line]:
    """A chat under its heading, in its order."""
    width = max(width, NARROWEST)
    ahead = list(islice(rows, AHEAD + 1))
    messages = [row.message for row in ahead]
    yield from heading(name, messages, width, is_complete=len(ahead) <= AHEAD)
    drawer = MessageDrawer(width, names_width(messages, width), legend=legend)
    del messages
    for day, row in with_days(chain(emptied(ahead), rows), lambda row: row.message):
        yield from drawer.draw(row.message, day, tag=row.tag, marks=row.marks)


def emptied(ahead: list[Item]) -> Iterator[Item]:
    """The items in order, each released as it passes."""
    ahead.reverse()
    while ahead:
        yield ahead.pop()


def with_days(items: Iterator[Item], message_of: Callable[[Item], Message]) -> Iterator[tuple[date | None, Item]]:
    """Each item and the day it stands under; system lines without a time stand with what follows them."""
    day: date | None = None
    waiting: list[Item] = []
    for item in items:
        waiting.append(item)
        message = message_of(item)
        if message.time:
            day = message.time.date()
        elif message.kind == "system" and len(waiting) < _MAX_WAITING:
            continue
        yield from ((day, each) for each in waiting)
        waiting.clear()
    yield from ((day, each) for each in waiting)


def heading(
    name: str, ahead: Sequence[Message], width: int, more: str = "", is_complete: bool = True
) -> Iterator[Line]:
    """The name of a chat and what is known of it; of one that is not complete, what its beginning tells."""
    yield ()
    yield Segment(" "), Segment(clip(drawable_line(name), width - 2), STRONG)
    facts = _facts(ahead) if is_complete else _first_facts(ahead)
    for line in wrap((Segment(" · ".join([*facts, more] if more else facts), QUIET),), width - 2):
        yield Segment(" "), *line
    yield ()


def _first_facts(ahead: Sequence[Message]) -> list[str]:
    days = [message.time.date() for message in ahead if message.time]
    return [f"more than {plural(len(ahead) - 1, 'message')}", *([f"from {day_text(min(days))}"] if days else [])]


def _facts(messages: Sequence[Message]) -> list[str]:
    days = [message.time.date() for message in messages if message.time]
    first_name = Aliases.of(messages).people()
    people = {first_name.get(m.author, m.author) for m in messages if m.kind != "system" and m.author}
    dates = [_dates(min(days), max(days))] if days else []
    return [plural(len(messages), "message"), plural(len(people), "person", "people"), *dates]


def _dates(first: date, last: date) -> str:
    """The days from first to last, with nothing repeated."""
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
