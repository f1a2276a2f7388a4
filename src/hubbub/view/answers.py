"""Answers drawn: those of the past, each inside its conversation, and replies ranked for a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..chat import Message
from ..layers import Reply
from .style import PLAIN, QUIET, STRONG, Colours, Line, Span, Style
from .terminal import NARROWEST, day_text, names_width
from .wrap import clip, display_width, drawable, drawable_line, wrap

if TYPE_CHECKING:
    from ..answer.archive import Kept
    from ..answer.asking import Past

SURE, UNSURE = Style(29, bold=True), Style(136, bold=True)
LIKELY = 0.5
THANKS = Style(168)

_LEFT = 3


def draw_past(question: str, found: Sequence[Past], nothing: str, width: int) -> Iterator[Line]:
    """The question, and each answer below it with its chance of being right; or the sentence that there is none."""
    width = max(width, NARROWEST)
    yield ()
    yield from _indented(wrap((Span(drawable_line(question), STRONG),), width - 2), 1)
    if not found:
        yield ()
        yield from _indented(wrap((Span(nothing, QUIET),), width - 2), 1)
    for number, each in enumerate(found, 1):
        yield ()
        yield _title(number, each, width)
        yield ()
        yield from _talk(each, width)
    yield ()


def _title(number: int, each: Past, width: int) -> Line:
    head = f" {number}  ", f"{100 * each.score:.0f} %"
    thanked = "  ♥ thanked" if each.thanks else ""
    room = width - sum(map(display_width, head)) - display_width(thanked) - 3
    return (
        Span(head[0], QUIET),
        Span(head[1], SURE if each.score >= LIKELY else UNSURE),
        Span(f"  {clip(_where(each.answer), room)}", QUIET),
        Span(thanked, THANKS),
    )


def _where(kept: Kept) -> str:
    """The chat and the day, as far as they are known."""
    when = kept.message.time
    return f"{drawable_line(kept.chat)}{f', {day_text(when.date())} {when:%H:%M}' if when else ''}"


def _talk(each: Past, width: int) -> Iterator[Line]:
    """Question, answer and what is around them, a column of names beside the texts; the answer stands out."""
    shown = [each.question, *each.between, each.answer, *each.followed]
    names, colours = names_width([kept.message for kept in shown], width), Colours()
    for before, kept in zip([None, *shown], shown, strict=False):
        is_answer, is_question = kept is each.answer, kept is each.question
        goes_on = before is not None and before.message.author == kept.message.author and not is_answer
        style = STRONG if is_answer else PLAIN if is_question or kept is each.thanks else QUIET
        mark = "▸" if is_answer else "?" if is_question else " "
        yield from _said(kept.message, mark, names, style, colours, width, goes_on)


def _said(
    message: Message, mark: str, names: int, style: Style, colours: Colours, width: int, goes_on: bool
) -> Iterator[Line]:
    name = "" if goes_on else clip(drawable_line(message.author), names)
    room = max(width - names - _LEFT - 5, NARROWEST // 2)
    left = _LEFT + 2 + names
    for number, line in enumerate(wrap((Span(drawable(message.text), style),), room)):
        blank = " " * (names - display_width(name))
        begin = (
            (Span(f"{' ' * _LEFT}{mark} {blank}"), Span(name, Style(colours.of(message.author) if name else None)))
            if not number
            else (Span(" " * left),)
        )
        yield (*begin, Span("  "), *line)


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
        chance = f"{100 * reply.score:3.0f} %"
        style = SURE if reply.score >= LIKELY else UNSURE
        lines = wrap((Span(drawable(reply.text), STRONG if number == 1 else PLAIN),), max(width - 13, NARROWEST // 2))
        for place, line in enumerate(lines):
            begin = (Span(f" {number:>2}  ", QUIET), Span(chance, style)) if not place else (Span(" " * 10),)
            yield (*begin, Span("  "), *line)
        if reply.source:
            yield Span(" " * 12), Span(clip(drawable_line(reply.source), width - 13), QUIET)
    yield ()


def _indented(lines: Sequence[Line], by: int) -> Iterator[Line]:
    return ((Span(" " * by), *line) for line in lines)
