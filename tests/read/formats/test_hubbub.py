from __future__ import annotations

from pathlib import Path

import pytest

import hubbub
from hubbub.errors import WrongFormat
from hubbub.read import stream

from ...reading import read_all, said, unexplained

HEADER = '{"hubbub":1,"name":"#a","format":"irssi"}\n'


def message(text: str) -> str:
    return f'{{"id":"0","time":null,"author":"ana","text":"{text}","kind":"message","reply_to":[]}}\n'


def test_bad_lines_are_named() -> None:
    bad = '{"id":1}\nnonsense\n{"layer":"replies","position":7,"parents":[0]}\n{"layer":"mood"}\n'
    bad += '{"layer":"reply","text":"a","score":Infinity,"source":""}\n'
    found, report = read_all("hubbub", HEADER + message("hi") + bad + message("yo"))
    assert said(found["#a"]) == [("ana", "hi"), ("ana", "yo")]
    assert [line for line, _ in unexplained(report)] == [3, 4, 5, 6, 7]


def test_what_stands_before_the_first_header_is_named() -> None:
    found, report = read_all("hubbub", message("lost") + HEADER + message("hi"))
    assert said(found["#a"]) == [("ana", "hi")]
    assert unexplained(report) == [(1, "it stands before the first header")]


def test_a_newer_version() -> None:
    with pytest.raises(WrongFormat, match="version 99, and this hubbub knows no newer than 1"):
        read_all("hubbub", HEADER.replace("1", "99"))


def test_no_header() -> None:
    with pytest.raises(WrongFormat, match="no line is a hubbub header"):
        read_all("hubbub", message("hi"))


def test_chats_of_one_name_stay_apart_and_keep_their_formats(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text(HEADER + message("one") + HEADER.replace("irssi", "slack") + message("two"), encoding="utf-8")
    chats = hubbub.read_all(path)
    assert [(chat.format, chat[0].text) for chat in chats] == [("irssi", "one"), ("slack", "two")]


def test_opening_again_does_not_double_the_layers(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(HEADER + message("hi") + '{"layer":"person","id":"a","names":[]}\n', encoding="utf-8")
    for _ in range(2):
        (passing,) = stream(path)
        assert len(passing.chat()) == 1
        assert len(passing.layers().people) == 1


def test_what_people_quote_does_not_change_the_format(tmp_path: Path) -> None:
    path = tmp_path / "quote.jsonl"
    path.write_text(HEADER + message("made by irclog2html, -->"), encoding="utf-8")
    (passing,) = stream(path)
    assert passing.format == "irssi"
