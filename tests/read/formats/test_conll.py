from __future__ import annotations

import pytest

from hubbub.errors import WrongFormat
from hubbub.text import joined

from ...reading import read_all, said, unexplained


def row(word: str, speaker: str) -> str:
    return f"doc 0 0 {word} NN * - - - {speaker} * -\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Do n't go , I 'm here !", "Don't go, I'm here!"),
        ("`` Yes , '' she said .", '"Yes," she said.'),
        ('He said " no " again', 'He said "no" again'),
        ("-LRB- softly -RRB- ok /.", "(softly) ok."),
        ("I 'm gon na pay $ 5", "I'm gonna pay $5"),
        ("well ... yes - no", "well... yes - no"),
        ("'cause of 'em", "'cause of 'em"),
        ("", ""),
    ],
)
def test_words_are_joined_as_people_write_them(words: str, expected: str) -> None:
    text, places = joined([(word, "NN") for word in words.split()])
    assert text == expected
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in places)


def test_a_chat_a_part_and_a_message_a_sentence() -> None:
    text = (
        "#begin document (/doc); part 000\n" + row("One", "Ana_Ruiz") + "\n" + row("Two", "Ana_Ruiz") + row("3", "-")
        + "\n#end document\n#begin document (/doc); part 001\n" + row("Four", "Ben") + "#end document\n"
    )  # fmt: skip
    found, report = read_all("conll", text)
    assert {name: said(chat) for name, chat in found.items()} == {
        "doc/000": [("Ana Ruiz", "One"), ("Ana Ruiz", "Two"), ("", "3")],
        "doc/001": [("Ben", "Four")],
    }
    assert not report.unexplained


def test_lines_with_too_few_columns_are_named() -> None:
    _, report = read_all("conll", "#begin document (d); part 000\n" + row("a", "b") + "doc 0 1 cut\n")
    assert unexplained(report) == [(3, "fewer than 10 columns")]


def test_no_document() -> None:
    with pytest.raises(WrongFormat, match="no line begins a document"):
        read_all("conll", row("a", "b"))
