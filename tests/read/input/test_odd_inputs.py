"""Files that look like chats and are none, and what users do with files that are."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

import hubbub
from hubbub.errors import Broken, NotText
from hubbub.read import stream

from ...conftest import Put, Run

LOG = "--- Log opened Mon Mar 03 21:47:52 2025\n21:48 <ann> hello\n21:49 <bob> hi ann\n"


def test_a_database_is_no_chat_whatever_its_text_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table messages (text text)")
        database.executemany(
            "insert into messages values (?)", [(f"\n21:4{n % 10} <ann> hello {n}\n",) for n in range(900)]
        )
    with pytest.raises(NotText, match="is a database"):
        hubbub.read(path)


def test_times_that_are_not_understood_are_named(run: Run, put: Put) -> None:
    ran = run("read", put("chat.csv", "time,author,text\nyesterday,ann,hello\n2025-03-04 10:00,bob,hi\nsoon,ann,bye\n"))
    assert ran.status == 0
    assert "note: 2 lines or records, the time is not understood (" in ran.err
    assert "chat.csv:2" in ran.err


def test_a_file_that_is_named_twice_is_read_once(run: Run, put: Put) -> None:
    path = put("tea.log", LOG)
    ran = run("read", path, path)
    assert (ran.status, len(ran.records())) == (0, 1 + 3)
    assert "named twice, and read once" in ran.err


def test_a_named_format_holds_for_the_files_of_a_folder(put: Put) -> None:
    path = put("export/Anna/chat.md", "[2025-03-04 10:00:00] Me: hello  \n[2025-03-04 10:01:00] Anna: hi  \n")
    assert [chat.format for chat in stream(path.parents[1], format="signal")] == ["signal"]


def test_json_that_is_cut_off_says_where(put: Put) -> None:
    with pytest.raises(Broken, match="it begins as JSON, but is none"):
        hubbub.read(put("broken.json", '{"colour": "red", "list": [1, 2'))


def test_what_was_read_in_part_is_not_called_unread(run: Run, put: Put) -> None:
    record = '{"id": "1", "timestamp": "2025-03-04T10:00:00+00:00", "content": "hi", "author": {"name": "ann"}}'
    export = '{"guild": {"name": "G"}, "channel": {"name": "c"}, "messages": [' + f"{record}, {record}"
    ran = run("read", put("cut.json", export))
    assert (ran.status, len(ran.records())) == (3, 1 + 2)
    assert "could not be read to its end: " in ran.err


def test_html_that_is_pasted_into_a_log_belongs_to_the_message_above(put: Put) -> None:
    stamped = [f"[10:{n:02}:00] <anna> line {n}" for n in range(40)]
    page = ["<html>", "<body> hello world", "<p> text", "</body>"]
    chat = hubbub.read(put("tea.log", "\n".join([*stamped, *page, *stamped]) + "\n"))
    assert chat.authors() == ("anna",)
    assert chat[39].text == "\n".join(["line 39", *page])
    assert len(chat) == 80


def test_a_part_without_stamps_is_a_log_of_its_own(put: Put) -> None:
    stamped = [f"[10:{n:02}:00] <anna> line {n}" for n in range(40)]
    chat = hubbub.read(put("tea.log", "\n".join([*stamped, *["<bert> hi", "<carl> hello"] * 40]) + "\n"))
    assert len(chat) == 120


def test_a_pipe_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    lines = "".join(f"[10:00:{n % 60:02}] <ann> number {n}\n" for n in range(20_000))
    with subprocess.Popen([sys.executable, "-m", "hubbub", "read", str(path)], stdout=subprocess.PIPE) as reader:
        path.write_text(lines, encoding="utf-8")
        out, _ = reader.communicate(timeout=100)
    assert (reader.returncode, out.count(b"\n")) == (0, 20_001)


def test_a_second_member_of_one_name_is_said(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("#tea.log", LOG)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("#tea.log", LOG)
    ran = run("read", tmp_path / "two.zip")
    assert ran.status == 3
    assert "another file of the same name follows" in ran.err


def test_a_name_that_is_no_utf8_is_an_error_of_that_archive(run: Run, put: Put, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("\xe9ab.log", LOG)
    raw = (tmp_path / "bad.zip").read_bytes().replace("\xe9ab.log".encode(), b"\xff\xfeab.log")
    (tmp_path / "bad.zip").write_bytes(raw)
    ran = run("read", put("tea.log", LOG), tmp_path / "bad.zip")
    assert (ran.status, len(ran.records())) == (3, 4)
    assert "bad.zip" in ran.err


def test_ids_stay_what_answers_point_at(put: Put) -> None:
    rows = [f'{{"id": "{n}", "author": "ann", "text": "number {n}"}}' for n in range(1, 21)]
    rows += [
        '{"id": "20", "author": "bo", "text": "again"}',
        '{"author": "cy", "text": "none", "reply_to": ["3", null]}',
    ]
    chat = hubbub.read(put("chat.jsonl", "\n".join(rows) + "\n"))
    assert [message.id for message in chat[-3:]] == ["20", "20~2", "#21"]
    assert chat[-1].reply_to == ("3",)
    assert len({message.id for message in chat}) == 22


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_utf16_with_and_without_a_mark(put: Put, encoding: str) -> None:
    text = "".join(f"10:0{n} < anna> \u043f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440\n" for n in range(6))
    chat = hubbub.read(put("x.log", text.encode(encoding)))
    assert [message.text for message in chat] == ["\u043f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440"] * 6


def test_a_path_that_is_missing_does_not_stop_the_others(run: Run, put: Put, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    ran = run("read", put("tea.log", LOG), tmp_path / "none.log", tmp_path / "loop")
    assert (ran.status, len(ran.records())) == (3, 4)
    assert "none.log" in ran.err
    assert "loop" in ran.err


def test_a_return_inside_a_line_is_removed_whatever_else_is_there(put: Put) -> None:
    lines = "10:00 < anna> a\rb\n10:01 < bert> hi{}\n10:02 < anna> yo\n"
    found = [hubbub.read(put(f"{n}.log", lines.format(odd)))[0].text for n, odd in enumerate(("", "\x01"))]
    assert found[0] == found[1]
