"""Chats with who is meant in them, as others read them: JSON lines, a table of mentions, CoNLL-2012."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from ..cells import Cells
from ..chat import Chat
from ..layers import Layers
from ..pipe import chat_lines
from ..text import printable, whole
from .conll import conll_lines
from .scene import TOGETHER, Scene
from .who import way_of, words_of

COLUMNS = (
    "chat", "position", "id", "time", "author", "start", "end", "mention", "way", "people", "score", "text",
)  # fmt: skip

Laid = Iterable[tuple[Chat, Layers]]


def write_jsonl(chats: Laid, out: TextIO) -> None:
    for chat, layers in chats:
        out.writelines(line + "\n" for line in chat_lines(chat, layers))


def write_csv(chats: Laid, out: TextIO, spreadsheet_safe: bool = False) -> None:
    """A row a mention; several people are parted by a comma and a space, an unknown one is empty."""
    table = Cells(out, spreadsheet_safe=spreadsheet_safe)
    table.row(COLUMNS)
    for chat, layers in chats:
        people = {person.id: person for person in layers.people}
        for link in layers.links:
            place, message = link.mention, chat[link.mention.position]
            when, words = message.time or message.clock, words_of(chat, link)
            way = way_of(words, people.get(link.people[0]) if link.people else None)
            told = (chat.name, place.position, message.id, when.isoformat() if when else "", message.author)
            meant = (words, way, TOGETHER.join(link.people), link.score)
            table.row((*told, place.start, place.end, *meant, message.text))


def write_conll(chats: Laid, out: TextIO) -> None:
    for chat, layers in chats:
        lines = conll_lines(Scene(chat, layers.people), layers.links)
        out.writelines(printable(whole(line), keep="\t") + "\n" for line in lines)


WRITERS: dict[str, Callable[..., None]] = {"jsonl": write_jsonl, "csv": write_csv, "conll": write_conll}
