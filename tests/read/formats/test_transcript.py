from __future__ import annotations

import pytest

import hubbub
from hubbub.errors import WrongFormat
from hubbub.read.detect.file_head import Sample
from hubbub.read.formats import format_named

from ...conftest import Put
from ...reading import read_all, read_one, said, source_of


def score(text: str) -> float:
    clue = format_named("transcript").sniff(Sample(source_of(text)))
    return clue.score if clue else 0.0


@pytest.mark.parametrize(
    "line",
    [
        "Ana Ruiz: hello",
        "[00:01:02] Ana Ruiz: hello",
        "(01:02) Ana Ruiz: hello",
        "00:01:02 Ana Ruiz: hello",
        "[00:01:02 --> 00:01:04] Ana Ruiz: hello",
        "Ana Ruiz (00:01:02): hello",
        "Ana Ruiz [1:02]: hello",
        "Ana Ruiz (on the phone): hello",
        "Ana Ruiz  1:02\nhello",
        "Ana Ruiz：hello",
    ],
)
def test_the_ways_to_name_a_speaker(line: str) -> None:
    (message,) = read_one("transcript", line + "\n")
    assert (message.author, message.text, message.time, message.clock) == ("Ana Ruiz", "hello", None, None)


def test_a_small_name_speaks_if_it_speaks_again() -> None:
    assert said(read_one("transcript", "ana: hi\nben: yo\nana: one thing: tea\nben: ok\nmind: blown\n")) == [
        ("ana", "hi"),
        ("ben", "yo"),
        ("ana", "one thing: tea"),
        ("ben", "ok\nmind: blown"),
    ]


def test_directions_and_headings_are_told_by_nobody() -> None:
    messages = read_one("transcript", "SCENE 2\nAna: hi\n(laughter)\nstill here\n[door opens]\nCUT TO:\nBen: yo\n")
    assert [(m.kind, m.author, m.text) for m in messages] == [
        ("system", "", "SCENE 2"),
        ("message", "Ana", "hi"),
        ("system", "", "(laughter)"),
        ("message", "Ana", "still here"),
        ("system", "", "[door opens]"),
        ("system", "", "CUT TO:"),
        ("message", "Ben", "yo"),
    ]


def test_a_name_without_speech_is_not_lost() -> None:
    messages = read_one("transcript", "Ana:\nBen: yo\nAna:\n")
    assert [(m.kind, m.text) for m in messages] == [("system", "Ana"), ("message", "yo"), ("system", "Ana")]


def test_a_lone_line_of_capitals_is_a_title() -> None:
    messages = read_one("transcript", "MY PLAY\n\nANA\nhi\n\nBEN\nyo\n\nANA\nbye\n\nBEN\nbye\n")
    assert said(messages)[:2] == [("", "MY PLAY"), ("ANA", "hi")]


def test_every_line_goes_somewhere() -> None:
    text = "Title\n\nAna: hi\nmore\n\n[0:05]\nBEN:\n(nods)\nlast"
    found, report = read_all("transcript", text)
    told = "\n".join(message.author + message.text for message in found["sample"])
    assert all(word in told for word in ("Title", "hi", "more", "BEN", "(nods)", "last"))
    assert report.skipped == {"blank line": 2, "a time": 1}


def test_it_is_the_weakest_format() -> None:
    assert 0.3 <= score("Ana: hi\nBen: yo\nAna: tea?\nBen: yes\n") <= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\nnote: bring tea\nthanks: a lot\nand so on\n",
        "Name: Ana\nAge: 7\nTown: Ghent\n",
        "a line\nanother line\n",
        '{"a": 1}\n{"a": 1}\n',
    ],
)
def test_what_nobody_says_is_no_transcript(text: str) -> None:
    assert score(text) == 0


def test_text_without_speakers() -> None:
    with pytest.raises(WrongFormat, match='no line reads as "Name: text"'):
        read_all("transcript", "once upon a time\n")


@pytest.mark.parametrize(
    "text",
    [
        "Ana Lopez  00:00:03\nHello.\n\nBob Hill  00:00:07\nHi. This: is it.\n\nAna Lopez  00:01:03\nBye.\n",
        "Ana Lopez - 00:03\nHello.\n\nBob Hill - 00:07\nHi. This: is it.\n\nAna Lopez - 01:03\nBye.\n",
        "Ana Lopez\n00:03\nHello.\n\nBob Hill\n00:07\nHi. This: is it.\n\nAna Lopez\n01:03\nBye.\n",
        "Ana Lopez  10:03 AM\nHello.\n\nBob Hill  10:03 AM\nHi. This: is it.\n\nAna Lopez  10:04 AM\nBye.\n",
        "**Ana Lopez:** Hello.\n**Bob Hill:** Hi. This: is it.\n**Ana Lopez:** Bye.\n",
        "[Ana Lopez]: Hello.\n[Bob Hill]: Hi. This: is it.\n[Ana Lopez]: Bye.\n",
        "9:15\t From Ana Lopez : Hello.\n9:16\t From Bob Hill to Z(Privately) : Hi. This: is it.\n9:17 Ana Lopez: Bye.",
        "09:15 From Ana Lopez to All:\n\tHello.\n09:16 From Bob Hill to All:\n\tHi. This: is it.\n9:17 Ana Lopez: Bye.",
    ],
)
def test_names_as_recorders_and_meetings_write_them(put: Put, text: str) -> None:
    chat = hubbub.read(put("x.txt", text))
    assert said(list(chat)) == [("Ana Lopez", "Hello."), ("Bob Hill", "Hi. This: is it."), ("Ana Lopez", "Bye.")]


def test_a_small_name_behind_a_time_speaks(put: Put) -> None:
    chat = hubbub.read(put("x.txt", "[00:01] Ana: one\n[00:02] bob: two\n[00:03] Ana: three\n"))
    assert [message.author for message in chat] == ["Ana", "bob", "Ana"]


def test_settings_are_no_transcript() -> None:
    assert not score("name: x\nversion: 1\ndeps:\n  a: 1\n  b: 2\nname: y\nversion: 2\n")
    assert score("Speaker 1: hello\nSpeaker 2: hi\nSpeaker 1: so\nSpeaker 3: well\n")
