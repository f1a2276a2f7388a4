"""Matrix: events of a room, who is called what, and what an edit leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hubbub.chat import Chat, renamed
from hubbub.errors import Broken, WrongFormat
from hubbub.read import read, stream

ADA, BO = "@ada:example.org", "@bo:example.org"


def event(id: int, kind: str, content: dict[str, Any], sender: str = ADA, **more: Any) -> dict[str, Any]:
    stamp = 1_700_000_000_000 + id * 1000
    return {"event_id": f"${id}", "type": kind, "sender": sender, "content": content, "origin_server_ts": stamp, **more}


def said(id: int, body: str, sender: str = ADA, more: dict[str, Any] | None = None) -> dict[str, Any]:
    return event(id, "m.room.message", {"msgtype": "m.text", "body": body, **(more or {})}, sender)


def member(id: int, content: dict[str, Any], before: dict[str, Any] | None = None, sender: str = BO) -> dict[str, Any]:
    return event(id, "m.room.member", content, sender, state_key=BO, unsigned={"prev_content": before or {}})


def room(folder: Path, *events: object) -> Chat:
    path = folder / "export.json"
    path.write_text(json.dumps({"room_name": "R", "room_creator": "Ada", "exported_by": "Ada", "messages": events}))
    found = read(path)
    assert found.format == "matrix"
    return found


def test_the_last_edit_wins(tmp_path: Path) -> None:
    def edit(id: int, body: str) -> dict[str, Any]:
        relation = {"rel_type": "m.replace", "event_id": "$1"}
        content = {"m.new_content": {"msgtype": "m.text", "body": body}, "m.relates_to": relation}
        return said(id, f"* {body}", more=content)

    found = room(tmp_path, edit(3, "third"), said(1, "first"), edit(2, "second"))
    assert [message.text for message in found] == ["third"]


def test_replies_and_threads_name_what_they_answer(tmp_path: Path) -> None:
    reply = {"m.in_reply_to": {"event_id": "$1"}}
    thread = {"rel_type": "m.thread", "event_id": "$1", "is_falling_back": True, "m.in_reply_to": {"event_id": "$2"}}
    found = room(
        tmp_path,
        said(1, "> not a quote"),
        said(2, f"> <{ADA}> not\n> a quote\n\nyes\n> mine", more={"m.relates_to": reply}),
        said(3, "more", more={"m.relates_to": thread}),
    )
    assert [(m.text, m.reply_to) for m in found] == [
        ("> not a quote", ()),
        ("yes\n> mine", ("$1",)),
        ("more", ("$1",)),
    ]


def test_names_change_with_the_renames(tmp_path: Path) -> None:
    found = room(
        tmp_path,
        member(1, {"membership": "join", "displayname": "Bo"}),
        said(2, "x", BO),
        member(3, {"membership": "join", "displayname": "Bob"}, {"membership": "join", "displayname": "Bo"}),
        said(4, "y", BO),
    )
    assert [message.author for message in found] == ["Bo", "Bo", "Bo", "Bob"]
    assert renamed(found[2]) == ("Bo", "Bob")


@pytest.mark.parametrize(
    ("now", "before", "sender", "text"),
    [
        ("invite", {}, ADA, f"{ADA} invited {BO}"),
        ("leave", {"membership": "join"}, BO, f"{BO} left the room"),
        ("leave", {"membership": "invite"}, BO, f"{BO} declined the invitation"),
        ("leave", {"membership": "join"}, ADA, f"{ADA} removed {BO}"),
        ("leave", {"membership": "ban"}, ADA, f"{ADA} unbanned {BO}"),
        ("ban", {"membership": "join"}, ADA, f"{ADA} banned {BO}"),
        ("knock", {}, BO, f"{BO} asked to join the room"),
    ],
)
def test_memberships_are_sentences(tmp_path: Path, now: str, before: dict[str, Any], sender: str, text: str) -> None:
    (message,) = room(tmp_path, member(1, {"membership": now}, before, sender))
    assert (message.kind, message.author, message.text) == ("system", BO, text)


def test_what_cannot_be_read_any_more_is_kept_as_a_mark(tmp_path: Path) -> None:
    found = room(tmp_path, event(1, "m.room.encrypted", {"ciphertext": "x"}), event(2, "m.room.message", {}))
    assert [(m.kind, m.text) for m in found] == [("message", "[encrypted]"), ("system", "[deleted]")]


def test_raw_answers_of_a_server_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "sync.json"
    timeline = {"events": [said(2, "b"), said(1, "a")]}
    state = {"events": [event(0, "m.room.name", {"name": "Den"}, state_key="")]}
    path.write_text(json.dumps({"rooms": {"join": {"!r:example.org": {"timeline": timeline, "state": state}}}}))
    (only,) = stream(path)
    assert (only.name, [message.text for message in only]) == ("Den", ["a", "b"])


def test_reactions_are_left_out_by_name_and_junk_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "events.json"
    path.write_text(json.dumps([said(1, "a"), event(2, "m.reaction", {}), 5]))
    (only,) = stream(path)
    assert len(list(only)) == 1
    assert only.report.skipped == {"a reaction": 1}
    assert only.report.unexplained == {"not an event object": 1}


@pytest.mark.parametrize(
    ("text", "error"),
    [('{"messages": [', Broken), ('{"a": 1}', WrongFormat), ("<p>x</p>", WrongFormat), ("a note\n", WrongFormat)],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str, error: type[Exception]) -> None:
    path = tmp_path / "export"
    path.write_text(text)
    with pytest.raises(error):
        read(path, format="matrix")


def test_rooms_without_a_name_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "sync.json"
    rooms = {f"!{id}:example.org": {"timeline": {"events": [said(1, id)]}} for id in "ab"}
    path.write_text(json.dumps({"rooms": {"join": rooms}}))
    assert [(one.name, len(list(one))) for one in stream(path)] == [
        ("sync (!a:example.org)", 1),
        ("sync (!b:example.org)", 1),
    ]


def test_an_event_a_line(tmp_path: Path) -> None:
    path = tmp_path / "den.jsonl"
    path.write_text("\n".join(json.dumps(said(id, str(id))) for id in (1, 2)) + "\n")
    (only,) = stream(path)
    assert [message.text for message in only] == ["1", "2"]
    path.write_text(path.read_text()[:-9])
    (only,) = stream(path)
    assert [message.text for message in only] == ["1"]
    assert "after record 1" in only.report.left_out[0].reason
