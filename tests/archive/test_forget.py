"""Forgetting a person: nothing of them is left in rows and files, and what others said stays whole."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from hubbub.archive import schema
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.conversation_lookup import find_conversation
from hubbub.archive.housekeeping import check
from hubbub.archive.privacy.byte_scan import NameNeedles, TextNeedles, fragments_of
from hubbub.archive.privacy.erasure import PostgresqlErasure
from hubbub.archive.privacy.forget import forget, plan_forgetting
from hubbub.archive.search import search
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import Vectors, add_vectors
from hubbub.chat import Message
from hubbub.errors import UnknownPerson

from ..conftest import Run
from .conftest import Home, Server
from .test_ask import numbered
from .test_store import START

NEEDLES = (
    "quillfeather",
    "quill_away",
    "quillpuppet",
    "lavender harmonium",
    "marzipan lighthouse",
    "obsidian teaspoon",
)
SAID: tuple[tuple[str, str, int], ...] = (  # author, text, how many messages back it replies
    ("Quillfeather", "my lavender harmonium plays only the lowest octave", 0),
    ("bo", "Quillfeather: oil the bellows first", 1),
    ("lou", "or ask quillfeather's teacher at quillfeather@example.org", 2),
    ("Quillfeather", "the marzipan lighthouse is the name of my shop", 2),
    ("bo", "> the marzipan lighthouse is the name\nnice name!", 1),
    ("lou", "<Quillfeather> the marzipan lighthouse is the name of my shop", 2),
    ("sol", "which bread keeps fresh for a week in summer?", 0),
    ("Quill_away", "sol: rye does, as I said to obsidian teaspoon makers", 1),
    ("sol", "quill_away said: rye does, so I bought some rye", 1),
    ("mika", "malice and feathers are other words", 0),
)


def log(*extra: tuple[str, str, int]) -> list[ThreadedMessage]:
    said = [
        ThreadedMessage(Message(str(i), START + timedelta(minutes=i), who, text), (back,), (0.9,))
        for i, (who, text, back) in enumerate((*SAID, *extra))
    ]
    when = START + timedelta(minutes=6, seconds=30)
    text = "Quillfeather is now known as Quill_away"
    rename = ThreadedMessage(Message("r", when, "Quillfeather", text, "system"), (0,), (1.0,))
    said.insert(7, rename)
    said[8] = said[8]._replace(back=(2,))  # the line of the rename is between the two
    return said


def planted(place: str | Path) -> ArchiveStore:
    """An archive with a person in every kind of row."""
    archive = ArchiveStore(place, create=True)
    list(add(archive, "porch", "irssi", log()))
    ((own,),) = archive.rows("select id from messages where text like 'my lavender%'")
    ((other,),) = archive.rows("select id from messages where text like 'which bread%'")
    with archive.transaction():
        archive.insert(schema.versions, [(own, 1, "my lavender harmonium and an obsidian teaspoon", "edit", "")])
        archive.insert(schema.versions, [(other, 1, "quillfeather, which bread keeps fresh?", "edit", "")])
        archive.insert(schema.attachments, [(own, 1, "lavender.png"), (other, 1, "quillfeather-bread.png")])
        archive.insert(schema.identities, [(900, _person(archive), 1, "puppet", "QuillPuppet")])
        archive.engine.execute(f"update messages set relay = 'QuillPuppet' where id = {other}")
        archive.insert(schema.intents, [(own, "repair", 0.5, 1)])
        archive.insert(schema.mentions, [(other, 0, 5, 1, _person(archive), 0.9, 1)])
    list(add_vectors(archive, numbered))
    return archive


def _person(archive: ArchiveStore) -> int:
    return archive.number("select person_id from identities where name = 'Quillfeather'")


def rows_as_text(archive: ArchiveStore) -> str:
    return "\n".join(str(tuple(row)) for table in schema.metadata.sorted_tables
                     for row in archive.rows(f"select * from {table.name}")).lower()  # fmt: skip


def test_nothing_of_a_person_is_left(home: Home) -> None:
    with planted(home / "a.db") as archive:
        before = rows_as_text(archive)
        assert all(needle in before for needle in NEEDLES)
        vectors = len(Vectors.of(archive))
        report = forget(archive, "quillfeather")
        assert report.is_clean, report.described()
        assert (report.messages, set(report.names)) == (4, {"Quillfeather", "Quill_away", "QuillPuppet"})
        assert report.scanned
        assert report.unscanned_names == ()
        assert sum(size for _, size in report.scanned) > 10_000
        after = rows_as_text(archive)
        assert not [needle for needle in NEEDLES if needle in after]
        assert not search(archive, "harmonium")
        assert not search(archive, "quillfeather")
        assert len(Vectors.of(archive)) < vectors
        assert check(archive) == []


def test_files_have_no_needle(tmp_path: Path) -> None:
    with planted(tmp_path / "a.db") as archive:
        forget(archive, "quillfeather")
        raw = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
        assert not [needle for needle in NEEDLES if needle.encode() in raw]


def test_what_others_said_stays_in_its_conversations(home: Home) -> None:
    with planted(home / "a.db") as archive:
        ids = dict(archive.rows("select m.text, t.public_id from messages m"
                                " join conversations t on t.id = m.conversation_id"))  # fmt: skip
        forget(archive, "Quill_away")
        shop = find_conversation(archive, ids["my lavender harmonium plays only the lowest octave"])
        assert [each.message.text for each in shop.messages] == [
            "[someone]: oil the bellows first",
            "or ask [someone]'s teacher at [someone]",
            "> [quote removed]\nnice name!",
            "<[someone]> [quote removed]",
        ]
        assert shop.messages[0].conversation_id == ids[SAID[0][1]]
        bread = find_conversation(archive, ids[SAID[6][1]])
        assert [each.message.text for each in bread.messages] == [SAID[6][1], "[someone] said: [quote removed]"]
        assert archive.rows("select text from versions") == [("[someone], which bread keeps fresh?",)]
        assert archive.rows("select name from attachments") == [("[someone]-bread.png",)]
        assert search(archive, "octave") == []
        assert search(archive, "rye bread summer")[0].found[0].message.text == SAID[6][1]
        list(add_vectors(archive, numbered))
        assert archive.number("select count(*) from edited") == 0


def test_a_forgotten_person_stays_out(home: Home) -> None:
    with planted(home / "a.db") as archive:
        forget(archive, "quillfeather")
        before = archive.rows("select id, author, text, conversation_id from messages order by id")
        assert list(add(archive, "porch", "irssi", log())) == [(11, 0)]
        assert archive.rows("select id, author, text, conversation_id from messages order by id") == before
        assert archive.number("select count(*) from versions") == 1
        more = [
            ("quillfeather", "a new text about the lavender harmonium", 0),
            ("sol", "quillfeather: welcome back to the porch", 1),
        ]
        counted = Counter[str]()
        list(add(archive, "porch", "irssi", log(*more), left_out=counted))
        assert counted["forgotten"] == 5
        assert archive.rows("select text from messages where text like '%welcome back%'") == [
            ("[someone]: welcome back to the porch",)
        ]
        assert check(archive) == []
        assert forget(archive, "quillfeather").is_clean  # again, as after an interruption


def test_a_renamed_person_stays_out_under_the_new_name(home: Home) -> None:
    with planted(home / "a.db") as archive:
        forget(archive, "quillfeather")
        rename = Message(
            "x", START + timedelta(days=1), "quillfeather", "quillfeather is now known as penwing", "system"
        )
        text = Message("y", START + timedelta(days=1), "penwing", "here I am again with another name")
        said = [ThreadedMessage(each, (0,), (1.0,)) for each in (rename, text)]
        assert list(add(archive, "porch", "irssi", said)) == [(2, 0)]
        assert list(add(archive, "porch", "irssi", said[1:])) == [(1, 0)]


WORDS = (
    ("will", "i can lend you a ladder for the roof", 0),
    ("bo", "will: thanks, I will take it", 1),
    ("lou", "it will rain, ask Will about the tent", 2),
    ("lou", "the will of my uncle names no ladder", 0),
)


def test_a_name_that_is_a_word_does_not_destroy_texts(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        said = [
            ThreadedMessage(Message(str(i), START, who, text), (back,), (1.0,))
            for i, (who, text, back) in enumerate(WORDS)
        ]
        list(add(archive, "porch", "irssi", said))
        report = forget(archive, "will")
        assert [text for (text,) in archive.rows("select text from messages order by id")] == [
            "[someone]: thanks, I will take it",
            "it will rain, ask [someone] about the tent",
            "the will of my uncle names no ladder",
        ]
        assert [place.name for place in report.left] == ["will", "will", "will"]
        assert report.unscanned_names == ("will",)
        assert report.is_clean
        forget(archive, "will", all_places=True)
        assert archive.number("select count(*) from messages where text like '%will%'") == 0


def test_the_plan_shows_names_and_changes_nothing(home: Home) -> None:
    with planted(home / "a.db") as archive:
        extra = [("quillfeather2", "am I somebody else? quillfeather2|away too", 0)]
        list(add(archive, "garden", "irssi", log(*extra)[-1:]))
        before = rows_as_text(archive)
        plan = plan_forgetting(archive, "QUILLFEATHER")
        assert (len(plan.messages), plan.similar) == (4, ("quillfeather2",))
        assert rows_as_text(archive) == before
        only = plan_forgetting(archive, "quillfeather", only_this_name=True)
        assert (only.names, len(only.messages)) == (("Quillfeather",), 3)
        with pytest.raises(UnknownPerson, match="near it: Quillfeather"):
            forget(archive, "quilfeather")


def test_one_name_of_several_is_forgotten(home: Home) -> None:
    with planted(home / "a.db") as archive:
        assert forget(archive, "Quillfeather", only_this_name=True).is_clean
        assert archive.rows("select author from messages where author = 'Quill_away'")
        names = archive.rows("select p.name from people p join identities i on i.person_id = p.id where i.id = 900")
        assert names[0][0] in ("QuillPuppet", "Quill_away")
        assert check(archive) == []


def test_a_channel_named_after_a_person_is_renamed_and_stays_out(home: Home) -> None:
    with planted(home / "a.db") as archive:
        list(add(archive, "quillfeather", "irssi", log()[:3]))
        list(add(archive, "#quillfeather-fans", "irssi", log()[:3]))
        assert forget(archive, "quillfeather").is_clean
        assert sorted(archive.channel_names()) == ["#[someone]-fans", "[someone] 2", "porch"]
        assert list(add(archive, "#Quillfeather-fans", "irssi", log()[:3])) == [(3, 0)]
        assert list(add(archive, "Quillfeather", "irssi", log()[:3])) == [(3, 0)]


def test_texts_that_others_said_before_stay(home: Home) -> None:
    text = "how do I mount a usb stick at startup?"
    with ArchiveStore(home / "a.db", create=True) as archive:
        said = [
            ThreadedMessage(Message(str(i), START, who, text), (0,), (1.0,)) for i, who in enumerate(("bo", "tansy"))
        ]
        list(add(archive, "porch", "irssi", said))
        report = forget(archive, "tansy")
        assert (report.is_clean, report.shared_texts) == (True, 1)
        assert archive.rows("select author, text from messages") == [("bo", text)]


def test_a_user_who_may_not_read_files_gets_a_scan_of_rows(postgresql_port: int) -> None:
    server = Server(postgresql_port)
    place = str(server / "limited.db")
    with planted(place) as archive:
        archive.engine.execute("drop role if exists tenant")
        archive.engine.execute("create role tenant login")
        archive.engine.execute("grant all on schema public to tenant")
        for (name,) in archive.rows("select tablename from pg_tables where schemaname = 'public'"):
            archive.engine.execute(f"alter table {name} owner to tenant")
    with ArchiveStore(place.replace("postgres@", "tenant@"), write=True) as archive:
        assert isinstance(archive.engine.erasure(), PostgresqlErasure)
        report = forget(archive, "quillfeather")
        assert report.scanned == ()
        assert report.leftovers == ()
        assert "may not read" in report.not_scanned[0]
        assert any("may not rewrite" in each for each in report.not_erased)


def test_the_command_asks_first(home: Home, run: Run) -> None:
    place = str(home / "a.db")
    planted(place).close()
    asked = run("archive", "forget", "quillfeather", "--in", place)
    assert asked.status == 2
    assert "not a terminal: add --yes to confirm" in asked.err
    assert "messages to be removed: 4\n  porch: 4\n" in asked.out
    done = run("archive", "forget", "quillfeather", "--yes", "--list-places", "--in", place)
    assert (done.status, "no name and no text of the person was found" in done.out) == (0, True), done.out + done.err
    assert "not scanned: " in done.out
    assert "names that were forgotten: 3" in run("archive", "info", "--in", place).out
    assert run("archive", "forget", "nobody", "--yes", "--in", place).status == 2


def test_the_answer_decides(home: Home) -> None:
    place = str(home / "a.db")
    planted(place).close()
    for answer, left in (("n", 11), ("y", 7)):
        main, side = pty.openpty()
        with os.fdopen(main, "wb", buffering=0) as keyboard:
            words = [sys.executable, "-m", "hubbub", "archive", "forget", "quillfeather", "--in", place]
            started = subprocess.Popen(words, stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            keyboard.write(f"{answer}\n".encode())
            _, told = started.communicate(timeout=120)
            os.close(side)
        assert b"Remove all of this" in told
        assert started.returncode == 0
        with ArchiveStore(place) as archive:
            assert archive.contents().messages == left


def test_a_short_name_or_a_part_of_words_is_searched_for_in_rows_only(home: Home) -> None:
    said = [("meet", "i bring the tent and the ropes"), ("TheLordOfTime", "etc."), ("bo", "the quillwortish plants")]
    said += [("quillwort", "rushes grow beside the lake")]
    with ArchiveStore(home / "a.db", create=True) as archive:
        messages = (ThreadedMessage(Message(who, START, who, text), (0,), ()) for who, text in said)
        list(add(archive, "porch", "irssi", messages))
        assert forget(archive, "meet").unscanned_names == ("meet",)
        report = forget(archive, "quillwort")
        assert (report.unscanned_names, report.is_clean) == (("quillwort",), True)


def test_needles_are_found_in_bytes() -> None:
    text = "the marzipan lighthouse is the name of my shop, as everybody in town knows"
    data = b"\x00" * 5 + text.encode() + b"\x07QuillFeather\xff"
    assert {offset for _, offset in TextNeedles(fragments_of(text)).find(data)} == {5, 18, 31}
    assert list(NameNeedles(["quillfeather"]).find(data)) == [(b"QuillFeather", data.index(b"Quill"))]
    assert not list(TextNeedles(fragments_of(text)).find(data.replace(b"shop", b"home").replace(b"marzipan", b"--")))
