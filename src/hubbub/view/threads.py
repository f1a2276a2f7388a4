"""A chat with its conversations: a coloured gutter beside it, or each conversation on its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ..chat import Chat, Message
from ..layers import ReplyGraph
from ..text import plural
from .lanes import MOST, Lanes, colour_of
from .marks import NO_MARKS, Marks
from .style import QUIET, STRONG, Line, Span, Style
from .terminal import NARROWEST, NO_TAGS, Beside, Hand, heading, names_width, with_days
from .wrap import clip, drawable_line

NARROWEST_WITH_LANES = 30


def draw_threads(
    chat: Chat, graph: ReplyGraph, width: int, tags: Mapping[int, str] = NO_TAGS, marks: Marks = NO_MARKS
) -> Iterator[Line]:
    """The chat in its order; a gutter shows which conversations run past and which one each message belongs to."""
    width = max(width, NARROWEST_WITH_LANES)
    lanes = Lanes.of(graph, most=min(MOST, max(1, width // 10 - 2)))
    yield from heading(chat.name, chat.messages, width, _count(graph))
    hand = Hand(width, names_width(chat, width), lanes.width())
    latest: dict[int, int] = {}
    for position, (day, message) in enumerate(with_days(iter(chat))):
        own = lanes.conversation_of[position]
        gutter = partial(lanes.gutter, position, is_system=message.kind == "system")
        note = _arc(chat, graph.parents[position], position, latest.get(own))
        beside, tag = Beside(gutter, colour_of(own), note), tags.get(position, "")
        yield from hand.draw(message, day, beside, tag, marks.get(position, ()))
        latest[own] = position


def draw_conversations(chat: Chat, graph: ReplyGraph, width: int, only: int | None = None) -> Iterator[Line]:
    """Each conversation whole, one after the other, or only the one of that number; announcements are left out."""
    width = max(width, NARROWEST)
    for number, positions in graph.spoken(chat):
        if only is None or only == number:
            messages = [chat[position] for position in positions]
            yield from _title(number, messages, width)
            hand = Hand(width, names_width(messages, width))
            for day, message in with_days(iter(messages)):
                yield from hand.draw(message, day)


def _count(graph: ReplyGraph) -> str:
    return plural(sum(1 for positions in graph.conversations() if len(positions) > 1), "conversation")


def _arc(chat: Chat, parents: Sequence[int], position: int, latest: int | None) -> str:
    """Whom a message answers, where neither its place in the conversation nor its first word tells."""
    said, own = chat[position].text.lower(), chat[position].author
    answered = [chat[parent].author for parent in parents if parent not in (position, latest)]
    return " ".join(
        f"↰ {clip(drawable_line(name), 16)}"
        for name in answered
        if name not in ("", own) and not said.startswith(name.lower())
    )


def _title(number: int, messages: Sequence[Message], width: int) -> Iterator[Line]:
    people = list(dict.fromkeys(drawable_line(message.author) for message in messages if message.author))
    facts = f"{plural(len(messages), 'message')} · {', '.join(people)}"
    yield ()
    yield Span(" "), Span(f"Conversation {number}", Style(colour_of(number - 1), bold=STRONG.bold))
    yield Span(" "), Span(clip(facts, width - 2), QUIET)
    yield ()
