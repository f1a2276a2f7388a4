"""The plain text export: a date in the form of the browser, a dash, and what happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ....chat import RENAME, Message
from ....errors import WrongFormat
from ....text import clean
from ...format import Options, Stream
from ...input.lines import lines
from ...input.source import Source, rewindable
from ...report import Report
from ...times.dates import MOMENT, Dates
from .file_names import room_of_file

LINE = re.compile(rf"(?=.{{6,20}}\d[:.]\d\d[:.]\d\d\b)({MOMENT}) - (?!\[)")
MARKS = re.compile(
    r" - .+ (?:joined the room|left the room|created and configured the room|created this room|invited @\S+:\S+"
    r"|changed the (?:room|topic)|made (?:future )?(?:the )?room|enabled end-to-end|changed their display name"
    r"|sent an image\.|sent a sticker\.)| - @[^\s:]+:[\w.-]+: | \((?:Media omitted|File Attached)[^)]*\)\n"
)
_SAID = re.compile(r"(?s)(@[^\s:]+:[^\s:]+(?::\d+)?|[^:\n]{1,100}?): (.*)")
_SENT = re.compile(r"(.{1,100}?) sent (?:an? )(image|sticker|video|file|voice message)\.(?: \([^()]*\))?$")
_RENAMED = re.compile(r"(.{1,200}?) changed their display name (?:from .{1,200} )?to (.{1,200}?)\.?$")
_ABOUT = re.compile(
    r"(.{1,100}?) (?:joined|left|invited|removed|banned|unbanned|changed|created|made|set|turned|upgraded|accepted"
    r"|rejected|placed|pinned|unpinned|withdrew|started|ended)\b"
)
_ACTOR = re.compile(r"\* (\S+) ?(.*)", re.DOTALL)
_MOST_NAMES = 10_000


def stream(source: Source, options: Options) -> Stream:
    source = rewindable(source)
    return Stream(room_of_file(source.name), lambda first, report: _messages(source, options, first, report))


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    dates, names = _learn(source, options)
    count, shown = first, ""
    parts: list[str] = []
    for number, line in enumerate(lines(source), 1):
        report.total += 1
        if found := LINE.match(line):
            if parts:
                yield _message(str(count), dates, shown, "\n".join(parts), names)
                count += 1
            shown, parts = found[1], [line[found.end() :]]
        elif parts:
            parts.append(line)
            report.continued += 1
        elif line.strip():
            report.unexplain(source.name, number, "stands before the first date")
        else:
            report.skip(source.name, number, "blank line")
    if parts:
        yield _message(str(count), dates, shown, "\n".join(parts), names)
    elif report.unexplained:
        raise WrongFormat(source.name, "matrix", "no line of it has a date, a dash and a text")


def _learn(source: Source, options: Options) -> tuple[Dates, list[str]]:
    """The first pass: the order of the dates, and who speaks; the longest names first."""
    dates = Dates(options.timezone)
    names: set[str] = set()
    for line in lines(source):
        if found := LINE.match(line):
            dates.see(found[1])
            if named := _SAID.match(line, found.end()) or _ABOUT.match(line, found.end()):
                names.add(named[1])
    return dates, sorted(islice(names, _MOST_NAMES), key=lambda name: (-len(name), name))


def _message(id: str, dates: Dates, shown: str, rest: str, names: list[str]) -> Message:
    draft = Message(id, dates.read(shown), "", clean(rest.rstrip("\n")))
    text = draft.text
    if text.startswith("* "):
        actor = next((name for name in names if text.startswith(f"* {name} ")), "")
        found = _ACTOR.match(text)
        author = actor or (found[1] if found else "")
        return draft._replace(author=author, text=text[2 + len(author) :].strip(), kind="action")
    if sent := _SENT.match(text):
        return draft._replace(author=sent[1], text=f"[{sent[2]}]")
    if spoken := _SAID.match(text):
        return draft._replace(author=spoken[1], text=spoken[2])
    if renamed := _RENAMED.match(text):
        return draft._replace(author=renamed[1], text=f"{renamed[1]}{RENAME}{renamed[2]}", kind="system")
    about = _ABOUT.match(text)
    return draft._replace(author=about[1] if about else "", kind="system")
