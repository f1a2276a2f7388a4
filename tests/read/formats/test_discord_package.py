"""Discord's data package: rows and objects, names of channels, wrong data."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.errors import WrongFormat
from hubbub.read import stream

from ...reading import read_all, read_place, said, save

HEADER = "ID,Timestamp,Contents,Attachments\n"
MESSAGE = {"ID": 1, "Timestamp": "2025-03-04 10:00:00", "Contents": "hi", "Attachments": ""}


def test_one_file_finds_its_channel_and_its_owner(tmp_path: Path) -> None:
    save(tmp_path / "account" / "user.json", {"id": "9", "username": "ines", "discriminator": "0"})
    save(tmp_path / "messages" / "c7" / "channel.json", {"id": "7", "name": "boats", "guild": {"name": "Harbour"}})
    (one,) = stream(save(tmp_path / "messages" / "c7" / "messages.json", [MESSAGE]))
    assert (one.name, one.format) == ("Harbour / boats", "discord-package")
    assert said(list(one)) == [("ines", "hi")]


def test_a_table_of_messages_is_recognised_before_other_tables(tmp_path: Path) -> None:
    path = tmp_path / "messages.csv"
    path.write_text(HEADER + '1,2025-03-04 10:00:00,"a, b",\n2,2025-03-04 10:01:00,c,https://x.org/a/b.png?c=d\n')
    (one,) = stream(path)
    assert one.format == "discord-package"
    assert [message.text for message in one] == ["a, b", "c\n[image: b.png]"]


def test_every_row_is_accounted_for() -> None:
    found, report = read_all("discord-package", HEADER + "1,2025-03-04 10:00:00,a,\n\n2,b\n")
    assert report.total == 4
    assert report.unaccounted(sum(map(len, found.values()))) == 0
    found, report = read_all("discord-package", '[{"ID": 1}, 2, {"x": 3}]')
    assert report.unaccounted(sum(map(len, found.values()))) == 0


def test_folders_of_another_language_are_read_too(tmp_path: Path) -> None:
    save(tmp_path / "Nachrichten" / "c7" / "channel.json", {"id": "7", "type": "DM", "recipients": ["8", "9"]})
    save(tmp_path / "Nachrichten" / "c7" / "messages.json", [MESSAGE])
    save(tmp_path / "Nachrichten" / "index.json", {"7": "Direct Message with otto#1234"})
    save(tmp_path / "Konto" / "user.json", {"id": "9", "username": "ines"})
    (chat,), report = read_place(tmp_path)
    assert (chat.name, chat[0].author) == ("otto", "ines")
    assert report.unaccounted(len(chat)) == 0


def test_another_file_is_the_wrong_format(tmp_path: Path) -> None:
    documents: tuple[object, ...] = ({"messages": []}, [{"colour": "red"}])
    for document in documents:
        with pytest.raises(WrongFormat):
            read_place(save(tmp_path / "c.json", document), "discord-package")
