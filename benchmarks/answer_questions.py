"""The questions that benchmarks/answer.py asks, and the archives they are put to."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hubbub.answer.archive import Archive
from hubbub.answer.dialogues import dialogues
from hubbub.answer.vectors import Vectors
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


def questions(archive: Archive, logs: Path, first: int, last: int) -> list[Question]:
    (chat,) = [one.chat() for one in stream(sorted(logs.glob(f"*/*/{CHANNEL}.txt")))]
    days = Chat(chat.name, tuple(m for m in chat if m.time and first <= m.time.day <= last), chat.format)
    rows = archive.rows(
        "select m.time, m.author, m.text, m.id from messages m join chats c on c.id = m.chat where c.name = ?",
        (CHANNEL,),
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


def withheld(archive: Archive, asked: Sequence[Question]) -> set[int]:
    """The questions, and what their authors said in nearly the same words."""
    found: set[int] = set()
    for each in asked:
        own = set(words(each.text))
        for id, text in archive.rows("select id, text from messages where author = ?", (each.author,)):
            shared = len(own & set(words(text)))
            if id == each.id or (shared >= 4 and shared >= ALIKE * min(len(own), len(set(words(text))))):
                found.add(id)
    return found - {id for each in asked for id in each.answers}


def take_out(path: Path, ids: set[int]) -> None:
    """Their words and their vectors are gone; that something was said there stays."""
    import numpy as np

    connection = sqlite3.connect(path)
    for id in ids:
        (text,) = connection.execute("select text from messages where id = ?", (id,)).fetchone()
        connection.execute("insert into words (words, rowid, text) values ('delete', ?, ?)", (id, text))
        connection.execute("update messages set text = '' where id = ?", (id,))
    for last, messages, scales in connection.execute("select last, messages, scales from vectors").fetchall():
        kept = np.where(np.isin(np.frombuffer(messages, "<i8"), list(ids)), 0, np.frombuffer(scales, "<f4"))
        connection.execute("update vectors set scales = ? where last = ?", (kept.astype("<f4").tobytes(), last))
    connection.commit()
    connection.close()


def shorter(text: str, chance: random.Random) -> str:
    kept = [word for word in text.split() if chance.random() < 0.5]
    return " ".join(kept if len(kept) >= 3 else text.split()[:3])


Asked = list[tuple[Question, str]]


class Ways(NamedTuple):
    """Two archives, each with what it is asked."""

    withheld: tuple[Archive, Asked]
    half: tuple[Archive, Asked]


def ways(whole: Path, folder: Path, asked: Sequence[Question]) -> Ways:
    without, chance = folder / "withheld.db", random.Random(1)
    shutil.copy(whole, without)
    archive = Archive(whole)
    take_out(without, withheld(archive, asked))
    halves = [(each, shorter(each.text, chance)) for each in asked]
    return Ways((Archive(without), [(each, each.text) for each in asked]), (archive, halves))


def talks_of(archive: Archive, ids: frozenset[int]) -> set[int]:
    return {
        talk for (talk,) in archive.rows(f"select conversation from messages where id in ({','.join(map(str, ids))})")
    }


def part(whole: Path, place: Path, first: int, last: int) -> Archive:
    """An archive of some consecutive messages of another, numbered from 1."""
    with Archive(whole) as source:
        known = Vectors.of(source)
    Archive(place, create=True).close()
    made = sqlite3.connect(place)
    made.execute("attach ? as whole", (str(whole),))
    inside = f"between {first} and {last}"
    made.executescript(
        f"""
        insert into chats select * from whole.chats;
        insert into conversations select * from whole.conversations;
        insert into messages select id - {first - 1}, chat, digest, name, time, clock, author, text, kind, conversation
            from whole.messages where id {inside};
        insert into words (rowid, text) select id, text from messages;
        insert into replies select message - {first - 1}, parent - {first - 1}, score
            from whole.replies where message {inside} and parent {inside};
        """
    )
    taken = (known.ids >= first) & (known.ids <= last)
    ids, scales, numbers = (known.ids[taken] - (first - 1)).astype("<i8"), known.scales[taken], known.numbers[taken]
    block = (last - first + 1, ids.tobytes(), scales.tobytes(), numbers.tobytes())
    made.execute("insert into vectors values (?, ?, ?, ?)", block)
    made.commit()
    made.close()
    return Archive(place)


def inside(asked: Asked, first: int, last: int) -> Asked:
    """The questions that were asked and answered among these messages, with the numbers they have in such a part."""
    return [
        (each._replace(id=each.id - first + 1, answers=frozenset(id - first + 1 for id in each.answers)), text)
        for each, text in asked
        if all(first <= id <= last for id in (each.id, *each.answers))
    ]
