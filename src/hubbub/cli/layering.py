"""Everything that the bundled models have to say of a chat, laid over it before it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from ..chat import Chat
from ..layers import Layers
from ..model import AnyModel, bundled, load
from ..read import ChatStream
from ..task import task
from ..view.drawing import Layered
from .progress import said_meanwhile

if TYPE_CHECKING:
    from ..people.desk import Desk

MOST = 50_000
THREADS = "thread/hubbub"


def layered(chats: Iterable[ChatStream], threads: bool = True, people: bool = True) -> Iterator[ChatStream | Layered]:
    """Each chat with its conversations and who is meant in it, as they are wanted and not known already.

    One of more than MOST messages passes as it is, so that nobody waits.
    """
    for one in chats:
        ahead = list(islice(one.messages, MOST + 1))
        if len(ahead) > MOST:
            one.messages = chain(ahead, one.messages)
            yield one
            continue
        chat, layers = Chat(one.name, tuple(ahead), one.format), one.layers()
        if threads:
            layers = with_replies(chat, layers)
        if people:
            layers = with_people(chat, layers)
        yield Layered(chat, layers)


def with_replies(chat: Chat, layers: Layers) -> Layers:
    """The layers with a reply graph, found now where there is none."""
    if layers.replies is not None or not chat:
        return layers
    with said_meanwhile(f"{chat.name}: finding conversations (the very first time this takes a while) ..."):
        return replace(layers, replies=_threads().predict([chat])[0])


def with_people(chat: Chat, layers: Layers) -> Layers:
    """The layers with who is meant, found now where nobody is told and the model is bundled."""
    if layers.links or not chat or task("people").default not in bundled():
        return layers
    with said_meanwhile(f"{chat.name}: finding out who is meant ..."):
        return _desk().over(chat, layers)


@cache
def _threads() -> AnyModel:
    return load(THREADS)


@cache
def _desk() -> Desk:
    from ..people.desk import Desk

    return Desk.of()
