"""Titles of conversations."""

from __future__ import annotations

import pytest

from hubbub.titles import MAX_LENGTH, conversation_title


@pytest.mark.parametrize(
    ("messages", "title"),
    [
        ([("ines", "hi all, how do I mount an usb disk?")], "how do I mount an usb disk?"),
        ([("ines", "hello"), ("tomo", "hi"), ("ines", "tomo: my printer is offline")], "my printer is offline"),
        ([("ines", "I upgraded. What do I have to press now?"), ("tomo", "nothing")], "What do I have to press now?"),
        ([("ines", "good with radios? mine hums loudly after ten minutes")], "mine hums loudly after ten minutes"),
        ([("ines", "ok")], "ok"),
        ([], ""),
        ([("ines", "  ")], ""),
    ],
)  # fmt: skip
def test_what_tells_most_of_what_the_person_who_began_says(messages: list[tuple[str, str]], title: str) -> None:
    assert conversation_title(messages) == title


def test_a_long_one_is_cut_at_a_word() -> None:
    title = conversation_title([("ines", "word " * 100)])
    assert len(title) <= MAX_LENGTH
    assert title.endswith("word…")
