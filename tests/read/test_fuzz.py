"""Damaged input: it is read with every line or record accounted for, or refused by a hubbub error; nothing else."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from hubbub.chat import Message
from hubbub.errors import HubbubError
from hubbub.jsonl import message_line
from hubbub.read.detect.sniff import claim, sniff
from hubbub.read.format import Format, Options, Stream
from hubbub.read.formats import FORMATS, format_named
from hubbub.read.input.source import Source, Tree
from hubbub.read.report import Report

from ..golden import cases

INPUTS = 2000
SNIFFED = 40

JSON_VALUE = re.compile(rb'(?<=: )?(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)')
SWAPS = [
    b"null",
    b"[]",
    b"{}",
    b"0",
    b"-1",
    b'""',
    b"1e999",
    b"true",
    b'[{"a": 1}]',
    b'"\\ud800"',
    b"99999999999999999999",
]


@cache
def files_of(format_name: str) -> list[dict[str, bytes]]:
    """Each sample of a format as its files."""
    found = []
    for case in cases():
        if case.parent.name == format_name:
            paths = [case] if case.is_file() else sorted(path for path in case.rglob("*") if path.is_file())
            found.append({path.relative_to(case.parent).as_posix(): path.read_bytes() for path in paths})
    return found


def damaged(data: bytes, dice: random.Random, other: bytes) -> bytes:
    how = dice.randrange(7)
    at = dice.randrange(len(data) + 1)
    if how == 0:
        flipped = bytearray(data)
        for _ in range(dice.randint(1, 8)):
            if flipped:
                flipped[dice.randrange(len(flipped))] ^= 1 << dice.randrange(8)
        return bytes(flipped)
    if how == 1:
        return data[:at]
    if how == 2:
        return data[:at] + data[at + dice.randint(1, 200) :]
    if how == 3:
        start = dice.randrange(len(other) + 1)
        return data[:at] + other[start : start + dice.randint(1, 300)] + data[at:]
    if how == 4:
        lines = data.split(b"\n")
        dice.shuffle(lines)
        return b"\n".join(lines)
    if how == 5:
        return data[:at] + bytes(dice.randrange(256) for _ in range(dice.randint(1, 20))) + data[at:]
    values = list(JSON_VALUE.finditer(data))
    for value in sorted(dice.sample(values, min(len(values), dice.randint(1, 3))), key=lambda v: -v.start()):
        data = data[: value.start()] + dice.choice(SWAPS) + data[value.end() :]
    return data


def opened(format: Format, files: dict[str, bytes]) -> Iterator[Stream]:
    """The files read as this format, from memory."""
    tree = Tree("damaged")
    for name, data in files.items():
        tree.add(name, partial(io.BytesIO, data))
    if len(files) > 1 and format.read_tree:
        yield from format.read_tree(tree, Options())
    else:
        for source in tree.files.values():
            yield from format.read(source, Options())


def consume(streams: Iterator[Stream]) -> int:
    """Reads all chats to their end, checks each message and the account of each chat, and counts the messages."""
    read = 0
    for stream in streams:
        report, messages = Report(), 0
        for message in stream.open(0, report):
            check(message)
            messages += 1
        assert report.unaccounted(messages) == 0, f"{report.unaccounted(messages)} of {report.total} in {stream.name!r}"
        read += messages
    return read


def check(message: Message) -> None:
    assert type(message.id) is str
    assert type(message.author) is str
    assert type(message.text) is str
    assert message.kind in ("message", "action", "system")
    assert all(type(answered) is str for answered in message.reply_to)
    message_line(message)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_damaged_sample_is_read_and_accounted_for_or_refused(name: str) -> None:
    format, samples, dice = format_named(name), files_of(name), random.Random(name)
    others = [data for other in FORMATS for files in files_of(other) for data in files.values()]
    read = 0
    for _ in range(INPUTS):
        files = dict(dice.choice(samples))
        victim = dice.choice(list(files))
        files[victim] = damaged(files[victim], dice, dice.choice(others))
        try:
            read += consume(opened(format, files)) > 0
        except HubbubError:
            continue
    # A reader that refuses whatever is damaged would pass without this; a binary table is lost with any wrong byte.
    assert read > (0 if name == "parquet" else INPUTS / 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_sniffing_damaged_samples_raises_nothing_but_hubbubs_own_errors(name: str) -> None:
    samples, dice = files_of(name), random.Random(name)
    for _ in range(SNIFFED):
        member, data = dice.choice([pair for files in samples for pair in files.items()])
        broken = damaged(data, dice, data)
        source = Source(Path(member).name, partial(io.BytesIO, broken))
        try:
            consume(sniff(source).read(source, Options()))
        except HubbubError:
            continue


def test_a_sample_under_any_name_is_claimed_by_its_own_reader() -> None:
    """Whole samples in random order, with names that say nothing; a folder is claimed as one if its format has any."""
    samples = [(case.parent.name, case) for case in cases()]
    random.Random(0).shuffle(samples)
    wrong = []
    for format_name, case in samples:
        files = sorted(path for path in case.rglob("*") if path.is_file()) or [case]
        if case.is_file() or format_named(format_name).read_tree is None:
            found = {sniff(Source("sample", partial(io.BytesIO, path.read_bytes()))).name for path in files}
        else:
            tree = Tree("sample")
            for path in files:
                tree.add(path.relative_to(case).as_posix(), partial(io.BytesIO, path.read_bytes()))
            claimed = claim(tree)
            found = {claimed.name if claimed else "nobody"}
        if found != {format_name}:
            wrong.append((format_name, case.name, found))
    assert not wrong


def test_the_account_notices_a_line_that_a_reader_drops() -> None:
    """What the tests above rest on: a reader that drops a line, or refuses everything, does not pass."""
    dropping = Stream("chat", lambda first, report: iter(_counting(report, 2, [Message("0", None, "ann", "hi")])))
    with pytest.raises(AssertionError, match="1 of 2"):
        consume(iter([dropping]))


def _counting(report: Report, lines: int, messages: list[Message]) -> list[Message]:
    report.total += lines
    return messages
