"""Mattermost: bulk exports, the web API and the compliance table."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import NoChats, WrongFormat

from ...reading import read_place

USER = {"type": "user", "user": {"username": "ana", "first_name": "Ana", "last_name": "Lima"}}


def post(message: str, at: int = 1, team: str = "t", **more: Any) -> dict[str, Any]:
    inside = {"team": team, "channel": "tea", "user": "ana", "message": message, "create_at": at * 1000, **more}
    return {"type": "post", "post": inside}


def bulk(path: Path, *records: object) -> Path:
    lines = [json.dumps(record) for record in ({"type": "version", "version": 1}, USER, *records)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_replies_come_in_time_order_and_point_at_their_post(tmp_path: Path) -> None:
    reply = {"user": "ana", "message": "late", "create_at": 9000}
    [chat], _ = read_place(bulk(tmp_path / "b.jsonl", post("first", 1, replies=[reply]), post("second", 5)))
    assert [(m.id, m.text, m.reply_to) for m in chat] == [
        ("0", "first", ()),
        ("1", "second", ()),
        ("2", "late", ("0",)),
    ]


def test_authors_and_mentions_carry_the_same_name(tmp_path: Path) -> None:
    [chat], _ = read_place(bulk(tmp_path / "b.jsonl", post("me, @ana. or a@ana.org or @unknown")))
    assert chat[0].author == "Ana Lima"
    assert chat[0].text == "me, @Ana Lima. or a@ana.org or @unknown"


def test_system_posts_are_sentences_with_names(tmp_path: Path) -> None:
    record = post("ana joined the channel.", type="system_join_channel", props={"username": "ana"})
    [chat], _ = read_place(bulk(tmp_path / "b.jsonl", record))
    assert (chat[0].kind, chat[0].text) == ("system", "Ana Lima joined the channel.")


def test_channels_of_one_name_in_two_teams_stay_two_chats(tmp_path: Path) -> None:
    chats, _ = read_place(bulk(tmp_path / "b.jsonl", post("a", team="one"), post("b", team="two")))
    assert [chat.name for chat in chats] == ["tea (one)", "tea (two)"]


def test_a_zip_with_attachments_beside_the_lines(tmp_path: Path) -> None:
    lines = bulk(tmp_path / "import.jsonl", post("look", attachments=[{"path": "data/cup.png"}]))
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        archive.write(lines, "import.jsonl")
        archive.writestr("data/cup.png", b"\x89PNG")
    [chat], report = read_place(tmp_path / "e.zip")
    assert chat[0].text == "look\n[image: cup.png]"
    assert report.skipped["a file beside the messages"] == 1


def test_every_other_record_is_skipped_by_a_reason(tmp_path: Path) -> None:
    others = [{"type": kind, kind: {"name": "x"}} for kind in ("role", "team", "emoji", "bot", "direct_channel")]
    _, report = read_place(bulk(tmp_path / "b.jsonl", *others, post("x")))
    assert not report.unexplained
    assert sum(report.skipped.values()) == 7


def test_a_line_in_the_middle_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = bulk(tmp_path / "b.jsonl", post("x"))
    path.write_text(path.read_text().replace('{"type": "post"', 'oops\n{"type": "post"'))
    [chat], report = read_place(path)
    assert len(chat) == 1
    assert [remark.line for remark in report.first_unexplained()] == [3]


def test_of_an_export_that_is_cut_the_part_before_is_read(tmp_path: Path) -> None:
    path = bulk(tmp_path / "b.jsonl", post("x"), post("y"))
    path.write_text(path.read_text()[:-9])
    [chat], report = read_place(path)
    assert [message.text for message in chat] == ["x"]
    assert report.unaccounted(1) == 0
    [cut] = report.left_out
    assert (cut.lines, cut.reason) == (1, "is cut short: line 4 is no whole JSON object")


def test_an_export_that_is_cut_before_its_first_post_is_an_error(tmp_path: Path) -> None:
    path = bulk(tmp_path / "b.jsonl", post("x"))
    path.write_text(path.read_text()[:-9])
    with pytest.raises(NoChats, match="line 3 is no whole JSON object"):
        read_place(path)


def test_other_lines_are_the_wrong_format(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"a": 1}\n{"b": 2}\n')
    with pytest.raises(WrongFormat):
        read_place(tmp_path / "b.jsonl", "mattermost")


def test_a_direct_chat_is_one_in_whatever_order_its_people_are_named(tmp_path: Path) -> None:
    posts = [
        {
            "type": "direct_post",
            "direct_post": {"channel_members": order, "user": "ana", "message": "x", "create_at": 1},
        }
        for order in (["ana", "bo"], ["bo", "ana"])
    ]
    (only,), _ = read_place(bulk(tmp_path / "b.jsonl", *posts))
    assert len(only) == 2


def test_a_bare_list_of_posts(tmp_path: Path) -> None:
    common = {"channel_id": "c", "user_id": "u", "create_at": 1000}
    posts = [
        {"id": "a", "root_id": "", "message": "x", **common},
        {"id": "b", "root_id": "a", "message": "y", **common},
    ]
    path = tmp_path / "posts.json"
    path.write_text(json.dumps(posts))
    (only,), _ = read_place(path)
    assert [(message.text, message.reply_to) for message in only] == [("x", ()), ("y", ("a",))]


def test_the_table_of_one_channel(tmp_path: Path) -> None:
    path = tmp_path / "tea.csv"
    path.write_text(
        "Post Creation Time,User Id,User Email,User Type,User Name,Post Id,Parent Post Id,Post Message,Post Type\n"
        '1700000000000,u,a@example.org,user,ana,a,,"hi, all",message\n'
        "1700000001000,v,b@example.org,user,bo,b,a,yes,message\n"
    )
    (only,), _ = read_place(path)
    assert (only.name, only.format) == ("tea", "mattermost")
    assert [(message.author, message.text, message.reply_to) for message in only] == [
        ("ana", "hi, all", ()),
        ("bo", "yes", ("a",)),
    ]


def test_older_exports_do_not_mark_who_comes_and_goes(tmp_path: Path) -> None:
    (only,), _ = read_place(bulk(tmp_path / "b.jsonl", post("ana joined the channel."), post("ana is me", 2)))
    assert [message.kind for message in only] == ["system", "message"]
