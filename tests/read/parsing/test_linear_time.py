"""Reading takes time in proportion to the input, whatever is in it: each of these would take minutes otherwise."""

from __future__ import annotations

from typing import SupportsIndex

import pytest

from hubbub.chat import Message
from hubbub.read.formats import format_named
from hubbub.read.formats.irc.context import continuation
from hubbub.read.formats.irc.dialect import Dialect

from ...reading import read_all, said

PIDGIN = "Conversation with pear at Mon 01 Jan 2024 10:00:00 on plum (irc)\n"


class CountedLines(list[str]):
    """Lines that count how many of them are handed out."""

    count = 0  # type: ignore[assignment]

    def __getitem__(self, index: SupportsIndex | slice) -> str | list[str]:  # type: ignore[override]
        found = super().__getitem__(index)
        self.count += len(found) if isinstance(found, list) else 1
        return found


def test_pidgin_with_many_blank_lines() -> None:
    found, report = read_all("pidgin", f"{PIDGIN}(10:00:00) ann: hi\n" + "\n" * 100_000 + "(10:00:01) ben: hello\n")
    [messages] = found.values()
    assert said(messages)[1:] == [("ann", "hi"), ("ben", "hello")]
    assert report.skipped["blank line"] == 100_000
    assert report.unaccounted(len(messages)) == 0


def test_pidgin_keeps_blank_lines_inside_a_message() -> None:
    found, report = read_all("pidgin", f"{PIDGIN}(10:00:00) ann: hi\n\n\nthere\n\n\n(10:00:01) ben: hello\n")
    [messages] = found.values()
    assert said(messages)[1:] == [("ann", "hi\n\n\nthere"), ("ben", "hello")]
    assert report.skipped["blank line"] == 2


def test_a_blank_line_of_a_log_does_not_copy_the_lines_below_it() -> None:
    irssi = format_named("irssi").read.__self__  # type: ignore[attr-defined]
    assert isinstance(irssi, Dialect)
    lines = CountedLines([""] * 10_000)
    message = Message("0", None, "ann", "hi", "message")
    assert not any(continuation(irssi, message, lines, place, len(lines)) for place in range(100))
    assert lines.count < 1000


def test_a_log_with_many_blank_lines() -> None:
    part = "10:00 < ann> hello\n" * 20
    found, report = read_all("irssi", part + "\n" * 300_000 + part)
    [messages] = found.values()
    assert len(messages) == 40
    assert report.skipped["blank line"] == 300_000


@pytest.mark.parametrize("part", ["<v ", "<v.", "<v.a ", "<c", "{\\", "{\\\\", "x\n"])
@pytest.mark.parametrize(("format", "heading"), [("webvtt", "WEBVTT\n\n"), ("srt", "1\n")])
def test_a_cue_with_many_tags_that_are_not_closed(format: str, heading: str, part: str) -> None:
    cue = "00:00:00,000 --> 00:00:01,000\n"
    found, report = read_all(format, f"{heading}{cue}{part * 300_000}\n\n{cue}<v Ann>hi {{\\an8}}<i>there</i>\n")
    [messages] = found.values()
    assert said(messages)[-1] == ("Ann", "hi there")
    assert report.unaccounted(len(messages)) == 0
