"""Gitter: what its REST API gave, as the tools of the time saved it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, WrongFormat

from ...reading import read_document, read_place, save

ANN = {"id": "u1", "username": "ann", "displayName": "Ann Lee"}


def message(id: str, text: str = "hi", minute: int = 0, **more: Any) -> dict[str, Any]:
    shown = {"id": id, "text": text, "html": text, "sent": f"2019-01-01T10:{minute:02}:00.000Z", "fromUser": ANN}
    return {**shown, "readBy": 1, "mentions": [], "urls": [], **more}


def one(folder: Path, **more: Any) -> Any:
    (found,) = read_document(folder, [message("m1", **more)], "gitter")
    return found


def test_pages_that_begin_with_the_newest_come_in_the_order_of_time(tmp_path: Path) -> None:
    document = [message("c", "third", 3), message("a", "first", 1), message("b", "second", 2)]
    assert [each.text for each in read_document(tmp_path, document, "gitter")] == ["first", "second", "third"]


@pytest.mark.parametrize("key", ["parentId", "threadMessageId"])
def test_a_reply_in_a_thread_answers_its_parent(tmp_path: Path, key: str) -> None:
    document = [message("m1"), message("m2", "yes", 1, **{key: "m1"})]
    assert read_document(tmp_path, document, "gitter")[1].reply_to == ("m1",)


@pytest.mark.parametrize("text", ["/me waves", "@ann waves", "waves"])
def test_a_status_is_an_action(tmp_path: Path, text: str) -> None:
    found = one(tmp_path, text=text, status=True)
    assert (found.kind, found.text) == ("action", "waves")


def test_a_message_edited_to_nothing_is_deleted(tmp_path: Path) -> None:
    found = one(tmp_path, text="", html="", editedAt="2019-01-01T11:00:00.000Z")
    assert (found.kind, found.text, found.author) == ("system", "[deleted]", "Ann Lee")


def test_somebody_on_matrix_has_their_own_name(tmp_path: Path) -> None:
    bridged = {"type": "matrix", "externalId": "bob:example.org", "displayName": "Bob"}
    assert one(tmp_path, virtualUser=bridged, fromUser=None).author == "Bob"
    assert one(tmp_path, virtualUser={"externalId": "bob:example.org"}, fromUser=None).author == "bob:example.org"


def test_users_of_a_table_are_named(tmp_path: Path) -> None:
    document = {"items": [message("m1", fromUser="u1")], "lookups": {"users": {"u1": ANN}}}
    assert [each.author for each in read_document(tmp_path, document, "gitter")] == ["Ann Lee"]


def test_a_line_that_is_no_json_among_others_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tea.ndjson"
    path.write_text(f"{json.dumps(message('m1'))}\n{{oops\n{json.dumps(message('m2'))}\n")
    [chat], report = read_place(path)
    assert (len(chat), report.unexplained.total(), report.unaccounted(2)) == (2, 1, 0)


def test_what_is_no_message_is_named(tmp_path: Path) -> None:
    [chat], report = read_place(save(tmp_path / "tea.json", [message("m1"), 5, {"id": "m2"}]))
    assert (len(chat), report.unexplained.total(), report.unaccounted(1)) == (1, 2, 0)


def test_pages_of_a_room_overlap(tmp_path: Path) -> None:
    for page, ids in enumerate([("m3", "m4"), ("m1", "m2", "m3")]):
        save(tmp_path / "tea" / f"messages_{page}.json", [message(id, id, int(id[1])) for id in ids])
    save(tmp_path / "milk" / "messages.json", [message("m9")])
    chats, report = read_place(tmp_path)
    assert {chat.name: [each.text for each in chat] for chat in chats} == {
        "tea": ["m1", "m2", "m3", "m4"],
        "milk": ["hi"],
    }
    assert report.skipped == {"a message that is in the input twice": 1}


def test_pages_named_by_a_message_belong_to_the_room_before_it(tmp_path: Path) -> None:
    for page in "ab":
        save(tmp_path / f"Help-{page * 24}-1481412180635.json", [message(page)])
    [chat], _ = read_place(tmp_path)
    assert (chat.name, len(chat)) == ("Help", 2)


def test_rooms_whose_names_end_in_a_number_stay_apart(tmp_path: Path) -> None:
    for name in ("java-8", "java-9"):
        save(tmp_path / f"{name}.json", [message("m1")])
    assert [chat.name for chat in read_place(tmp_path)[0]] == ["java-8", "java-9"]


@pytest.mark.parametrize(
    "name", ["57a1000000000000000000aa.json", "org_tea.json", "57a1000000000000000000aa/messages.json"]
)
def test_a_list_of_rooms_names_them(tmp_path: Path, name: str) -> None:
    room = {"id": "57a1000000000000000000aa", "name": "org/tea", "uri": "org/tea", "oneToOne": False, "userCount": 3}
    save(tmp_path / "rooms.json", [room])
    save(tmp_path / name, [message("m1")])
    assert [chat.name for chat in read_place(tmp_path)[0]] == ["org/tea"]


def test_another_document_is_the_wrong_format(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "a.json", [{"text": "hi"}]), "gitter")


def test_a_file_that_is_cut_is_broken(tmp_path: Path) -> None:
    path = save(tmp_path / "tea.json", [message("m1"), message("m2")])
    path.write_text(path.read_text()[:-30])
    with pytest.raises(Broken):
        read_place(path)
