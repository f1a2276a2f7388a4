"""Zoom: the styles of its saved chats, replies, direct messages, times."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.errors import WrongFormat
from hubbub.read import read, stream

from ...reading import read_all, read_one, said


@pytest.mark.parametrize(
    ("text", "author", "shown"),
    [
        ("16:03:22 From Ana to Everyone:\n\thi\n", "Ana", "hi"),
        ("16:03:22 From  Ana  to  Everyone:\n\thi\n", "Ana", "hi"),
        ("16:03:22 From Way to Go To Everyone:\n    hi\n", "Way to Go", "hi"),
        ("16:03:22\t From  Ana : hi\n", "Ana", "hi"),
        ("16:03:22\t From Paul O'N - Ohio, USA : a : b\n", "Paul O'N - Ohio, USA", "a : b"),
        ("16:03:22 開始 武井 優弥 終了 皆様 : 数学\n", "武井 優弥", "数学"),
        ("16:03:22 Von Ana an Alle:\n\thi\n", "Ana", "hi"),
        ("16:03:22 Xyz  Ana  abc  Omnes:\n\thi\n", "Ana", "hi"),
        ("00:03:22\tAna:\thi\n", "Ana", "hi"),
    ],
)
def test_every_style_is_recognised_and_read(tmp_path: Path, text: str, author: str, shown: str) -> None:
    path = tmp_path / "meeting_saved_chat.txt"
    path.write_text(text, encoding="utf-8")
    (one,) = stream(path)
    assert one.format == "zoom"
    assert said(list(one)) == [(author, shown)]


def test_a_heading_within_a_text_that_stands_below_is_text() -> None:
    text = "16:03:22 From Ana to Everyone:\n\t16:00:00 From Ben to Everyone:\n\t\tindented\n\n"
    assert said(read_one("zoom", text)) == [("Ana", "16:00:00 From Ben to Everyone:\n\tindented")]


def test_a_quote_of_an_earlier_message_is_a_reply_whatever_the_language() -> None:
    text = (
        "16:03:22 From Ana to Everyone:\n\tWhen does the ferry leave today?\n"
        '16:03:30 From Ben to Everyone:\n\tRespondiendo a "When does the ferry ..."\n\t\n\tat six\n'
        '16:03:40 From Ben to Everyone:\n\tReplying to "something else entirely"\n\t\n\tno\n'
    )
    _, answer, other = read_one("zoom", text)
    assert (answer.text, answer.reply_to) == ("at six", ("0",))
    assert (other.text, other.reply_to) == ('Replying to "something else entirely"\n\nno', ())


def test_a_message_to_somebody_who_writes_too_is_marked() -> None:
    text = "16:03:22 From Ana to Ben:\n\tpsst\n16:03:30 From Ben to Hosts and panelists:\n\thello\n"
    assert [message.text for message in read_one("zoom", text)] == ["[to: Ben] psst", "hello"]


def test_every_line_is_accounted_for() -> None:
    found, report = read_all(
        "zoom", "\nstray\n16:03:22 From Ana to Everyone:\n\thi\n\n16:04:00 From Ben to Everyone:\n"
    )
    assert report.total == 6
    assert report.unaccounted(sum(map(len, found.values()))) == 0
    assert (report.continued, report.unexplained.total()) == (2, 1)


def test_a_folder_names_the_meeting_and_the_day(tmp_path: Path) -> None:
    folder = tmp_path / "2024-05-06 09.00.00 Weekly tea 91234567890"
    folder.mkdir()
    (folder / "meeting_saved_chat.txt").write_text(
        "23:59:00 From Ana to Everyone:\n\ta\n00:01:00 From Ana to Everyone:\n\tb\n"
    )
    (one,) = stream(folder / "meeting_saved_chat.txt")
    assert one.name == "Weekly tea"
    assert [str(message.time) for message in one] == ["2024-05-06 23:59:00", "2024-05-07 00:01:00"]


def test_an_offset_is_no_time_unless_the_file_tells_when_the_recording_began(tmp_path: Path) -> None:
    [message] = read_one("zoom", "00:03:22\tAna:\thi\n")
    assert (message.time, message.clock) == (None, None)


def test_a_meeting_transcript_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("[00:00:01] Ana: hello\n[00:00:04] Ben: hi\n[00:00:09] Ana: bye\n")
    assert read(path).format == "transcript"


def test_another_text_is_the_wrong_format() -> None:
    with pytest.raises(WrongFormat):
        read_one("zoom", "just a text\n")
