from __future__ import annotations

import pytest

from hubbub.errors import WrongFormat

from ...reading import read_all, read_one, said, unexplained

TIME = "00:00:01.000 --> 00:00:02.000"


def vtt(*cues: str) -> str:
    return "WEBVTT\n\n" + "\n\n".join(f"{TIME}\n{cue}" for cue in cues) + "\n"


@pytest.mark.parametrize(
    ("cue", "expected"),
    [
        ("<v Ana Ruiz>hi</v>", [("Ana Ruiz", "hi")]),
        ("<v.first.loud Ana>hi", [("Ana", "hi")]),
        ("<v Ana>hi</v> <v Ben>yo</v>", [("Ana", "hi"), ("Ben", "yo")]),
        ("<v Ana>Note: this\ntoo</v>", [("Ana", "Note: this too")]),
        ("Ana Ruiz: hi\nthere", [("Ana Ruiz", "hi there")]),
        ("Ana: hi\nBen: yo", [("Ana", "hi"), ("Ben", "yo")]),
        ("and then: nothing", [("", "and then: nothing")]),
        ("<b>1 &lt; 2</b> <00:00:01.500>&amp; 3", [("", "1 < 2 & 3")]),
        ("- hi\n- yo", [("", "hi"), ("", "yo")]),
        (">> ANA: hi", [("ANA", "hi")]),
    ],
)
def test_who_speaks_in_a_cue(cue: str, expected: list[tuple[str, str]]) -> None:
    assert said(read_one("webvtt", vtt(cue))) == expected


def test_a_small_name_speaks_if_it_speaks_again_and_again() -> None:
    messages = read_one("webvtt", vtt("ana: hi", "ana: so: yes", "well: no", "ana: bye"))
    assert said(messages) == [("ana", "hi"), ("ana", "so: yes"), ("", "well: no"), ("ana", "bye")]


def test_offsets_are_no_times_and_sounds_no_speech() -> None:
    (message,) = read_one("webvtt", vtt("[music]"))
    assert (message.kind, message.time, message.clock) == ("system", None, None)


def test_notes_styles_headings_and_names_of_cues_are_left_out() -> None:
    text = f"WEBVTT - x\nKind: captions\n\nNOTE one\ntwo\n\nSTYLE\na {{}}\n\nid-1\n{TIME}\nhi\n\n7\n{TIME}\nyo\n"
    found, report = read_all("webvtt", text)
    assert said(found["sample"]) == [("", "hi"), ("", "yo")]
    assert report.skipped["the heading"] == 2
    assert report.skipped["a note or a style"] == 4
    assert not report.unexplained


def test_an_empty_cue_and_a_stray_line_are_reported() -> None:
    found, report = read_all("webvtt", f"WEBVTT\n\nstray\nid\n{TIME}\n\n{TIME}\nhi\n")
    assert said(found["sample"]) == [("", "hi")]
    assert report.skipped["a cue without text"] == 1
    assert unexplained(report) == [(3, "a line before the first cue")]


def test_no_cue_at_all() -> None:
    with pytest.raises(WrongFormat, match="no line in it times a cue"):
        read_all("webvtt", "hello\n")


def test_a_name_in_brackets_above_the_text_speaks_if_it_comes_again() -> None:
    cue = "00:01.000 --> 00:02.000\n(Ana Ruiz)\nsay {}\n\n"
    text = "WEBVTT\n\n" + "".join(map(cue.format, "abc")) + "00:01.000 --> 00:02.000\n(Door Opens)\n"
    assert said(read_one("webvtt", text)) == [
        *(("Ana Ruiz", f"say {word}") for word in "abc"),
        ("", "(Door Opens)"),
    ]
