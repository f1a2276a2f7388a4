"""Invisible marks of right-to-left languages around times and names."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from hubbub.chat import RENAME, Message, renamed
from hubbub.read import read
from hubbub.read.assembly.author_names import without_marks
from hubbub.read.formats.telegram.times import Days

from ...conftest import Put

MARKS = ["\u200e", "\u200f", "\u061c"]


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_marks_around_times_and_names_of_whatsapp(put: Put, mark: str) -> None:
    lines = [
        f"{mark}[13/02/2020{mark}, 10:0{n}:00{mark}] {mark}{'Ann' if n % 2 else 'Bob'}{mark}: hi" for n in range(4)
    ]
    found = [(message.author, message.time) for message in read(put("chat.txt", "\n".join(lines)))]
    assert found == [("Ann" if n % 2 else "Bob", datetime(2020, 2, 13, 10, n)) for n in range(4)]


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_marks_around_times_of_telegram(mark: str) -> None:
    title = f"{mark}13.02.2020{mark} 10:01:00{mark}"
    assert Days(None).message(title, "") == (datetime(2020, 2, 13, 10, 1), None)


@pytest.mark.parametrize("mark", [*MARKS, "\u202b", "\u2067", "\u200b"], ids=ascii)
def test_names_that_differ_in_marks_alone_are_one_person(put: Put, mark: str) -> None:
    names = ["\u05e0\u05d5\u05e2\u05d4", f"{mark}\u05e0\u05d5\u05e2\u05d4{mark}", f"\u05e0\u05d5\u05e2\u05d4{mark}"]
    records = [
        {"id": n, "type": "message", "date": f"2020-02-13T10:0{n}:00", "from": name, "text": f"{name}!"}
        for n, name in enumerate(names)
    ]
    export = {"name": "tea", "type": "private_group", "id": 1, "messages": records}
    messages = list(read(put("result.json", json.dumps(export))))
    assert {message.author for message in messages} == {names[0]}
    assert [message.text for message in messages] == [f"{name}!" for name in names]


def test_a_rename_stays_one_without_marks() -> None:
    plain = Message("1", None, "an\u200fn", f"an\u200fn{RENAME}bea", "system")
    (found,) = without_marks([plain])
    assert renamed(found) == ("ann", "bea")


def test_joiners_and_names_of_marks_alone_stay() -> None:
    messages = [Message("1", None, "می\u200cنا", "a"), Message("2", None, "\u200e", "b")]
    assert without_marks(messages) == messages
