"""Which messages ask something, and which of them were answered."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.questions import QUESTION, answered_condition, is_question
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Kind, Message

from .conftest import Home
from .test_store import START


@pytest.mark.parametrize(
    "text",
    [
        "how do I mount an ntfs disk?",
        "ada: is it plugged in?",
        "hi all, does anyone know why the sound is gone",
        "my printer prints blank pages, any ideas",
        "how can i install java",
        "wie kann ich das Kennwort ändern?",
        "kann jemand helfen wie das geht?",
        "怎么安装驱动？",
        "كيف أثبت البرنامج؟",
        "¿cómo instalo esto",
        "I broke my boot loader (grub)? and now it hangs",
    ],
)
def test_questions(text: str) -> None:
    assert is_question(text) >= QUESTION


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thanks, that worked",
        "see http://example.org/search?q=grub for it",
        "the exit code is in $? afterwards",
        "huh?",
        "?",
        "when I did that it worked",
        "what a day",
        "it is in `a ? b : c` form",
        "日本語です",
    ],
)
def test_no_questions(text: str) -> None:
    assert is_question(text) < QUESTION


def test_a_question_is_answered_by_another_person_only(home: Home) -> None:
    def said(number: int, author: str, text: str, back: int, kind: Kind = "message") -> ThreadedMessage:
        message = Message(str(number), START + timedelta(minutes=number), author, text, kind)
        return ThreadedMessage(message, (back,), (0.9,))

    lines = [
        said(0, "ada", "where is the kettle?", 0),
        said(1, "ada", "the red one", 1),
        said(2, "ada", "ada is now known as ada_away", 0, "system"),
        said(3, "ada_away", "still looking", 2),
        said(4, "bo", "where is the teapot?", 0),
        said(5, "cy", "on the shelf", 1),
    ]
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", lines))
        rows = archive.rows(f"select m.text from messages m where {answered_condition()} order by m.id")
        assert [text for (text,) in rows] == ["where is the teapot?"]
