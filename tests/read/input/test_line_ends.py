"""Line ends: CR LF, LF and CR, also mixed in one file, as several systems that wrote it leave them."""

from __future__ import annotations

import pytest

from hubbub.read import stream
from hubbub.read.input import lines
from hubbub.read.report import count_lines

from ...conftest import Put
from ...reading import source_of

LINES = [f"[10:{minute:02d}] <ann> line {minute}" for minute in range(40)]
ENDS = ["\r\n", "\n", "\r", "\r\r\n"]


def mixed(first: str, second: str) -> str:
    return "".join(line + first for line in LINES[:20]) + "".join(line + second for line in LINES[20:])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("second", ENDS, ids=repr)
@pytest.mark.parametrize("first", ENDS, ids=repr)
def test_no_line_is_lost_or_merged(put: Put, first: str, second: str, encoding: str) -> None:
    (chat,) = stream(put("tea.log", mixed(first, second).encode(encoding)))
    assert [message.text for message in chat] == [f"line {minute}" for minute in range(40)]
    assert (chat.report.total, chat.report.skipped.total()) == (40, 0)


@pytest.mark.parametrize("block", range(1, 40))
def test_a_line_end_may_lie_across_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    assert list(lines.lines(source_of("a\r\nb\rc\r\r\nd\n\ne\r"))) == ["a", "b", "c", "d", "", "e"]


def test_lines_of_a_file_that_is_left_out_are_counted_by_any_line_end() -> None:
    assert count_lines(source_of("a\r\nb\rc\nd")) == 4


def test_a_long_run_of_returns_takes_linear_time() -> None:
    assert lines.with_newlines(b"\r" * 200_000) == b"\n" * 200_000
