"""Answers drawn: those of the past, each inside its conversation, and replies ranked for a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..chat import Message
from ..layers import Reply
from .draw_chat import NARROWEST, names_width
from .message_drawer import day_text
from .style import PLAIN, QUIET, STRONG, Colours, Line, Segment, Style, style_of
from .wrap import clip, display_width, drawable, drawable_line, wrap

if TYPE_CHECKING:
    from ..archive.ask import Answer
    from ..archive.store import StoredMessage

PROBABLE, IMPROBABLE = style_of(29, bold=True), style_of(136, bold=True)
LIKELY = 0.5
THANKS = style_of(168)

_LEFT = 3


def draw_past(question: str, found: Sequence[Answer], nothing: str, width: int) -> Iterator[Line]:
    """The question, and each answer with the probability that it is right; or the sentence that there is none."""
    width = max(width, NARROWEST)
    yield ()
    yield from _indented(wrap((Segment(drawable_line(question), STRONG),), width - 2), 1)
    if not found:
        yield ()
        yield from _indented(wrap((Segment(nothing, QUIET),), width - 2), 1)
    for number, each in enumerate(found, 1):
        yield ()
        yield _title(number, each, width)
        yield ()
        yield from _talk(each, width)
    yield ()


def _title(number: int, each: Answer, width: int) -> Line:
    head = f" {number}  ", f"{100 * each.score:.0f} %"
    thanked = "  ♥ thanked" if each.thanks else ""
    available = width - sum(map(display_width, head)) - display_width(thanked) - 3
    return (
        Segment(head[0], QUIET),
        Segment(head[1], PROBABLE if each.score >= LIKELY else IMPROBABLE),
        Segment(f"  {clip(_where(each.answer), available)}", QUIET),
        Segment(thanked, THANKS),
    )


def _where(stored: StoredMessage) -> str:
    """The chat and the day, as far as they are known."""
    when = stored.message.time
    return f"{drawable_line(stored.chat)}{f', {day_text(when.date())} {when:%H:%M}' if when else ''}"


def _talk(each: Answer, width: int) -> Iterator[Line]:
    """Question, answer and what is around them, a column of names beside the texts; the answer stands out."""
    shown = [each.question, *each.between, each.answer, *each.followed]
    names, colours = names_width([stored.message for stored in shown], width), Colours()
    for before, stored in zip([None, *shown], shown, strict=False):
        is_answer, is_question = stored is each.answer, stored is each.question
        goes_on = before is not None and before.message.author == stored.message.author and not is_answer
        style = STRONG if is_answer else PLAIN if is_question or stored is each.thanks else QUIET
        mark = "▸" if is_answer else "?" if is_question else " "
        yield from _said(stored.message, mark, names, style, colours, width, goes_on)


def _said(
    message: Message, mark: str, names: int, style: Style, colours: Colours, width: int, goes_on: bool
) -> Iterator[Line]:
    name = "" if goes_on else clip(drawable_line(message.author), names)
    available = max(width - names - _LEFT - 5, NARROWEST // 2)
    left = _LEFT + 2 + names
    for number, line in enumerate(wrap((Segment(drawable(message.text), style),), available)):
        blank = " " * (names - display_width(name))
        begin = (
            (
                Segment(f"{' ' * _LEFT}{mark} {blank}"),
                Segment(name, style_of(colours.of(message.author) if name else None)),
            )
            if not number
            else (Segment(" " * left),)
        )
        yield (*begin, Segment("  "), *line)


def draw_replies(said: Sequence[Message], replies: Sequence[Reply], width: int) -> Iterator[Line]:
    """The end of a conversation, and the replies that fit it, best first."""
    width, colours = max(width, NARROWEST), Colours()
    names = names_width(said, width)
    yield ()
    for before, message in zip([None, *said], said, strict=False):
        goes_on = before is not None and before.author == message.author
        yield from _said(message, " ", names, PLAIN, colours, width, goes_on)
    yield ()
    for number, reply in enumerate(replies, 1):
        probability = f"{100 * reply.score:3.0f} %"
        style = PROBABLE if reply.score >= LIKELY else IMPROBABLE
        lines = wrap(
            (Segment(drawable(reply.text), STRONG if number == 1 else PLAIN),), max(width - 13, NARROWEST // 2)
        )
        for place, line in enumerate(lines):
            begin = (
                (Segment(f" {number:>2}  ", QUIET), Segment(probability, style)) if not place else (Segment(" " * 10),)
            )
            yield (*begin, Segment("  "), *line)
        if reply.source:
            yield Segment(" " * 12), Segment(clip(drawable_line(reply.source), width - 13), QUIET)
    yield ()


def _indented(lines: Sequence[Line], by: int) -> Iterator[Line]:
    return ((Segment(" " * by), *line) for line in lines)
