"""A chat together with its layers, and the ways out of it: tables and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from .chat import Chat, Message
from .errors import NeedsExtra
from .layers import Conversation, Intent, Layers, Link, ReplyGraph


@dataclass(frozen=True, slots=True)
class Analysis:
    """A chat and what was predicted for it.

    >>> from hubbub import Chat, Message
    >>> chat = Chat("tea", (Message("1", None, "ada", "who wants tea?"), Message("2", None, "bo", "me")))
    >>> analysis = Analysis(chat, Layers(replies=ReplyGraph(((0,), (0,)))))
    >>> analysis.conversations()
    (<Conversation 1: 'who wants tea?', 2 messages>,)
    """

    chat: Chat
    layers: Layers = field(default_factory=Layers)

    @property
    def replies(self) -> ReplyGraph | None:
        """Which message replies to which; None if that was not predicted."""
        return self.layers.replies

    @property
    def people(self) -> tuple[Link, ...]:
        """Every mention of a person with who is meant."""
        return self.layers.links

    @property
    def intents(self) -> tuple[Intent, ...]:
        """The intents of the messages, in order."""
        return self.layers.intents

    def conversations(self) -> tuple[Conversation, ...]:
        """The conversations in order of their first messages; one with everything where no replies were predicted."""
        graph = self.layers.replies or ReplyGraph(tuple((0,) for _ in self.chat))
        return graph.conversations(self.chat)

    def columns(self) -> dict[str, list[Any]]:
        """One row a message: its fields, then what each layer says about it."""
        chat, graph = self.chat, self.layers.replies
        table: dict[str, list[Any]] = {"position": list(range(len(chat)))}
        table |= {name: [getattr(message, name) for message in chat] for name in Message._fields}
        table["reply_to"] = [list(message.reply_to) for message in chat]
        if graph is not None:
            numbers = {position: each.number for each in graph.conversations(chat) for position in each.positions}
            table["parents"] = [list(parents) for parents in graph.parents]
            table["parent_probabilities"] = [list(each) for each in graph.scores] or [[] for _ in chat]
            table["conversation"] = [numbers.get(position) for position in range(len(chat))]
        if self.layers.links:
            meant: dict[int, list[str]] = {}
            for link in self.layers.links:
                meant.setdefault(link.mention.position, []).extend(link.people)
            table["people"] = [meant.get(position, []) for position in range(len(chat))]
        if self.layers.intents:
            first: dict[int, Intent] = {}
            for intent in self.layers.intents:
                first.setdefault(intent.position, intent)
            table["intent"] = [first[p].name if p in first else None for p in range(len(chat))]
            table["in_scope_probability"] = [first[p].score if p in first else None for p in range(len(chat))]
        return table

    def to_pandas(self) -> Any:
        """The rows of `columns` as a pandas data frame."""
        return _imported("pandas", "tables").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """The rows of `columns` as a polars data frame."""
        return _imported("polars", "tables").DataFrame(self.columns(), strict=False)

    def to_arrow(self) -> Any:
        """The rows of `columns` as an Arrow table."""
        return _imported("pyarrow", "parquet").table(_plain(self.columns()))

    def save(self, path: str | Path) -> Path:
        """Writes the chat and its layers as JSON lines; `hubbub.open` reads them back."""
        from .jsonl import chat_lines
        from .output_files import placed_file

        with placed_file(str(path)) as file:
            file.writelines(f"{line}\n" for line in chat_lines(self.chat, self.layers))
        return Path(path)

    def __repr__(self) -> str:
        facts = [f"{len(self.chat)} messages"]
        if self.layers.replies is not None:
            facts.append(f"{len(self.conversations())} conversations")
        facts += [f"{len(self.layers.links)} mentions"] if self.layers.links else []
        facts += [f"{len(self.layers.intents)} intents"] if self.layers.intents else []
        return f"<Analysis of {self.chat.name!r}: {', '.join(facts)}>"


def _plain(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Arrow has one time zone a column: if any time has a zone, all become UTC, and those without one count as UTC."""
    times: list[datetime | None] = columns["time"]
    if not any(each.tzinfo for each in times if each is not None):
        return dict(columns)
    zoned = (each if each is None or each.tzinfo else each.replace(tzinfo=UTC) for each in times)
    return {**columns, "time": [None if each is None else each.astimezone(UTC) for each in zoned]}


def _imported(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise NeedsExtra(f"A {name} table", extra) from None
