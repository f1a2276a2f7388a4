"""The room of people: who is meant by every mention of a person. `hubbub.people(chat)` runs `people`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .._rooms import callable_room
from ..chat import Chat
from ..layers import Layers, Link, Person, ReplyGraph

if TYPE_CHECKING:
    from ..model import AnyModel

__all__ = ["people"]


def people(
    chat: Chat,
    cast: str | Path | Sequence[Person] = (),
    model: str | Path | AnyModel | None = None,
    *,
    threshold: float | None = None,
    replies: ReplyGraph | None = None,
) -> list[Link]:
    """Who is meant by every mention of a person in a chat, in order: its layer of links.

    `cast` is a cast file or a list of people; the participants are always among those who may be meant. `model` is a
    name, a folder or a model. Where an answer is less probable than `threshold`, nobody is named.
    """
    from .desk import Desk

    return list(Desk.of(model, cast, threshold=threshold).over(chat, Layers(replies=replies)).links)


callable_room(__name__)
