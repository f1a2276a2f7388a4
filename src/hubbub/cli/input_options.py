"""The options of every command that reads a chat, and the notes about what became no message."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..chat import Message
from ..errors import OptionError, Unexplained, UnknownName
from ..text import LONGEST_SEEN, plural
from . import is_piped
from .command import Arguments
from .console import detail, tell
from .options import all_of
from .parameter_types import DAY, FILE, Columns, Name, Zone, format_name

if TYPE_CHECKING:
    from ..read import ChatStream
    from ..read.report import Report

reading = all_of(
    click.option("--format", metavar="FORMAT", type=format_name(), help="Input format (default: detected)."),
    click.option("--date", metavar="DAY", type=DAY, help="First day of a log without dates (2013-01-31)."),
    click.option("--timezone", metavar="ZONE", type=Zone(), help="Time zone of times that have none (Europe/Berlin)."),
    click.option("--columns", metavar="A=B,...", type=Columns(), help="Columns of a table (author=nick,text=body)."),
    click.option(
        "--bridges", type=Name(("auto", "off")), default="auto",
        help="auto: attribute messages relayed by a bridge to their real authors (default); off: keep the bot's name.",
    ),
    click.option(
        "--max-unpacked", metavar="SIZE",
        help="Maximum size of a packed file after unpacking, such as 20G (default: HUBBUB_MAX_UNPACKED; else 10G, and"
        " from 100M on no more than 200 times the packed size).",
    ),
    click.option(
        "--strict", is_flag=True, help="Exit with 2 if a line or record cannot be parsed or a file cannot be read.",
    ),
)  # fmt: skip

paths = click.argument("paths", nargs=-1, metavar="[PATH]...", type=FILE)

one_chat = click.option("--chat", metavar="NAME", help="Only the chat with this name, if the input has several.")

inputs: Callable[[Any], Any] = all_of(paths, one_chat, reading)


def streams(arguments: Arguments) -> Iterator[ChatStream]:
    """The chats of the input; after the last one, notes on standard error about what became no message.

    With --strict, unexplained lines and files that were left out are an error then, before anything that was written
    is put in place. Otherwise `arguments.left_out` says whether the run ends with EXIT_LEFT_OUT.
    """
    from ..read.reading import stream
    from ..read.report import Report

    places = _places(arguments)
    found = stream(
        places,
        format=arguments.format,
        date=arguments.date,
        timezone=arguments.timezone,
        columns=arguments.columns,
        bridges=arguments.bridges != "off",
        max_unpacked=arguments.max_unpacked,
        live=getattr(arguments, "live", None),
    )
    total, long = Report(), list[str]()
    share = ReadShare(places)
    for one in _of_name(found, getattr(arguments, "chat", None)):
        share.begin()
        one.messages = _noted(one.messages, one.name, long, share)
        began = time.monotonic()
        yield one
        detail(_details(one, time.monotonic() - began))
        total.merge(one.report)
    total.merge(found.report)
    for sentence in _sentences(total):
        tell(sentence)
    if long and getattr(arguments, "cuts", True):
        tell(_shortened(long))
    if arguments.strict and (total.unexplained or total.left_out):
        raise Unexplained(total.unexplained.total(), len(total.left_out), ", ".join(places))
    arguments.left_out = bool(total.left_out)


def _of_name(chats: Iterable[ChatStream], wanted: str | None) -> Iterator[ChatStream]:
    """The chats of that name, in whatever letters; all of them if none is named."""
    names, is_found = list[str](), False
    for one in chats:
        names.append(one.name)
        if wanted is None or one.name.lower() == wanted.lower():
            is_found = True
            yield one
    if wanted and not is_found:
        raise UnknownName("chat", wanted, names)


def single_chat(arguments: Arguments, option: str, number: int) -> ChatStream:
    """The only chat of the input: a number of a message or conversation says nothing about several."""
    found = streams(arguments)
    one = next(found)
    messages = tuple(one.messages)
    if others := [each.name for each in found]:
        names = ", ".join([one.name, *others][:5]) + (", ..." if len(others) > 4 else "")
        raise OptionError(option, number, f"the input has several chats ({names}); choose one with --chat NAME")
    return replace(one, messages=iter(messages))


def _places(arguments: Arguments) -> list[str]:
    if arguments.paths:
        return list(arguments.paths)
    if not is_piped():
        raise OptionError("PATH", "is missing", "name a file or folder, or pipe a chat in")
    return ["-"]


class ReadShare:
    """The share of the input files that has been read, by their bytes; None for pipes."""

    def __init__(self, places: Sequence[str]) -> None:
        self._places = places
        self._size: int | None = None
        self._start = 0
        self._is_begun = False

    def begin(self) -> None:
        """From here on bytes count: those before were read to recognise formats."""
        from ..read.input.source import bytes_read

        if not self._is_begun:
            self._start, self._is_begun = bytes_read(), True

    def done(self) -> float | None:
        from ..read.input.source import bytes_read

        if self._size is None:
            self._size = sum(map(_size, self._places))
        return min((bytes_read() - self._start) / self._size, 1.0) if self._size else None


def _size(place: str) -> int:
    path = Path(place)
    try:
        if not path.is_dir():
            return path.stat().st_size
        return sum(Path(folder, name).stat().st_size for folder, _, names in os.walk(path) for name in names)
    except OSError:
        return 0


def _noted(messages: Iterator[Message], name: str, long: list[str], share: ReadShare) -> Iterator[Message]:
    """The same messages; very long ones are noted, and progress is shown."""
    from .progress import counted

    for message in counted(messages, name, share.done):
        if len(message.text) > LONGEST_SEEN:
            long.append(f"{message.id} of {name}")
        yield message


def _details(one: ChatStream, seconds: float) -> str:
    counts = one.report
    return (
        f"{one.name}: format {one.format}, {plural(counts.total, 'line or record', 'lines or records')}, "
        f"{counts.skipped.total():,} skipped, {counts.unexplained.total():,} unexplained, {seconds:.1f} s"
    )


def _shortened(long: list[str]) -> str:
    """Messages of which models and drawings see the beginning only; data that are written have all."""
    which = ", ".join(long[:5]) + (", ..." if len(long) > 5 else "")
    many = plural(len(long), "message has", "messages have")
    return f"{many} more than {LONGEST_SEEN:,} characters; the rest is neither drawn nor analysed: {which}"


def _sentences(report: Report) -> Iterator[str]:
    for each in report.left_out:
        counted = "" if each.lines is None else f", {plural(each.lines, 'line')}"
        what = "could not be read to its end" if each.begun else "could not be read"
        yield f"{what}: {each.where}{counted}: {each.reason}"
    for word, tally in (("unexplained", report.unexplained), ("skipped", report.skipped), ("note", report.noted)):
        for reason, count in tally.items():
            places = [f"{r.where}:{r.line}" if r.line else r.where for r in report.remarks if r.reason == reason]
            listed = ", ".join(places[:5]) + (", ..." if count > 5 else "")
            yield f"{word}: {plural(count, 'line or record', 'lines or records')}, {reason} ({listed})"
