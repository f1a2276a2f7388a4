"""A chat with its conversations: in lanes beside the messages, or each conversation on its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from ..chat import Chat, Message
from ..layers import ReplyGraph
from ..text import plural
from .draw_chat import NARROWEST, emptied, heading, names_width, with_days
from .lanes import LOOK_AHEAD, MAX_LANES, LaneRow, Lanes, MessageRow, colour_of, gutter
from .legend import Legend
from .message_drawer import Beside, MessageDrawer
from .style import QUIET, Line, Segment, style_of
from .wrap import clip, drawable_line, wrap

NARROWEST_WITH_LANES = 30
HEADING_AHEAD = 5_000  # messages of a stream that are counted, and whose names are measured, before the first is drawn


def draw_threads(
    name: str,
    rows: Iterable[MessageRow],
    width: int,
    *,
    numbers: bool = False,
    is_whole: bool = False,
    legend: Legend | None = None,
) -> Iterator[Line]:
    """The chat in its order; lanes show which conversations run past and which one each message belongs to.

    A whole chat is looked through to its end before the first line, a stream only as far as LOOK_AHEAD messages.
    `numbers` shows the number of each message's conversation.
    """
    width, legend = max(width, NARROWEST_WITH_LANES), legend or Legend()
    lanes = Lanes(min(MAX_LANES, max(1, width // 10 - 2)), None if is_whole else LOOK_AHEAD)
    drawn = lanes.over(rows)
    ahead = list(drawn if is_whole else islice(drawn, HEADING_AHEAD + 1))
    is_complete = is_whole or len(ahead) <= HEADING_AHEAD
    most = max((each.width() for each in ahead), default=1) if is_complete else lanes.max_lanes
    messages = [each.row.message for each in ahead]
    yield from heading(name, messages, width, _counts(lanes) if is_complete else "", is_complete)
    drawer = MessageDrawer(width, names_width(messages, width), 2 * most, legend)
    if numbers:
        drawer.show_numbers(len(str(lanes.count)))
    del messages
    for day, each in with_days(chain(emptied(ahead), drawn), lambda each: each.row.message):
        yield from drawer.draw(each.row.message, day, _beside(each), each.row.tag, each.row.marks)
        legend.add(each.symbol)
    if not is_complete:
        yield ()
        yield from _indented(f"{plural(lanes.messages, 'message')} · {_counts(lanes)}", width)


def _beside(drawn: LaneRow) -> Beside:
    number = drawn.own.number
    return Beside(partial(gutter, drawn), colour_of(number) if number else None, drawn.note, number)


def _counts(lanes: Lanes) -> str:
    """How many conversations there are; the number of the last one is the first of the two counts."""
    replied = f", {lanes.replied:,} with replies" if lanes.replied < lanes.count else ""
    return plural(lanes.count, "conversation") + replied


def draw_conversations(chat: Chat, graph: ReplyGraph, width: int, only: int | None = None) -> Iterator[Line]:
    """Each conversation whole, one after the other, or only the one of that number; system lines alone are none."""
    width = max(width, NARROWEST)
    for conversation in graph.conversations(chat):
        if only is None or only == conversation.number:
            messages = conversation.messages
            yield from _title(conversation.number, messages, width)
            drawer = MessageDrawer(width, names_width(messages, width))
            for day, message in with_days(iter(messages), lambda message: message):
                yield from drawer.draw(message, day)


def _title(number: int, messages: Sequence[Message], width: int) -> Iterator[Line]:
    people = list(dict.fromkeys(drawable_line(message.author) for message in messages if message.author))
    facts = f"{plural(len(messages), 'message')} · {', '.join(people)}"
    yield ()
    yield Segment(" "), Segment(f"Conversation {number}", style_of(colour_of(number), bold=True))
    yield Segment(" "), Segment(clip(facts, width - 2), QUIET)
    yield ()


def _indented(text: str, width: int) -> Iterator[Line]:
    for line in wrap((Segment(text, QUIET),), width - 2):
        yield Segment(" "), *line
