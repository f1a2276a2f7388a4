"""Nothing is lost: every line or record of every sample is a message, a part of one, skipped or unexplained."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.read import stream
from hubbub.read.report import Report

from ..conftest import Put, Run
from ..golden import cases

# Formats whose unit is the line of a text file: their total is checked against the lines of the file itself.
LINES = {
    "botbot", "conll", "csv", "dircproxy", "eggdrop", "hexchat", "hubbub", "irc", "irssi", "jsonl", "limnoria", "mirc",
    "srt", "transcript", "tsv", "ubuntu", "webvtt", "weechat", "whatsapp", "xchat-iso", "znc",
}  # fmt: skip


def account(path: Path) -> tuple[int, Report]:
    """How many messages a place has, and the account of all its chats."""
    found, total, messages = stream(path), Report(), 0
    for one in found:
        messages += sum(1 for _ in one)
        total.merge(one.report)
    total.merge(found.report)
    return messages, total


@pytest.mark.parametrize("case", cases(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_line_or_record_of_a_sample_is_accounted_for(case: Path) -> None:
    messages, report = account(case)
    assert messages or report.skipped
    assert report.unaccounted(messages) == 0
    assert not report.left_out
    if case.parent.name in LINES and case.is_file():
        assert report.total == len(_lines(case.read_bytes()))


def _lines(raw: bytes) -> list[bytes]:
    """The physical lines of a file: ended by newlines, or by carriage returns where there is no newline."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raw = raw.decode("utf-16").encode()
    ends = b"\r" if b"\n" not in raw else b"\n"
    found = raw.split(ends)
    return found if found[-1] else found[:-1]


LOG = "[10:00] <ann> hello\n[10:01] <bob> hi ann\n=== bob is now known as rob\n[10:02]  * ann waves\n"


def test_a_summary_shows_the_account(run: Run, put: Put) -> None:
    (found,) = run("read", put("#tea.txt", LOG + "\nwhat is this\n"), "--to", "summary").records()
    assert found["total"] == 6
    assert found["total"] == found["messages"] + found["continued"] + found["unexplained"]["count"] + sum(
        found["skipped"].values()
    )
