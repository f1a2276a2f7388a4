"""Why a message has its parent, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..chat import Message
from .style import Line, Segment
from .wrap import clip, display_width, drawable_line, wrap

if TYPE_CHECKING:
    from ..thread.explain import CandidateParent
    from ..thread.models.hubbub import HubbubThreader

INDENT = " " * 9  # of what stands below the probability of a candidate
MAX_TEXT = 80  # columns of a message that are quoted


def thread_reasons(model: HubbubThreader, messages: Sequence[Message], count_from: int = 1) -> Iterator[str]:
    """What decided about the last of the messages, the chosen parent first; positions are counted from `count_from`."""
    message, is_stated, candidates = messages[-1], *_candidates(model, messages)
    yield f"{len(messages) - 1 + count_from}  {_quoted(message)}"
    if message.reply_to and not is_stated:
        yield "the platform states a reply to a message that is not in this chat; the following is predicted"
    for position, probability, reasons in candidates:
        starts = position == len(messages) - 1
        what = "starts a conversation" if starts else _quoted(messages[position])
        yield f"{100 * probability:5.1f} %  {position + count_from}  {what}"
        if is_stated:
            yield "         the platform states this reply; no model was used"
        for reason in reasons:
            yield f"         {reason.weight:+.2f}  {reason.feature}: {reason.value:g} rather than {reason.instead:g}"


def draw_thread_reasons(model: HubbubThreader, messages: Sequence[Message], width: int) -> Iterator[Line]:
    for line in thread_reasons(model, messages):
        room = width if display_width(line) <= width else width - len(INDENT)
        for number, part in enumerate(wrap((Segment(line),), room)):
            yield (Segment(INDENT), *part) if number else part


def thread_reasons_record(model: HubbubThreader, messages: Sequence[Message]) -> dict[str, Any]:
    """The same as one JSON object, with positions from 0 and a candidate of the message itself if it may start."""
    is_stated, candidates = _candidates(model, messages)
    return {
        **_record(messages, len(messages) - 1),
        "is_stated": is_stated,
        "candidates": [
            {
                **_record(messages, position),
                "probability": round(probability, 4),
                "reasons": [reason._replace(weight=round(reason.weight, 4))._asdict() for reason in reasons],
            }
            for position, probability, reasons in candidates
        ],
    }


def _record(messages: Sequence[Message], position: int) -> dict[str, Any]:
    return {"position": position, "author": messages[position].author, "text": messages[position].text}


def _candidates(model: HubbubThreader, messages: Sequence[Message]) -> tuple[bool, list[CandidateParent]]:
    """Whether the platform stated the parents, and the parents; a stated reply was not predicted and has no reasons."""
    from ..thread.explain import CandidateParent, options

    *earlier, message = messages
    positions = {each.id: position for position, each in enumerate(earlier)} if message.reply_to else {}
    if stated := sorted({positions[id] for id in message.reply_to if id in positions}):
        return True, [CandidateParent(position, 1.0, ()) for position in stated]
    return False, options(model.trained(), messages)


def _quoted(message: Message) -> str:
    return f"{drawable_line(message.author)}: {clip(' '.join(drawable_line(message.text).split()), MAX_TEXT)}"
