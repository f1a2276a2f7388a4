"""Everything that the bundled models have to say of a chat, laid over it before it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from ..chat import Chat
from ..model import load
from ..read import ChatStream
from ..view.drawing import Layered
from .progress import said_meanwhile

MOST = 50_000


def layered(chats: Iterable[ChatStream]) -> Iterator[ChatStream | Layered]:
    """Each chat with its conversations; one of more than MOST messages passes as it is, so that nobody waits."""
    model = None
    for one in chats:
        ahead = list(islice(one.messages, MOST + 1))
        if len(ahead) > MOST:
            one.messages = chain(ahead, one.messages)
            yield one
            continue
        chat, layers = Chat(one.name, tuple(ahead), one.format), one.layers()
        if layers.replies is None and chat:
            with said_meanwhile(f"{chat.name}: finding conversations (the very first time this takes a while) ..."):
                model = model or load("thread/hubbub")
                layers = replace(layers, replies=model.predict([chat])[0])
        yield Layered(chat, layers)
