"""Feeds a reader lines of one character or pair over and over; run as `python -m tests.long_lines FORMAT`.

A regular expression that tries every way to divide such a line takes minutes for it, and none that is linear a second.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hubbub.errors import HubbubError
from hubbub.read.detect.file_head import Sample
from hubbub.read.format import Options
from hubbub.read.formats import format_named
from hubbub.read.input.source import Source
from hubbub.read.report import Report

from .golden import cases

LENGTH = 200_000
UNITS = (
    *" \t([<{1:a-*>&\\\"'/@#,.=_|~\u200e\u3000",
    *(
        "a ",
        "a:",
        "1:",
        "1/",
        "[1",
        "<a",
        "()",
        "[]",
        "<>",
        ": ",
        "- ",
        '{"',
        "&a",
        "](",
        "**",
        "(- ",
        "(( ",
        "(a@",
        "< ",
    ),
)


def texts(format_name: str) -> Iterator[list[str]]:
    """The first lines of up to two samples of the format that are text."""
    found = 0
    for case in cases():
        if case.parent.name == format_name and found < 2:
            for path in [case] if case.is_file() else sorted(each for each in case.rglob("*") if each.is_file())[:1]:
                lines = _lines(path)
                found += bool(lines)
                if lines:
                    yield lines


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text("utf-8").split("\n") if line.strip()][:12]
    except UnicodeDecodeError:
        return []


def hostile(lines: list[str], unit: str) -> Iterator[bytes]:
    """Documents in which one line is the unit over and over: alone, behind and inside a line of the sample."""
    long, some = unit * (LENGTH // len(unit)), lines[len(lines) // 2]
    half = len(some) // 2
    for line in (long, some[:12] + long, some[:half] + long + some[half:]):
        yield "\n".join((*lines, line, *lines[-2:])).encode()


def main(format_name: str) -> int:
    format, count = format_named(format_name), 0
    for lines in texts(format_name):
        for unit in UNITS:
            for document in hostile(lines, unit):
                source = Source("sample", partial(io.BytesIO, document))
                try:
                    format.sniff(Sample(source))
                    count += sum(1 for stream in format.read(source, Options()) for _ in stream.open(0, Report()))
                except HubbubError:
                    continue
    return count


if __name__ == "__main__":
    print(main(sys.argv[1]))
