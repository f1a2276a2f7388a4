"""Invisible marks of right-to-left languages around times and names."""

from __future__ import annotations

from datetime import datetime

import pytest

from hubbub.read import read
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
