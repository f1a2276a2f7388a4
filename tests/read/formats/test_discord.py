"""Discord: one channel in four shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hubbub.chat import Message
from hubbub.errors import Broken, WrongFormat
from hubbub.read import read, read_all, stream

HEADER = "AuthorID,Author,Date,Content,Attachments,Reactions\n"
RULE = "=" * 62


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def channel(name: str, *records: object, kind: str = "GuildTextChat") -> str:
    here = {"id": "2", "type": kind, "category": "parent", "name": name}
    return json.dumps({"guild": {"id": "1", "name": "G"}, "channel": here, "dateRange": {}, "messages": records})


def one(folder: Path, **fields: Any) -> Message:
    record = {"id": "7", "type": "Default", "timestamp": "2024-01-01T10:00:00+00:00", "content": "", **fields}
    found = read(write(folder, "c.json", channel("c", {"author": {"name": "ida", "nickname": "Ida"}, **record})))
    return found[0]


def table(folder: Path, *dates: str) -> list[str]:
    path = write(folder, "c.csv", HEADER + "".join(f'"1","ida","{date}","x","",""\n' for date in dates))
    return [message.time.isoformat() if message.time else "" for message in next(stream(path))]


def test_a_reply_names_its_message_but_a_pin_and_a_forward_answer_nothing(tmp_path: Path) -> None:
    there = {"messageId": "5", "channelId": "2"}
    assert one(tmp_path, type="Reply", reference=there).reply_to == ("5",)
    assert one(tmp_path, type="ChannelPinnedMessage", reference=there).reply_to == ()
    assert one(tmp_path, reference={**there, "type": "Forward"}, forwardedMessage={"content": "x"}).reply_to == ()


def test_raw_mentions_and_emoji_are_shown_by_name(tmp_path: Path) -> None:
    mentioned = [{"id": "9", "name": "bo"}]
    assert one(tmp_path, content="<@!9> <a:dance:1>", mentions=mentioned).text == "@bo :dance:"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"attachments": [{"fileName": "a.mp3"}]}, "[audio: a.mp3]"),
        ({"attachments": [{"url": "https://example.org/b%20c.png?x=1"}]}, "[image: b c.png]"),
        ({"stickers": [{"name": "Wave"}]}, "[sticker: Wave]"),
        ({"poll": {"question": {"text": "Q?"}, "answers": [{"text": "a"}, {"text": "b"}]}}, "[poll: Q? a / b]"),
        ({"interaction": {"name": "roll"}}, "[used /roll]"),
        ({"embeds": [{"title": "T", "description": "D"}]}, "T\nD"),
    ],
)
def test_what_hangs_on_a_message_is_shown(tmp_path: Path, fields: dict[str, Any], text: str) -> None:
    assert one(tmp_path, **fields).text == text


@pytest.mark.parametrize("kind", ["GuildMemberJoin", "7", "8", "RecipientAdd", "Something"])
def test_every_other_type_is_a_notice(tmp_path: Path, kind: str) -> None:
    message = one(tmp_path, type=kind)
    assert message.kind == "system"
    assert message.text.startswith("Ida ")


def test_a_thread_is_named_with_its_channel(tmp_path: Path) -> None:
    found = read(write(tmp_path, "c.json", channel("t", kind="GuildPublicThread")))
    assert found.name == "G / parent / t"


def test_a_folder_of_channels_is_many_chats_and_media_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.json", channel("a"))
    write(tmp_path, "b.json", channel("b"))
    (tmp_path / "a.json_Files").mkdir()
    (tmp_path / "a.json_Files" / "notes.txt").write_text("not a chat")
    found = read_all(tmp_path)
    assert found.names() == ("G / a", "G / b")


def test_dates_of_a_table_in_every_form(tmp_path: Path) -> None:
    assert table(tmp_path, "15-Oct-18 07:03 PM") == ["2018-10-15T19:03:00"]
    assert table(tmp_path, "10/2/2018 7:03 AM", "10/15/2018 7:03 AM") == ["2018-10-02T07:03:00", "2018-10-15T07:03:00"]
    assert table(tmp_path, "02/10/2018 07:03", "15/10/2018 07:03") == ["2018-10-02T07:03:00", "2018-10-15T07:03:00"]
    assert table(tmp_path, "2018-10-15T07:03:00.0000000+02:00") == ["2018-10-15T07:03:00+02:00"]
    assert table(tmp_path, "some day") == [""]


def test_a_table_that_runs_backwards_is_turned_around(tmp_path: Path) -> None:
    assert table(tmp_path, "16-Oct-18 07:03 PM", "15-Oct-18 07:03 PM")[0].startswith("2018-10-15")


def test_a_row_with_too_few_cells_is_counted(tmp_path: Path) -> None:
    (only,) = stream(write(tmp_path, "c.csv", HEADER + '"1","ida","2018-10-15T07:03:00+00:00","x","",""\n"1"\n'))
    assert len(list(only)) == 1
    assert only.report.unexplained == {"a row with too few cells": 1}


def test_plain_text_keeps_lines_that_look_like_a_header_or_a_banner(tmp_path: Path) -> None:
    banner, closing = f"{RULE}\nGuild: G\nChannel: c\n{RULE}\n\n", f"{RULE}\nExported 1 message(s)\n{RULE}\n"
    text = f"{banner}[15-Oct-18 07:03 PM] ida\n[note] to self\n{RULE}\n\n\n{closing}"
    (only,) = stream(write(tmp_path, "c.txt", text))
    assert [message.text for message in only] == [f"[note] to self\n{RULE}"]
    assert only.report.skipped == {"banner": 7, "blank line": 1}


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("c.json", '{"guild": {"id": "1"}, "channel": {}, "messages": [', Broken),
        ("c.json", '{"guild": 1}', WrongFormat),
        ("c.html", "<html><body>nothing</body></html>", WrongFormat),
        ("c.txt", "just a note\n", WrongFormat),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, text: str, error: type[Exception]) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(error):
        read(path, format="discord")


def test_times_of_unix_are_understood(tmp_path: Path) -> None:
    assert table(tmp_path, "1700000000", "1700000001500") == [
        "2023-11-14T22:13:20+00:00",
        "2023-11-14T22:13:21.500000+00:00",
    ]


def test_plain_text_that_runs_backwards_is_turned_around(tmp_path: Path) -> None:
    banner = f"{RULE}\nGuild: G\nChannel: c\n{RULE}\n\n"
    text = f"{banner}[16-Oct-18 07:03 PM] ida\nlater\n\n\n[15-Oct-18 07:03 PM] ida\nsooner\n\n[some other day] x\n\n\n"
    (only,) = stream(write(tmp_path, "c.txt", text))
    assert [(message.id, message.text) for message in only] == [("0", "sooner\n\n[some other day] x"), ("1", "later")]


def test_a_page_without_messages_is_an_empty_chat(tmp_path: Path) -> None:
    entries = '<div class="preamble__entry">G</div><div class="preamble__entry">A / c</div>'
    style = "<style>.chatlog__message {} .chatlog__author {} .chatlog__content {}</style>"
    page = f'<!DOCTYPE html><html><head>{style}</head><body>{entries}<div class="chatlog"></div></body></html>'
    (only,) = stream(write(tmp_path, "c.html", page))
    assert (only.name, list(only)) == ("G / c", [])
