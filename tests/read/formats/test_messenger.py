"""Messenger and Instagram: the encoding, notices, files of one chat, wrong data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import WrongFormat
from hubbub.read import stream
from hubbub.read.formats.messenger.encoding import Mending

from ...reading import read_all, read_document, read_place, said, save


def broken(text: str) -> str:
    return text.encode().decode("latin-1")


def thread(*records: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "participants": [{"name": "Ana"}],
        "messages": list(records),
        "title": "Tea",
        "thread_path": "inbox/tea_1",
        **more,
    }


def record(content: str, at: int = 1, sender: str = "Ana", **more: Any) -> dict[str, Any]:
    return {"sender_name": sender, "timestamp_ms": at, "content": content, **more}


def test_a_broken_encoding_is_mended_and_a_right_one_stays() -> None:
    wrong = Mending([broken("é"), broken("😀"), "plain"])
    assert wrong.text(broken("naïve 😀")) == "naïve 😀"
    assert wrong.text("ж") == "ж"
    right = Mending(["é", "naïve", "😀", "Ã©"])
    assert right.text("Ã©") == "Ã©"
    assert right.text("é") == "é"


def test_a_text_that_is_cut_within_a_character_is_mended_up_to_there() -> None:
    cut = broken("ab😀")[:-1]
    assert Mending([cut]).text(cut) == "ab\ufffd"


def test_names_and_titles_are_mended_too(tmp_path: Path) -> None:
    document = thread(record(broken("ça va"), sender=broken("Zoë")), title=broken("Thé"))
    (chat,), _ = read_place(save(tmp_path / "message_1.json", document))
    assert (chat.name, said(list(chat))) == ("Thé", [("Zoë", "ça va")])


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("Ana Lim named the group Tea.", "system"),
        ("Ana Lim set the nickname for Ben to Bee.", "system"),
        ("Ana created a poll: When?", "system"),
        ("You missed a call from Ana.", "system"),
        ("The video call ended.", "system"),
        ("Liked a message", "system"),
        ("I named the group Tea", "message"),
        ("Ana Lim is my name", "message"),
        ("we missed a call", "message"),
    ],
)
def test_notices_are_told_by_their_words(tmp_path: Path, content: str, kind: str) -> None:
    [only] = read_document(tmp_path, thread(record(content, sender="Ana Lim")), "messenger")
    assert only.kind == kind


def test_files_of_one_chat_are_one_and_the_rest_of_the_download_is_named(tmp_path: Path) -> None:
    inbox = tmp_path / "messages" / "inbox" / "tea_1"
    save(inbox / "message_1.json", thread(record("c", 3000), record("b", 2000)))
    save(inbox / "message_2.json", thread(record("a", 1000)))
    save(tmp_path / "friends" / "friends.json", {"friends": []})
    (chat,), report = read_place(tmp_path)
    assert [message.text for message in chat] == ["a", "b", "c"]
    assert report.unaccounted(3) == 0
    assert report.skipped.total() == 1


def test_messages_of_the_same_moment_keep_the_order_in_which_they_were_sent(tmp_path: Path) -> None:
    found = read_document(tmp_path, thread(record("c", 2), record("b", 1), record("a", 1)), "messenger")
    assert [message.text for message in found] == ["a", "b", "c"]


def test_chats_of_one_title_stay_two(tmp_path: Path) -> None:
    for number in ("1", "2"):
        save(tmp_path / "inbox" / number / "message_1.json", thread(record("a"), thread_path=f"inbox/{number}"))
    chats, _ = read_place(tmp_path)
    assert [chat.name for chat in chats] == ["Tea (inbox/1)", "Tea (inbox/2)"]


def test_a_folder_of_encrypted_chats_with_media(tmp_path: Path) -> None:
    message = {"senderName": "Ana", "timestamp": 1, "text": "hi", "media": [], "isUnsent": False, "type": "text"}
    save(tmp_path / "Ben_3.json", {"participants": ["Ana", "Ben"], "threadName": "Ben_3", "messages": [message]})
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "x.jpeg").write_bytes(b"\xff\xd8")
    (one,) = stream(tmp_path)
    assert (one.name, one.format, said(list(one))) == ("Ben", "messenger", [("Ana", "hi")])


def test_every_record_is_accounted_for() -> None:
    found, report = read_all("messenger", '{"messages": [{"sender_name": "a", "timestamp_ms": "x"}, [], {"z": 0}]}')
    assert report.unaccounted(sum(map(len, found.values()))) == 0
    assert report.unexplained.total() == 2


def test_another_document_is_the_wrong_format(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "c.json", {"messages": [{"colour": "red"}]}), "messenger")
