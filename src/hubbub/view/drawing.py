"""Chats as lines, with whatever is laid over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..chat import Chat
from ..layers import Layers
from ..read import ChatStream
from .intents import tags
from .marks import NO_MARKS
from .style import Line
from .terminal import draw_chat
from .threads import draw_threads


class Layered(NamedTuple):
    """A whole chat and what is laid over it."""

    chat: Chat
    layers: Layers


def draw(chats: Iterable[ChatStream | Layered | Chat], width: int) -> Iterator[Line]:
    """Every chat under its heading, one after the other. A chat that may carry layers is read whole first."""
    for number, chat in enumerate(chats):
        if number:
            yield ()
        if isinstance(chat, ChatStream) and chat.rows is not None:
            chat = Layered(chat.chat(), chat.layers())
        if isinstance(chat, Layered):
            yield from draw_layered(*chat, width)
        else:
            yield from draw_chat(chat.name, iter(chat), width)


def draw_layered(chat: Chat, layers: Layers, width: int) -> Iterator[Line]:
    beside, marks = tags(layers.intents), NO_MARKS
    if layers.links:
        from .people import marks_of

        marks = marks_of(chat, layers, in_colour=not layers.replies)
    if layers.replies:
        return draw_threads(chat, layers.replies, width, beside, marks)
    return draw_chat(chat.name, iter(chat), width, beside, marks)
