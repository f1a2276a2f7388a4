"""slackdump: its folders and its database, which nobody has to trust."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, HubbubError, WrongFormat
from hubbub.read import stream

from ...accounting import account
from ...golden import SAMPLES
from ...reading import read_place, save

DATABASE = SAMPLES / "slack" / "pier.sqlite"
FOLDER = SAMPLES / "slack" / "dump"
ARCHIVE = SAMPLES / "slack" / "archive"


def copied(folder: Path, *statements: str) -> Path:
    """The sample database, changed by these statements."""
    path = folder / "slackdump.sqlite"
    shutil.copyfile(DATABASE, path)
    with closing(sqlite3.connect(path)) as base:
        for statement in statements:
            base.execute(statement)
        base.commit()
    return path


@pytest.mark.parametrize("place", [DATABASE, FOLDER, ARCHIVE, ARCHIVE / "C0REEF001.json.gz"])
def test_everything_is_accounted_for(place: Path) -> None:
    _, report = account(place)
    assert not report.unexplained


def test_the_last_copy_of_a_message_counts_and_the_others_are_named(tmp_path: Path) -> None:
    chats, report = read_place(copied(tmp_path))
    assert [[message.text for message in chat] for chat in chats][1] == ["coffee at ten"]
    assert report.skipped["an earlier copy of a message"] == 2


def test_a_dump_is_claimed_with_its_attachments_and_its_thread_files(tmp_path: Path) -> None:
    save(tmp_path / "C0TEA0001.json", {"channel_id": "C0TEA0001", "name": "tea", "messages": [said("1700000000.1")]})
    thread = {
        "channel_id": "C0TEA0001",
        "thread_ts": "1700000000.1",
        "messages": [said("1700000000.1"), said("1700000009.1")],
    }
    save(tmp_path / "C0TEA0001-1700000000.1.json", thread)
    (tmp_path / "C0TEA0001").mkdir()
    (tmp_path / "C0TEA0001" / "F1-cup.png").write_bytes(b"\x89PNG")
    (only,), report = read_place(tmp_path)
    assert (only.name, len(only)) == ("#tea", 2)
    assert report.skipped == {"a message that is in the input twice": 1, "a file beside the messages": 1}


def test_a_folder_with_other_chats_beside_a_dump_is_not_taken_as_one(tmp_path: Path) -> None:
    save(tmp_path / "C0TEA0001.json", {"channel_id": "C0TEA0001", "name": "tea", "messages": [said("1700000000.1")]})
    (tmp_path / "irc.log").write_text("[10:00] <ann> hi\n[10:01] <bob> yes\n")
    assert sorted(one.format for one in stream(tmp_path)) == ["slack", "ubuntu"]


def test_the_identity_is_the_workspace_and_the_channel(tmp_path: Path) -> None:
    from hubbub.read.format import Options
    from hubbub.read.formats import format_named
    from hubbub.read.input.source import file_source

    found = list(format_named("slackdump").read(file_source(DATABASE), Options()))
    assert [one.identity for one in found] == ["T0HARBOUR/C0PIER001", "T0HARBOUR/D0YARA001"]


def test_names_of_an_archive_are_those_of_its_lists_whatever_their_order(tmp_path: Path) -> None:
    for file in ARCHIVE.glob("*.gz"):
        shutil.copyfile(file, tmp_path / file.name)
    chats, _ = read_place(tmp_path)
    assert {chat.name: {message.author for message in chat} for chat in chats} == {
        "#reef": {"Tomas", "Yara"},
        "Tomas": {"Tomas"},
    }


def test_a_line_of_an_archive_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "C0REEF001.json.gz"
    lines = gzip.decompress((ARCHIVE / path.name).read_bytes()).splitlines()
    path.write_bytes(gzip.compress(b"\n".join([*lines[:3], b"{oops", b"[]", *lines[3:]])))
    count, report = account(path)
    assert (count, report.unexplained) == (3, {"no record of slackdump": 2})


def test_a_database_whose_errors_are_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "slackdump.sqlite"
    raw = DATABASE.read_bytes()
    path.write_bytes(raw.replace(b"CREATE TABLE", b"CREATE \xce\xceBLE"))
    with pytest.raises(HubbubError):
        read_place(path, "slack")


def test_a_packed_database_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "slackdump.sqlite.gz"
    path.write_bytes(gzip.compress(DATABASE.read_bytes()))
    assert [list(chat) for chat in read_place(path)[0]] == [list(chat) for chat in read_place(DATABASE)[0]]


def test_what_waits_in_the_log_of_the_database_is_read_and_nothing_is_written(tmp_path: Path) -> None:
    path = copied(tmp_path, "PRAGMA journal_mode = WAL")
    record = json.dumps(said("1709299999.000100", text="late"))
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA wal_autocheckpoint = 0")
        base.execute(
            "INSERT INTO MESSAGE VALUES (1, 1, 'C0PIER001', '1709299999.000100', NULL, NULL, 0, 0, '', ?)", (record,)
        )
        base.commit()
        kept = tmp_path / "kept"
        kept.mkdir()
        for file in ("slackdump.sqlite", "slackdump.sqlite-wal"):
            shutil.copyfile(tmp_path / file, kept / file)
    chats, _ = read_place(kept / "slackdump.sqlite")
    assert "late" in [message.text for message in chats[0]]
    assert sorted(file.name for file in kept.iterdir()) == ["slackdump.sqlite", "slackdump.sqlite-wal"]


def test_a_row_that_is_no_json_is_named_with_its_number(tmp_path: Path) -> None:
    path = copied(tmp_path, "UPDATE MESSAGE SET DATA = '{oops' WHERE TS = '1709291000.000200'")
    _, report = account(path)
    assert report.unexplained.total() == 1


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE MESSAGE",),
        ("ALTER TABLE MESSAGE RENAME TO OTHER", "CREATE VIEW MESSAGE AS SELECT * FROM OTHER"),
        ("DROP TABLE CHANNEL", "CREATE VIRTUAL TABLE CHANNEL USING fts5(ID, CHUNK_ID, IDX, DATA)"),
    ],
)
def test_a_database_whose_tables_are_not_plain_is_refused(tmp_path: Path, statements: tuple[str, ...]) -> None:
    with pytest.raises(WrongFormat, match=r"has no table (MESSAGE|CHANNEL)"):
        read_place(copied(tmp_path, *statements), "slack")


def test_a_table_without_its_columns_is_said(tmp_path: Path) -> None:
    with pytest.raises(Broken, match="SQLite says: no such column"):
        read_place(copied(tmp_path, "ALTER TABLE MESSAGE DROP COLUMN DATA"), "slack")


def test_a_database_cut_short_is_said(tmp_path: Path) -> None:
    path = tmp_path / "slackdump.sqlite"
    path.write_bytes(DATABASE.read_bytes()[:9000])
    with pytest.raises(HubbubError):
        read_place(path)


def test_another_database_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE notes (text TEXT)")
        base.commit()
    with pytest.raises(HubbubError, match="is a database of no format"):
        read_place(path)


def said(ts: str, text: str = "hi") -> dict[str, Any]:
    return {"type": "message", "user": "U0ANA0001", "text": text, "ts": ts}
