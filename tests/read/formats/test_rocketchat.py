"""Rocket.Chat: dumps in every form, and the BSON under them."""

from __future__ import annotations

import json
import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, WrongFormat
from hubbub.read.formats.rocketchat import bson

from ...reading import read_document, read_place, save

WHEN = datetime(2023, 9, 1, 8, tzinfo=UTC)


def record(msg: str, **more: Any) -> dict[str, Any]:
    ts = more.pop("ts", "2023-09-01T08:00:00Z")
    return {"_id": "m", "rid": "GENERAL", "msg": msg, "ts": ts, "u": {"username": "ana", "name": "Ana"}, **more}


@pytest.mark.parametrize(
    "ts",
    [
        "2023-09-01T08:00:00.000Z",
        1693555200000,
        {"$date": "2023-09-01T08:00:00Z"},
        {"$date": 1693555200000},
        {"$date": {"$numberLong": "1693555200000"}},
    ],
)
def test_every_form_of_a_time_is_understood(tmp_path: Path, ts: object) -> None:
    [only] = read_document(tmp_path, [record("hi", ts=ts)], "rocketchat")
    assert only.time == WHEN


@pytest.mark.parametrize(
    ("type", "msg", "text"),
    [
        ("uj", "ana", "Ana has joined the channel"),
        ("au", "ben", "Ana added ben"),
        ("r", "tea", "Ana changed the room name to tea"),
        ("room_changed_topic", "", "Ana changed the topic to"),
        ("message_pinned", "", "Ana pinned a message"),
        ("something-{odd}", "x", "Ana something {odd}: x"),
    ],
)
def test_system_types_are_sentences(tmp_path: Path, type: str, msg: str, text: str) -> None:
    [only] = read_document(tmp_path, [record(msg, t=type)], "rocketchat")
    assert (only.kind, only.text) == ("system", text)


def test_threads_and_quotes_are_replies(tmp_path: Path) -> None:
    quote = record("[ ](https://x.example/channel/general?msg=q1) yes", tmid="t1")
    [only] = read_document(tmp_path, [quote], "rocketchat")
    assert (only.text, only.reply_to) == ("yes", ("t1", "q1"))


def test_an_earlier_text_of_an_edited_message_is_left_out(tmp_path: Path) -> None:
    [only] = read_document(tmp_path, [record("old", _hidden=True, parent="m"), record("new")], "rocketchat")
    assert only.text == "new"


def test_encrypted_and_removed_messages_leave_a_mark(tmp_path: Path) -> None:
    one, two = read_document(tmp_path, [record("xYz", t="e2e"), record("", t="rm", _id="n")], "rocketchat")
    assert (one.text, two.text, two.kind) == ("[encrypted message]", "[deleted]", "system")


def test_rooms_beside_the_messages_name_the_chats(tmp_path: Path) -> None:
    save(tmp_path / "rocketchat_room.json", [{"_id": "r1", "t": "c", "name": "tea", "msgs": 1, "usersCount": 1}])
    [chat], _ = read_place(save(tmp_path / "rocketchat_message.json", [record("hi", rid="r1")]))
    assert chat.name == "#tea"


def test_lines_and_lists_read_the_same(tmp_path: Path) -> None:
    records = [record("a"), record("b", _id="n")]
    (tmp_path / "lines.json").write_text("\n".join(map(json.dumps, records)))
    [lines], _ = read_place(tmp_path / "lines.json")
    [listed], _ = read_place(save(tmp_path / "list.json", records))
    assert lines.messages == listed.messages


def test_a_record_without_a_message_is_named(tmp_path: Path) -> None:
    _, report = read_place(save(tmp_path / "c.json", [record("a"), {"rid": "GENERAL"}]))
    assert sum(report.unexplained.values()) == 1


def test_another_document_is_the_wrong_format(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "c.json", [{"colour": "red"}]), "rocketchat")


def element(code: int, body: bytes) -> bytes:
    inner = bytes([code]) + b"k\x00" + body
    return struct.pack("<i", len(inner) + 5) + inner + b"\x00"


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (element(0x01, struct.pack("<d", 0.5)), 0.5),
        (element(0x02, b"\x03\x00\x00\x00hi\x00"), "hi"),
        (element(0x03, element(0x10, struct.pack("<i", 7))), {"k": 7}),
        (element(0x04, element(0x08, b"\x01")), [True]),
        (element(0x05, b"\x02\x00\x00\x00\x00ab"), b"ab"),
        (element(0x07, b"\x0a" * 12), "0a" * 12),
        (element(0x09, struct.pack("<q", 1693555200000)), WHEN),
        (element(0x09, struct.pack("<q", 2**62)), None),
        (element(0x0A, b""), None),
        (element(0x0B, b"a.b\x00i\x00"), "/a.b/i"),
        (element(0x12, struct.pack("<q", 2**40)), 2**40),
    ],
)
def test_bson_values(data: bytes, value: object) -> None:
    assert list(bson.documents(data, "x")) == [{"k": value}]


@pytest.mark.parametrize(
    "data",
    [
        element(0x10, struct.pack("<i", 7))[:-3],
        element(0x02, b"\xff\xff\xff\x7fhi\x00"),
        element(0x02, b"\x00\x00\x00\x00"),
        element(0x55, b""),
        b"\x05\x00\x00\x00\x01",
        b"\x01\x00",
    ],
)
def test_damaged_bson_is_broken(data: bytes) -> None:
    with pytest.raises(Broken):
        list(bson.documents(data, "x"))


def test_bson_that_is_nested_too_deep_is_broken() -> None:
    data = element(0x0A, b"")
    for _ in range(150):
        data = element(0x03, data)
    with pytest.raises(Broken, match="nested"):
        list(bson.documents(data, "x"))


def test_a_message_alone_is_a_message(tmp_path: Path) -> None:
    (only,) = read_document(tmp_path, record("hi", channels=[], mentions=[]), "rocketchat")
    assert only.text == "hi"


def test_the_lines_of_an_exported_room_keep_their_files(tmp_path: Path) -> None:
    path = tmp_path / "room.json"
    file = {"type": "file", "title": "cat.png", "url": "./assets/1-cat.png", "remote": False, "fileName": "1-cat.png"}
    lines: list[dict[str, Any]] = [{"msg": "hi", "username": "ana", "ts": "2023-09-01T08:00:00Z"}]
    lines.append({"msg": "", "username": "bo", "ts": "2023-09-01T08:01:00Z", "attachments": [file]})
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    (only,), _ = read_place(path)
    assert only.format == "rocketchat"
    assert [message.text for message in only] == ["hi", "[image: cat.png]"]
