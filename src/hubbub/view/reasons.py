"""Why a message has its parent, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..chat import Message
from .wrap import clip, drawable_line

if TYPE_CHECKING:
    from ..thread.models.hubbub import HubbubThreader

MAX_TEXT = 80  # columns of a message that are quoted


def thread_reasons(model: HubbubThreader, messages: Sequence[Message], count_from: int = 1) -> Iterator[str]:
    """What decided about the last of the messages, the chosen parent first; positions are counted from `count_from`.

    A reply that the platform recorded was not predicted, so it has no reasons but that one.
    """
    *earlier, message = messages
    yield f"{len(earlier) + count_from}  {_quoted(message)}"
    recorded = _recorded(earlier, message)
    for position in recorded:
        yield f"100.0 %  {position + count_from}  {_quoted(messages[position])}"
        yield "         the platform states this reply; no model was used"
    if recorded:
        return
    if message.reply_to:
        yield "the platform states a reply to a message that is not in this chat; the following is predicted"
    yield from _predicted(model, messages, count_from)


def _recorded(earlier: Sequence[Message], message: Message) -> list[int]:
    if not message.reply_to:
        return []
    positions = {each.id: position for position, each in enumerate(earlier)}
    return sorted({positions[id] for id in message.reply_to if id in positions})


def _predicted(model: HubbubThreader, messages: Sequence[Message], count_from: int) -> Iterator[str]:
    from ..thread.explain import options

    for position, probability, reasons in options(model.trained(), messages):
        starts = position == len(messages) - 1
        what = "starts a conversation" if starts else _quoted(messages[position])
        yield f"{100 * probability:5.1f} %  {position + count_from}  {what}"
        for reason in reasons:
            yield f"         {reason.weight:+.2f}  {reason.feature}: {reason.value:g} rather than {reason.instead:g}"


def _quoted(message: Message) -> str:
    return f"{drawable_line(message.author)}: {clip(' '.join(drawable_line(message.text).split()), MAX_TEXT)}"
