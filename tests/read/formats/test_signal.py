"""Signal: frames, rows, envelopes and what signal-export writes; wrong data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import WrongFormat
from hubbub.read import read, stream

from ...reading import read_all, read_one, read_place, said, save


def in_lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def item(**more: Any) -> dict[str, Any]:
    return {"chatItem": {"chatId": "1", "authorId": "2", "dateSent": "1741082400000", **more}}


FRAMES = (
    {"version": "1", "backupTimeMs": "1", "mediaRootBackupKey": "x"},
    {"recipient": {"id": "2", "contact": {"aci": "x", "e164": "4915550100"}}},
    {"chat": {"id": "1", "recipientId": "2"}},
)


@pytest.mark.parametrize(
    ("content", "kind", "text"),
    [
        ({"standardMessage": {"text": {"body": "hi"}}}, "message", "hi"),
        ({"viewOnceMessage": {}}, "message", "[view-once media]"),
        ({"poll": {"question": "Tea?", "options": [{"option": "yes"}]}}, "message", "[poll: Tea? yes]"),
        ({"contactMessage": {"contact": {"name": {"givenName": "Mia"}}}}, "message", "[contact: Mia]"),
        ({"somethingNew": {}}, "system", "+4915550100 [unsupported message]"),
        ({"updateMessage": {"simpleUpdate": {"type": "JOINED_SIGNAL"}}}, "system", "+4915550100 is on Signal"),
        (
            {"updateMessage": {"expirationTimerChange": {"expiresInMs": "604800000"}}},
            "system",
            "+4915550100 set disappearing messages to 1 week",
        ),
    ],
)
def test_every_kind_of_frame_is_told(content: dict[str, Any], kind: str, text: str) -> None:
    [only] = read_one("signal", in_lines(*FRAMES, item(**content)))
    assert (only.kind, only.text) == (kind, text)


def test_every_line_of_frames_is_accounted_for() -> None:
    found, report = read_all("signal", in_lines(*FRAMES, item(standardMessage={}), {"chatItem": {}}, 7) + "\n{\n")
    assert report.total == 8
    assert report.unaccounted(sum(map(len, found.values()))) == 0
    assert report.unexplained.total() == 3


def test_an_export_of_two_forms_is_read_once(tmp_path: Path) -> None:
    folder = tmp_path / "Aya"
    folder.mkdir()
    keys: dict[str, Any] = {"quote": "", "sticker": None, "reactions": [], "attachments": []}
    line = {"date": "2025-03-04T10:00:00", "sender": "Aya", "body": "hi  ", **keys}
    (folder / "data.json").write_text(in_lines(line, line))
    (folder / "chat.md").write_text("[2025-03-04 10:00:00] Aya: hi  \n\n")
    (chat,), report = read_place(tmp_path)
    assert (chat.name, len(chat)) == ("Aya", 2)
    assert report.unaccounted(len(chat)) == 0
    assert report.skipped["a chat that another file holds too"] == 1


def test_markdown_is_told_from_the_dates_of_a_phone(tmp_path: Path) -> None:
    path = tmp_path / "chat.md"
    path.write_text("[2019-05-29, 15:04] Me: How is everyone?  \n[2019-05-29, 15:10] Aya: We're great!  \n")
    assert read(path).format == "signal"
    path.write_text("[2019-05-29, 15:04:01] Me: How is everyone?\n[2019-05-29, 15:10:02] Aya: We're great!\n")
    assert read(path).format == "whatsapp"


def test_every_line_of_markdown_is_accounted_for() -> None:
    found, report = read_all("signal", "\nx\n[2019-05-29, 15:04] Me: a  \nb  \n\n[2019-05-29, 15:05] Me: c  \n")
    assert report.total == 6
    assert report.unaccounted(sum(map(len, found.values()))) == 0


@pytest.mark.parametrize("as_lines", [True, False])
def test_rows_with_a_column_of_json(tmp_path: Path, as_lines: bool) -> None:
    inner = json.dumps({"body": "hi", "type": "incoming", "source": "+49"})
    rows = [{"id": id, "conversationId": "c", "json": inner, "body": None, "sent_at": 1, "type": None} for id in "ab"]
    path = tmp_path / "export.json"
    path.write_text(in_lines(*rows) if as_lines else json.dumps(rows))
    (one,) = stream(path)
    assert one.format == "signal"
    assert said(list(one)) == [("+49", "hi"), ("+49", "hi")]


def test_conversations_beside_the_rows_name_people(tmp_path: Path) -> None:
    save(tmp_path / "conversations.json", [{"id": "c", "name": "Mia", "serviceId": "u"}])
    row = {"conversationId": "c", "type": "incoming", "sent_at": 1, "body": "hi", "sourceServiceId": "u"}
    (chat,), _ = read_place(save(tmp_path / "messages.json", [row]), "signal")
    assert (chat.name, chat[0].author) == ("Mia", "Mia")


def test_every_row_is_accounted_for() -> None:
    rows = {"conversations": [{"id": "c"}], "messages": [{"conversationId": "c", "sent_at": []}, 3]}
    found, report = read_all("signal", json.dumps(rows))
    assert report.unaccounted(sum(map(len, found.values()))) == 0


def test_an_edit_and_a_deletion_join_the_message_that_they_change() -> None:
    def envelope(stamp: int, **more: Any) -> dict[str, Any]:
        return {
            "jsonrpc": "2.0",
            "params": {"envelope": {"sourceUuid": "u", "sourceName": "Mia", "timestamp": stamp, **more}},
        }

    text = in_lines(
        envelope(1, dataMessage={"timestamp": 1, "message": "a", "attachments": [{"filename": "x.pdf"}]}),
        envelope(2, editMessage={"targetSentTimestamp": 1, "dataMessage": {"timestamp": 2, "message": "b"}}),
        envelope(3, dataMessage={"timestamp": 3, "message": "c"}),
        envelope(4, dataMessage={"timestamp": 4, "remoteDelete": {"timestamp": 3}}),
        envelope(5, receiptMessage={"when": 5}),
    )
    found, report = read_all("signal", text)
    assert [message.text for message in found["Mia"]] == ["b\n[file: x.pdf]", "[deleted]"]
    assert (report.total, report.continued, report.unaccounted(2)) == (5, 2, 0)


@pytest.mark.parametrize("text", ['{"messages": [{"colour": "red"}]}', "just a text\n", '[{"a": 1}]'])
def test_another_file_is_the_wrong_format(text: str) -> None:
    with pytest.raises(WrongFormat):
        read_one("signal", text)
