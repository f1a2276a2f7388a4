from __future__ import annotations

import pytest

from hubbub.read.detect.file_head import Sample
from hubbub.read.formats import format_named

from ...reading import read_all, read_one, said, source_of

TIME = "00:00:01,000 --> 00:00:02,000"


def test_numbers_go_even_without_a_blank_line_and_blank_lines_stay_within_text() -> None:
    text = f"1\n{TIME}\nANA: hi\n2\n{TIME}\nMR. OTTO: yo\n\nand more\n\n3\n{TIME}\n42\n"
    assert said(read_one("srt", text)) == [("ANA", "hi"), ("MR. OTTO", "yo and more"), ("", "42")]


def test_it_is_told_from_webvtt_and_from_numbers() -> None:
    sniff = format_named("srt").sniff
    assert sniff(Sample(source_of(f"1\n{TIME}\nhi\n")))
    assert sniff(Sample(source_of(f"WEBVTT\n\n{TIME}\nhi\n"))) is None
    assert sniff(Sample(source_of("1\n2\n"))) is None


def test_a_timing_without_decimals_is_a_timing() -> None:
    messages = read_one("srt", "1\n00:00:01 --> 00:00:02\nAna: hello\n\n2\n00:00:02.5 --> 00:00:04\nBob: hi\n")
    assert said(messages) == [("Ana", "hello"), ("Bob", "hi")]


@pytest.mark.parametrize("cut", ["00:0", "00:00:05,000 --", "00:00:05,0"])
def test_a_last_cue_without_its_whole_timing_is_unexplained(cut: str) -> None:
    text = f"1\n00:00:01,000 --> 00:00:02,000\nANN: hi there\n\n2\n{cut}"
    found, report = read_all("srt", text)
    assert [said(messages) for messages in found.values()] == [[("ANN", "hi there")]]
    assert report.unexplained == {"a cue that is cut off in its timing": 2}
    assert report.unaccounted(1) == 0
