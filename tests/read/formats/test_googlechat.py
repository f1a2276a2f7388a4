"""Google Chat: times in words, topics and quotes as replies, wrong data."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, WrongFormat
from hubbub.read import stream
from hubbub.read.formats.googlechat.times import read_time

from ...reading import read_all, read_document, read_place, save

WHEN = datetime(2025, 3, 4, 21, 1, 5, tzinfo=UTC)


def record(text: str, id: str = "g/t/t", **more: Any) -> dict[str, Any]:
    date = "Tuesday, March 4, 2025 at 9:01:05 PM UTC"
    topic = id.split("/")[1]
    return {"creator": {"name": "Ana"}, "created_date": date, "text": text, "topic_id": topic, "message_id": id, **more}


@pytest.mark.parametrize(
    "text",
    [
        "Tuesday, March 4, 2025 at 9:01:05 PM UTC",
        "Tuesday, March 4, 2025 at 9:01:05\u202fPM UTC",
        "Tuesday, 4 March 2025 at 21:01:05 UTC",
        "Dienstag, 4. März 2025 um 21:01:05 UTC",
        "mardi 4 mars 2025 à 21:01:05 UTC",
        "martes, 4 de marzo de 2025, 21:01:05 UTC",
        "terça-feira, 4 de março de 2025 às 21:01:05 UTC",
        "martedì 4 marzo 2025 alle ore 21:01:05 UTC",
        "maandag 4 maart 2025 om 21:01:05 UTC",
        "вторник, 4 марта 2025 г. в 21:01:05 UTC",
        "2025年3月4日火曜日 21時01分05秒 UTC",
        "2025年3月4日星期二 UTC 下午9:01:05",
        "2025년 3월 4일 화요일 오후 9시 1분 5초 UTC",
        "2025-03-04T21:01:05Z",
    ],
)
def test_a_time_is_understood_in_many_languages(text: str) -> None:
    assert read_time(text, None) == WHEN


@pytest.mark.parametrize("text", ["", "yesterday", "March 4, 2025", "Tuesday, March 44, 2025 at 9:01:05 PM UTC"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert read_time(text, None) is None


def test_messages_of_a_topic_answer_the_one_that_began_it(tmp_path: Path) -> None:
    records = [record("a", "g/t/t"), record("b", "g/t/2"), record("c", "g/u/3"), record("d", "g/u/4")]
    found = read_document(tmp_path, {"messages": records}, "googlechat")
    assert [message.reply_to for message in found] == [(), ("g/t/t",), (), ("g/u/3",)]


def test_a_quote_is_a_reply(tmp_path: Path) -> None:
    quoting = record("yes", "g/v/v", quoted_message_metadata={"creator": {"name": "Ana"}, "text": "tea?"})
    found = read_document(tmp_path, {"messages": [record("tea?"), quoting]}, "googlechat")
    assert found[1].reply_to == ("g/t/t",)


@pytest.mark.parametrize("mark", [{"message_state": "DELETED"}, {"deletion_metadata": {"deletion_type": "CREATOR"}}])
def test_a_deleted_message_leaves_a_mark(tmp_path: Path, mark: dict[str, Any]) -> None:
    [only] = read_document(tmp_path, {"messages": [record("", **mark)]}, "googlechat")
    assert (only.kind, only.text) == ("system", "[deleted]")


def test_every_record_is_accounted_for() -> None:
    found, report = read_all("googlechat", '{"messages": [{"creator": {}, "text": "a"}, 7, {"x": 1}]}')
    assert report.unaccounted(sum(map(len, found.values()))) == 0
    assert report.unexplained.total() == 2


def test_a_chat_has_the_identity_of_its_folder(tmp_path: Path) -> None:
    save(tmp_path / "Groups" / "Space XYZ" / "messages.json", {"messages": [record("a")]})
    save(tmp_path / "Groups" / "Space XYZ" / "group_info.json", {"name": "Tea"})
    (chat,), report = read_place(tmp_path)
    assert chat.name == "Tea"
    assert report.unaccounted(len(chat)) == 0


def test_a_broken_file_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    for name in ("Space A", "Space B"):
        save(tmp_path / "Google Chat" / "Groups" / name / "messages.json", {"messages": [record("a")]})
        save(tmp_path / "Google Chat" / "Groups" / name / "group_info.json", {"name": name})
    (tmp_path / "Google Chat" / "Groups" / "Space B" / "messages.json").write_text('{"messages": [')
    (chat,), report = read_place(tmp_path)
    assert chat.name == "Space A"
    assert [each.where.endswith("Space B/messages.json") for each in report.left_out] == [True]


def test_a_folder_with_strangers_is_not_taken_as_a_whole(tmp_path: Path) -> None:
    save(tmp_path / "chats" / "Space A" / "messages.json", {"messages": [record("a")]})
    (tmp_path / "irc.log").write_text("12:00 <ana> hello\n12:01 <ben> hi\n")
    assert {one.format for one in stream(tmp_path)} == {"googlechat", "irc"}


def test_a_truncated_file_is_broken_and_another_one_of_another_format(tmp_path: Path) -> None:
    path = save(tmp_path / "messages.json", {"messages": [record("a")]})
    path.write_text(path.read_text()[:-3])
    with pytest.raises(Broken):
        read_place(path)
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "c.json", {"messages": [{"colour": "red"}]}), "googlechat")
