"""Chats with who is meant in them, as others read them: JSON lines, a table of mentions, CoNLL-2012."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from ..chat import Chat
from ..csv_output import CsvWriter
from ..jsonl import chat_lines
from ..layers import Layers
from ..text import printable, whole
from .data.conll import conll_lines
from .data.scene import SPEAKER_SEPARATOR, Scene
from .reports.profiles import reference_type, words_of

COLUMNS = (
    "chat", "number", "id", "time", "author", "start", "end", "mention", "way", "people", "score", "text",
)  # fmt: skip

AnnotatedChats = Iterable[tuple[Chat, Layers]]


def write_jsonl(chats: AnnotatedChats, out: TextIO) -> None:
    for chat, layers in chats:
        out.writelines(line + "\n" for line in chat_lines(chat, layers))


def write_csv(chats: AnnotatedChats, out: TextIO, spreadsheet_safe: bool = False) -> None:
    """A row a mention; several people are parted by a comma and a space, an unknown one is empty."""
    table = CsvWriter(out, spreadsheet_safe=spreadsheet_safe)
    table.row(COLUMNS)
    for chat, layers in chats:
        people = {person.id: person for person in layers.people}
        for link in layers.links:
            place, message = link.mention, chat[link.mention.position]
            when, words = message.time or message.clock, words_of(chat, link)
            way = reference_type(words, people.get(link.people[0]) if link.people else None)
            source = (chat.name, place.position + 1, message.id, when.isoformat() if when else "", message.author)
            meant = (words, way, SPEAKER_SEPARATOR.join(link.people), link.score)
            table.row((*source, place.start, place.end, *meant, message.text))


def write_conll(chats: AnnotatedChats, out: TextIO) -> None:
    for chat, layers in chats:
        lines = conll_lines(Scene(chat, layers.people), layers.links)
        out.writelines(printable(whole(line), keep="\t") + "\n" for line in lines)


WRITERS: dict[str, Callable[..., None]] = {"jsonl": write_jsonl, "csv": write_csv, "conll": write_conll}
