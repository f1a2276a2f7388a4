"""Zulip: an organisation's export, and messages from the web API."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import NoChats, WrongFormat
from hubbub.read.formats.zulip.rendering import from_html, from_markdown

from ...reading import read_place, save

REALM = {
    "zerver_userprofile": [{"id": 1, "full_name": "Ana"}, {"id": 2, "full_name": "Ana"}, {"id": 3, "full_name": "Ben"}],
    "zerver_stream": [{"id": 7, "name": "tea"}],
    "zerver_recipient": [
        {"id": 50, "type": 2, "type_id": 7},
        {"id": 51, "type": 1, "type_id": 1},
        {"id": 52, "type": 1, "type_id": 2},
        {"id": 53, "type": 1, "type_id": 3},
    ],
}


def message(id: int, recipient: int, content: str, topic: str = "", sender: int = 1) -> dict[str, Any]:
    fields = {"sender": sender, "recipient": recipient, "subject": topic, "content": content}
    return {"id": id, "date_sent": 1690000000.0 + id, **fields}


def export(folder: Path, *messages: dict[str, Any]) -> Path:
    save(folder / "realm.json", REALM)
    save(folder / "messages-000001.json", {"zerver_message": list(messages), "zerver_usermessage": []})
    return folder


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("@**Ana** @**Ana|2** @_**Ben|3** @**|3** @*crew*", "@Ana @Ana Ben @Ben @crew"),
        ("#**tea** #**tea>green** #**tea>green@12**", "#tea #tea > green #tea > green"),
        (
            "[cup.png](/user_uploads/1/cup.png) [site](https://example.org)",
            "[image: cup.png] [site](https://example.org)",
        ),
        (":tada: <time:2023-01-01T10:00:00Z>", "🎉 2023-01-01T10:00:00Z"),
    ],
)
def test_markdown_is_shown_as_people_saw_it(content: str, text: str) -> None:
    assert from_markdown(content, {"3": "Ben"}).text == text


def test_a_quote_is_a_reply_and_leaves_the_text() -> None:
    shown = from_markdown("@_**Ana|1** [said](https://x.example/#narrow/near/9):\n````quote\nhi\n````\nhello", {})
    assert shown == ("hello", ("9",))


def test_a_quote_with_nothing_else_stays() -> None:
    shown = from_markdown("@_**Ana|1** [said](https://x.example/#narrow/near/9):\n```quote\nhi\n```", {})
    assert shown.quotes == ("9",)
    assert "hi" in shown.text


def test_html_uploads_are_files() -> None:
    html = '<p><a href="/user_uploads/1/a.pdf">a.pdf</a></p><div class="message_inline_image"><a href="x">y</a></div>'
    assert from_html(html).text == "[file: a.pdf]"


def test_every_topic_is_a_chat_whatever_its_case(tmp_path: Path) -> None:
    chats, _ = read_place(
        export(tmp_path, message(1, 50, "a", "Green"), message(2, 50, "b", "black"), message(3, 50, "c", "green"))
    )
    assert [(chat.name, len(chat)) for chat in chats] == [("#tea > Green", 2), ("#tea > black", 1)]


def test_both_sides_of_a_direct_chat_are_one_and_namesakes_stay_apart(tmp_path: Path) -> None:
    chats, _ = read_place(
        export(
            tmp_path,
            message(1, 53, "to Ben", sender=1),
            message(2, 51, "to Ana", sender=3),
            message(3, 53, "from the other Ana", sender=2),
        )
    )
    assert [len(chat) for chat in chats] == [2, 1]
    assert all(chat.name.startswith("Ana, Ben") for chat in chats)


def test_me_is_an_action(tmp_path: Path) -> None:
    [chat], _ = read_place(export(tmp_path, message(1, 50, "/me pours", "x")))
    assert (chat[0].kind, chat[0].author, chat[0].text) == ("action", "Ana", "pours")


def test_a_tar_with_a_folder_around_everything(tmp_path: Path) -> None:
    export(tmp_path / "zulip-export-1", message(1, 50, "a", "green"))
    with tarfile.open(tmp_path / "e.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "zulip-export-1", "zulip-export-1")
    [chat], report = read_place(tmp_path / "e.tar.gz")
    assert chat.name == "#tea > green"
    assert not report.unexplained


def test_one_file_of_messages_takes_names_from_beside(tmp_path: Path) -> None:
    [chat], _ = read_place(export(tmp_path, message(1, 50, "a", "green")) / "messages-000001.json")
    assert (chat.name, chat[0].author) == ("#tea > green", "Ana")


def test_the_realm_alone_is_an_empty_chat(tmp_path: Path) -> None:
    [chat], report = read_place(save(tmp_path / "realm.json", REALM))
    assert len(chat) == 0
    assert not report.unexplained


def test_a_truncated_file_is_broken(tmp_path: Path) -> None:
    path = export(tmp_path, message(1, 50, "a")) / "messages-000001.json"
    path.write_text(path.read_text()[:-30])
    with pytest.raises(NoChats, match="is broken or cut short"):
        read_place(tmp_path)


def test_another_document_is_the_wrong_format(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "c.json", [{"colour": "red"}]), "zulip")
