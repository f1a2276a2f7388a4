"""The options that every verb which reads a chat has, and the closing word on what became no message."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..chat import Message
from ..errors import OptionError, Unexplained
from ..read import ChatStream, stream
from ..read.format import Report
from ..text import LONGEST_SEEN, plural
from . import is_piped
from .console import tell
from .progress import shown_progress


def add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, folders, globs, archives, or - for what is piped in (the default)",
    )
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How the chats are read, for verbs that name their paths in another way."""
    parser.add_argument("--format", metavar="F", help="read as this format instead of sniffing it")
    parser.add_argument(
        "--date", metavar="DAY", help="the day on which the log begins, if it does not say (2013-01-31)"
    )
    parser.add_argument("--timezone", metavar="ZONE", help="the zone of times that name none (Europe/Berlin)")
    parser.add_argument("--columns", metavar="A=B,...", help="which column of a table is what (author=nick,text=body)")
    parser.add_argument(
        "--bridges",
        choices=("auto", "off"),
        default="auto",
        help="auto: messages that a bridge relays get their real authors (the default); off: they keep the bot's name",
    )
    parser.add_argument(
        "--max-unpacked",
        metavar="SIZE",
        help="how far a packed file may unpack, such as 20G (default: HUBBUB_MAX_UNPACKED, or else 10G, and from 100M"
        " on 200 times its size)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 2 if any line or record stays unexplained, or any file is left out",
    )


def streams(arguments: argparse.Namespace) -> Iterator[ChatStream]:
    """The chats that were asked for; when the last has passed, a word on stderr about what became no message.

    With --strict, lines that stayed unexplained and files that were left out are an error then, before anything that
    was written is put in place. Otherwise `arguments.left_out` says whether the run ends with EXIT_LEFT_OUT.
    """
    if not arguments.paths:
        if not is_piped():
            raise OptionError("PATH", "is missing", "name a file or folder, or pipe a chat in")
        arguments.paths = ["-"]
    found = stream(
        arguments.paths,
        format=arguments.format,
        date=_day(arguments.date),
        timezone=_zone(arguments.timezone),
        columns=_columns(arguments.columns),
        bridges=arguments.bridges != "off",
        max_unpacked=arguments.max_unpacked,
    )
    total, long = Report(), list[str]()
    for one in found:
        one.messages = _noting_long(shown_progress(one.messages, one.name), one.name, long)
        yield one
        total.merge(one.report)
    total.merge(found.report)
    for sentence in _sentences(total):
        tell(sentence)
    if long and getattr(arguments, "cuts", True):
        tell(_shortened(long))
    if arguments.strict and (total.unexplained or total.left_out):
        raise Unexplained(total.unexplained.total(), len(total.left_out), ", ".join(arguments.paths))
    arguments.left_out = bool(total.left_out)


def _shortened(long: list[str]) -> str:
    """What is to be said of messages that models and drawings see the beginning of; data that are written have all."""
    which = ", ".join(long[:5]) + (", ..." if len(long) > 5 else "")
    many = plural(len(long), "message has", "messages have")
    return f"{many} more than {LONGEST_SEEN:,} characters, and only the first of them are drawn or judged: {which}"


def _noting_long(messages: Iterator[Message], name: str, long: list[str]) -> Iterator[Message]:
    for message in messages:
        if len(message.text) > LONGEST_SEEN:
            long.append(f"{message.id} of {name}")
        yield message


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise OptionError("--date", text, "a day is written as 2013-01-31") from None


def _zone(text: str | None) -> tzinfo | None:
    try:
        return ZoneInfo(text) if text else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise OptionError("--timezone", text, "a zone is written as Europe/Berlin or UTC") from None


def _columns(text: str | None) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",")] if text else []
    if not all(name and column for name, _, column in pairs):
        raise OptionError("--columns", text, "columns are written as author=nick,text=body")
    return {name.strip(): column.strip() for name, _, column in pairs}


def _sentences(report: Report) -> Iterator[str]:
    for each in report.left_out:
        counted = "" if each.lines is None else f", {plural(each.lines, 'line')}"
        yield f"could not be read: {each.where}{counted}: {each.reason}"
    for word, tally in (("unexplained", report.unexplained), ("left out", report.skipped)):
        for reason, count in tally.items():
            places = [f"{r.where}:{r.line}" if r.line else r.where for r in report.remarks if r.reason == reason]
            listed = ", ".join(places[:5]) + (", ..." if count > 5 else "")
            yield f"{word}: {plural(count, 'line or record', 'lines or records')}, {reason} ({listed})"
