"""The questions that benchmarks/ask.py asks, and the archives they are put to."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hubbub.answer.data.extraction import dialogues
from hubbub.archive.engine import listed
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import Vectors
from hubbub.chat import Chat
from hubbub.read import stream
from hubbub.text import words

CHANNEL = "#ubuntu"
COUNT, LEAST_WORDS, ALIKE = 200, 6, 0.6


class Question(NamedTuple):
    """A message that was asked, by its number in the archive, and the messages that answered it."""

    id: int
    author: str
    text: str
    answers: frozenset[int]


def questions(archive: ArchiveStore, logs: Path, first: int, last: int) -> list[Question]:
    (chat,) = [one.chat() for one in stream(sorted(logs.glob(f"*/*/{CHANNEL}.txt")))]
    days = Chat(chat.name, tuple(m for m in chat if m.time and first <= m.time.day <= last), chat.format)
    rows = archive.rows(
        "select m.time, m.author, m.text, m.id from messages m join channels c on c.id = m.channel_id"
        " where c.name = :channel",
        channel=CHANNEL,
    )
    number: dict[tuple[str, str, str], int] = {tuple(row[:3]): row[3] for row in rows}

    def id_of(place: int) -> int:
        when, said = days[place].time, days[place]
        return number[when.isoformat() if when else "", said.author, said.text]

    asked: dict[int, set[int]] = defaultdict(set)
    for dialogue in dialogues(days, "lowe"):
        opening = dialogue.utterances[0]
        if not opening.recipient and "?" in opening.text and len(opening.bare.split()) >= LEAST_WORDS:
            asked[opening.position] |= {u.position for u in dialogue.utterances if u.sender != opening.sender}
    made = [
        Question(id_of(place), days[place].author, days[place].text, frozenset(map(id_of, answers)))
        for place, answers in sorted(asked.items())
    ]
    random.Random(0).shuffle(made)
    return made[:COUNT]


def withheld(archive: ArchiveStore, asked: Sequence[Question]) -> set[int]:
    """The questions, and what their authors said in nearly the same words."""
    found: set[int] = set()
    for each in asked:
        own = set(words(each.text))
        for id, text in archive.rows("select id, text from messages where author = :author", author=each.author):
            shared = len(own & set(words(text)))
            if id == each.id or (shared >= 4 and shared >= ALIKE * min(len(own), len(set(words(text))))):
                found.add(id)
    return found - {id for each in asked for id in each.answers}


def take_out(path: Path, ids: set[int]) -> None:
    """Their words and their vectors are gone; that something was said there stays."""
    import numpy as np

    gone = sorted(ids)
    with ArchiveStore(path, write=True) as archive, archive.transaction() as engine:
        engine.remove_words(gone)
        engine.execute(f"update messages set text = '' where id in ({listed(gone)})")
        engine.renew_words(gone)
        for id, messages, scales in archive.rows("select id, messages, scales from vectors"):
            kept = np.where(np.isin(np.frombuffer(messages, "<i8"), gone), 0, np.frombuffer(scales, "<f4"))
            engine.execute("update vectors set scales = :kept where id = :id", kept=kept.astype("<f4").tobytes(), id=id)


def shorter(text: str, chance: random.Random) -> str:
    kept = [word for word in text.split() if chance.random() < 0.5]
    return " ".join(kept if len(kept) >= 3 else text.split()[:3])


Asked = list[tuple[Question, str]]


class Ways(NamedTuple):
    """Two archives, each with what it is asked."""

    withheld: tuple[ArchiveStore, Asked]
    half: tuple[ArchiveStore, Asked]


def ways(whole: Path, folder: Path, asked: Sequence[Question]) -> Ways:
    without, chance = folder / "withheld.db", random.Random(1)
    shutil.copy(whole, without)
    archive = ArchiveStore(whole)
    take_out(without, withheld(archive, asked))
    halves = [(each, shorter(each.text, chance)) for each in asked]
    return Ways((ArchiveStore(without), [(each, each.text) for each in asked]), (archive, halves))


def talks_of(archive: ArchiveStore, ids: frozenset[int]) -> set[int]:
    return {
        talk
        for (talk,) in archive.rows(f"select conversation_id from messages where id in ({','.join(map(str, ids))})")
    }


def part(whole: str | Path, place: Path, first: int, last: int) -> ArchiveStore:
    """An archive of some consecutive messages of another, numbered from 1."""
    with ArchiveStore(whole) as source:
        known = Vectors.of(source)
    ArchiveStore(place, create=True).close()
    made = sqlite3.connect(place)
    made.execute("attach ? as whole", (str(whole),))
    inside = f"between {first} and {last}"
    made.executescript(
        f"""
        insert into networks select * from whole.networks;
        insert into channels select * from whole.channels;
        insert into days select * from whole.days;
        insert into sources select * from whole.sources;
        insert into conversations select * from whole.conversations;
        insert into messages (id, channel_id, day_id, ordinal, platform_id, time, clock, author, text, kind, relay,
            is_deleted, conversation_id)
            select id - {first - 1}, channel_id, day_id, ordinal, platform_id, time, clock, author,
            text, kind, relay, is_deleted, conversation_id from whole.messages where id {inside};
        insert into replies select message_id - {first - 1}, parent_id - {first - 1}, source_id, probability
            from whole.replies where message_id {inside} and parent_id {inside};
        """
    )
    taken = (known.ids >= first) & (known.ids <= last)
    ids, scales, numbers = (known.ids[taken] - (first - 1)).astype("<i8"), known.scales[taken], known.numbers[taken]
    block = (last - first + 1, ids.tobytes(), scales.tobytes(), numbers.tobytes())
    made.execute("insert into vectors values (1, ?, ?, ?, ?)", block)
    made.commit()
    made.close()
    with ArchiveStore(place, write=True) as archive, archive.transaction() as engine:
        engine.add_words(0)
    return ArchiveStore(place)


def inside(asked: Asked, first: int, last: int) -> Asked:
    """The questions that were asked and answered among these messages, with the numbers they have in such a part."""
    return [
        (each._replace(id=each.id - first + 1, answers=frozenset(id - first + 1 for id in each.answers)), text)
        for each, text in asked
        if all(first <= id <= last for id in (each.id, *each.answers))
    ]
