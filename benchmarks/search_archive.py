"""The archive of benchmarks/search.py: the Ubuntu logs again and again, with shifted dates and other names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path

from hubbub.archive import schema
from hubbub.archive.conversation_ids import PREFIX
from hubbub.archive.day_batches import ordinal_of
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.read import stream

RUN = 8  # messages of a made-up conversation; threading changes nothing about search
SHIFT = timedelta(days=31)  # between two repetitions


def fill(archive: ArchiveStore, logs: Path, wanted: int) -> None:
    """So many messages, with made-up conversations and replies."""
    filler = Filler(archive)
    with archive.transaction():
        archive.insert(schema.networks, [(1, "")])
        archive.insert(schema.sources, [(1, "given", "", "")])
    for name, form, said in _repeated(logs):
        filler.add(name, form, said[: wanted - filler.last])
        if filler.last >= wanted:
            break
    filler.add_people()


def _repeated(logs: Path) -> Iterator[tuple[str, str, list[Message]]]:
    """(channel, format, messages), each time a month later and by other people."""
    chats = [(one.name, one.format, list(one.messages)) for one in stream(sorted(logs.rglob("*.txt")))]
    for turn in count():
        for name, form, said in chats:
            yield name, form, [_moved(each, turn) for each in said if each.time]


def _moved(said: Message, turn: int) -> Message:
    when = said.time + SHIFT * turn if said.time else None
    return Message(said.id, when, f"{said.author}{turn or ''}", said.text, said.kind)


@dataclass
class Filler:
    """Writes rows directly and keeps count of ids."""

    archive: ArchiveStore
    last: int = 0
    conversations: int = 0
    channels: dict[str, int] = field(default_factory=dict)
    days: dict[tuple[int, str], int] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, form: str, said: list[Message]) -> None:
        first, known = self.last + 1, len(self.days)
        with self.archive.transaction() as engine:
            if name not in self.channels:
                self.channels[name] = len(self.channels) + 1
                self.archive.insert(schema.channels, [(self.channels[name], 1, name, form)])
            channel = self.channels[name]
            days = [self.days.setdefault((channel, _date(each)), len(self.days) + 1) for each in said]
            new = [(id, of, date, None, 0, None) for (of, date), id in self.days.items() if id > known]
            self.archive.insert(schema.days, new)
            self.archive.insert(schema.conversations, self._conversations(channel, said))
            self.archive.insert(schema.messages, self._messages(channel, said, days))
            links = [(first + i, first + i - 1, 1, 0.9) for i in range(len(said)) if i % RUN]
            self.archive.insert(schema.replies, links)
            engine.add_words(first)
        self.last += len(said)

    def _conversations(self, channel: int, said: list[Message]) -> Iterator[tuple[object, ...]]:
        for start in range(0, len(said), RUN):
            run, id = said[start : start + RUN], self.conversations + start // RUN + 1
            first = self.last + start + 1
            people = len({each.author for each in run})
            times = (str(run[0].time).replace(" ", "T"), str(run[-1].time).replace(" ", "T"))
            yield id, f"{PREFIX}{id:08x}", channel, first, first + len(run) - 1, len(run), people, *times

    def _messages(self, channel: int, said: list[Message], days: list[int]) -> Iterator[tuple[object, ...]]:
        for i, (each, day) in enumerate(zip(said, days, strict=True)):
            talk = None if each.kind == "system" else self.conversations + i // RUN + 1
            if each.kind != "system":
                self.people.setdefault(each.author, len(self.people) + 1)
            when, order = each.time.isoformat() if each.time else None, ordinal_of(_date(each), day, i)
            yield (self.last + i + 1, channel, day, order, each.id, when, None, each.author, each.text, each.kind, None,
                   False, talk)  # fmt: skip
        self.conversations += (len(said) + RUN - 1) // RUN

    def add_people(self) -> None:
        with self.archive.transaction():
            self.archive.insert(schema.people, [(id, name) for name, id in self.people.items()])
            self.archive.insert(schema.identities, [(id, id, 1, "nick", name) for name, id in self.people.items()])


def _date(said: Message) -> str:
    return said.time.date().isoformat() if said.time else ""
