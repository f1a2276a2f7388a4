"""Answers out: queries as JSON lines, a table or Rasa's responses; chats with their layer of intents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TextIO

from ..chat import Chat, Message
from ..csv_output import CsvWriter
from ..jsonl import dump, header, layer_lines, message_line
from ..layers import Intent, Layers
from .inference.response import IntentAnswer, rasa_response, record

QUERY_COLUMNS = ("text", "name", "score", "best", "probability")
CHAT_COLUMNS = ("chat", "number", "id", "time", "author", "kind", "text", "name", "score")

Batches = Iterable[list[IntentAnswer]]


class IntentStream(NamedTuple):
    """A chat as a stream, each message with its intents; the earlier layers are known at its end."""

    name: str
    format: str
    judged: Iterator[tuple[Message, tuple[Intent, ...]]]
    layers: Callable[[], Layers]

    def whole(self) -> tuple[Chat, Layers]:
        rows = list(self.judged)
        intents = tuple(intent for _, found in rows for intent in found)
        chat = Chat(self.name, tuple(message for message, _ in rows), self.format)
        return chat, replace(self.layers(), intents=intents)


def write_records(batches: Batches, out: TextIO) -> None:
    for batch in batches:
        out.writelines(dump(record(each)) + "\n" for each in batch)
        out.flush()


def write_rasa(batches: Batches, out: TextIO) -> None:
    for batch in batches:
        predicted = ((each.text, [part.intent for part in each.parts] or each.intent) for each in batch)
        out.writelines(dump(rasa_response(*each)) + "\n" for each in predicted)
        out.flush()


def write_table(batches: Batches, out: TextIO, spreadsheet_safe: bool = False) -> None:
    table = CsvWriter(out, spreadsheet_safe=spreadsheet_safe)
    table.row(QUERY_COLUMNS)
    for batch in batches:
        for each in batch:
            best = each.intent.ranking[0] if each.intent.ranking else ("", 0.0)
            table.row((each.text, "+".join(each.names()), each.intent.score, *best))
        out.flush()


def write_chats(chats: Iterable[IntentStream], out: TextIO) -> None:
    """Messages as they pass, then every layer they came with and that of intents."""
    for chat in chats:
        out.write(header(chat.name, chat.format) + "\n")
        intents = list[Intent]()
        for message, found in chat.judged:
            out.write(message_line(message) + "\n")
            intents += found
        out.writelines(line + "\n" for line in layer_lines(replace(chat.layers(), intents=tuple(intents))))


def write_chats_rasa(chats: Iterable[IntentStream], out: TextIO) -> None:
    for chat in chats:
        out.writelines(dump(rasa_response(message.text, found)) + "\n" for message, found in chat.judged if found)


def write_chats_table(chats: Iterable[IntentStream], out: TextIO, spreadsheet_safe: bool = False) -> None:
    table = CsvWriter(out, spreadsheet_safe=spreadsheet_safe)
    table.row(CHAT_COLUMNS)
    for chat in chats:
        for number, (message, found) in enumerate(chat.judged, 1):
            when = message.time or message.clock
            names = "+".join(each.name for each in found if each.name is not None)
            table.row((chat.name, number, message.id, when.isoformat() if when else "", message.author, message.kind,
                       message.text, names, found[0].score if found else ""))  # fmt: skip


QUERIES: dict[str, Callable[..., None]] = {
    "jsonl": write_records,
    "csv": write_table,
    "rasa": write_rasa,
}
CHATS: dict[str, Callable[..., None]] = {
    "jsonl": write_chats,
    "csv": write_chats_table,
    "rasa": write_chats_rasa,
}
