"""Zoom: the chat of a meeting, as it is saved by hand, beside a recording, or in the cloud.

A chat that is saved on a computer tells the time of day, a chat of a cloud recording how far into the recording a
message was sent; the name of its file tells when that began.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from datetime import time as Time
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from ...chat import Kind, Message
from ...errors import WrongFormat
from ...text import clean
from ..detect.file_head import Clue, Sample
from ..format import Format, Options, Stream
from ..input.lines import lines
from ..input.source import Source, rewindable
from ..parsing.path_names import date_in, fallback_name
from ..parsing.quotes import Earlier
from ..parsing.rendering import bracketed
from ..report import Report
from ..times.clock import Clock, second_of_day

# "From" and "to" in the languages of the program; between two spaces any word may stand in their places.
_FROM = "From|De|Von|Da|Van|Od|От|Від|Från|Fra|開始"
_TO = "to|To|a|à|para|an|aan|do|до|кому|для|till|til|終了"
_SAVED = re.compile(rf"(\d{{1,2}}):(\d\d):(\d\d)[\t ]+(?:(\S{{1,12}})  |({_FROM}) )(?=\S)(.+)$")
_CLOUD = re.compile(r"(\d{1,2}):(\d\d):(\d\d)(?:\t ?| )([^\t]{1,100}?) ?:\t(.*)$")
_RECIPIENT = re.compile(rf"(.+)\s(?:{_TO})\s+(\S.*)$")
_WIDE = re.compile(r"\s{2,}")
_PRIVATE = re.compile(r"\s*[(（](?:Direct Message|Privately|Private|ダイレクトメッセージ)[)）]$")
_STARTED = re.compile(r"GMT(\d{8})-(\d{6})")
_MEETING = re.compile(r"\d{4}-\d\d-\d\d[ _]\d\d[.:]\d\d[.:]\d\d[ _](.+?)(?:[ _](\d{9,12}))?$")
_QUOTE = re.compile(r"[^\W\d][^\"“”„«]{1,40}[\"“„«](.+)[\"”“»]:?$")
_REACTION = re.compile(r"(Reacted to \".*\" with \S.*|Removed an? .+ reaction from \".*\")$", re.S)
_INDENT = re.compile(r"^(?:\t| {1,4})")


class Heading(NamedTuple):
    """The line that a message begins with; `text` is None where it stands below."""

    clock: tuple[int, int, int]
    author: str
    recipient: str
    text: str | None


# How the messages of a file begin: "From A to B:" above the text, "From A : text", or an offset, a name and the text.
_Style = Literal["above", "beside", "cloud"]


def _heading(line: str, style: _Style) -> Heading | None:
    found = _CLOUD.match(line) if style == "cloud" else _SAVED.match(line)
    if not found:
        return None
    clock = int(found[1]), int(found[2]), int(found[3])
    if style == "cloud":
        return Heading(clock, found[4].strip(), "", found[5])
    rest = found[6].rstrip()
    head, colon, text = found[6].partition(" : ")
    if rest.endswith(":") and (style == "above" or not colon):
        above = rest[:-1].rstrip()
        return Heading(clock, *_people(above), text="" if style == "beside" else None)
    return Heading(clock, *_people(head), text=text) if colon else None


def _people(head: str) -> tuple[str, str]:
    """Sender and recipient, between whom stands a word between wide spaces, or one that is known."""
    parts = _WIDE.split(head.strip())
    if len(parts) > 2:
        known = [place for place in range(1, len(parts) - 1) if re.fullmatch(_TO, parts[place])]
        place = known[-1] if known else len(parts) - 2
        if " " not in parts[place]:
            return " ".join(parts[:place]), " ".join(parts[place + 1 :])
    found = _RECIPIENT.match(head)
    return (found[1].strip(), found[2].strip()) if found else (head.strip(), "")


def _style(beginning: list[str]) -> _Style:
    """The style of most headings."""
    saved = [line.rstrip() for line in beginning if _SAVED.match(line)]
    cloud = sum(1 for line in beginning if _CLOUD.match(line))
    if cloud > len(saved):
        return "cloud"
    above = sum(1 for line in saved if line.endswith(":") and " : " not in line)
    return "above" if 2 * above > len(saved) else "beside"


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start or not sample.lines:
        return None
    shown = sample.clean_lines
    style = _style(shown)
    found = [heading for line in shown if (heading := _heading(line, style))]
    if not found or not _heading(shown[0], style):
        return None
    if style == "cloud":
        return Clue(0.9, "lines with an offset, a name and a text between tabs")
    words = Counter(saved[4] or saved[5] for line in shown if (saved := _SAVED.match(line)))
    word, count = words.most_common(1)[0]
    known = bool(re.fullmatch(_FROM, word))
    sent = known or sum(1 for heading in found if heading.recipient) > 0.5 * len(found)
    if count < 0.9 * words.total() or not sent or len(found) < (0.02 if known else 0.3) * len(shown):
        return None
    return Clue(0.97 if known else 0.8, "lines tell the time and whom a message is from")


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    name, identity = _meeting(source.name)
    yield Stream(name, lambda first, report: _messages(source, options, first, report), identity=identity)


def _meeting(place: str) -> tuple[str, str]:
    """The meeting's name and number, as the folder tells them in which Zoom saves a chat."""
    path = PurePosixPath(place.replace("\\", "/"))
    for part in (path.parent.name, path.stem):
        if found := _MEETING.match(part):
            return found[1].strip(), found[2] or ""
    stem = _STARTED.sub("", path.stem).strip(" ._-")
    plain = re.fullmatch(r"(?i)(?:meeting_saved_(?:new_)?chat|chat|recording|)", stem)
    return (fallback_name(place) if plain else stem), ""


@dataclass(slots=True)
class _Habits:
    """What the first pass over a file tells: how messages begin, and who writes."""

    style: _Style
    authors: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, source: Source) -> _Habits:
        habits = cls(_style(Sample(source).clean_lines))
        found = (_heading(clean(line), habits.style) for line in lines(source))
        habits.authors = {heading.author for heading in found if heading}
        return habits

    def private(self, recipient: str) -> str:
        """Whom a message was sent to, if not to everyone: somebody who writes too, or who is marked so."""
        named = _PRIVATE.sub("", recipient)
        return named if named != recipient or named in self.authors else ""


class _When:
    """Tells the time of messages: of the day, or of a recording that began at a known moment."""

    def __init__(self, source: Source, options: Options) -> None:
        self._clock = Clock(options.date or date_in(source.name), options.timezone)
        self._start = _start(source.name)

    def of(self, heading: Heading, style: _Style) -> tuple[datetime | None, Time | None]:
        hour, minute, second = heading.clock
        if style == "cloud":
            offset = timedelta(hours=hour, minutes=minute, seconds=second)
            return (self._start + offset if self._start else None), None
        try:
            shown = Time(hour, minute, second)
        except ValueError:
            return None, None
        when = self._clock.at(second_of_day(shown))
        return when, None if when else shown


def _start(place: str) -> datetime | None:
    found = _STARTED.search(PurePosixPath(place.replace("\\", "/")).name)
    try:
        return datetime.strptime(found[1] + found[2], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def _messages(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    habits, when, earlier = _Habits.of(source), _When(source, options), Earlier()
    heading: Heading | None = None
    body: list[str] = []
    count, strange = first, 0
    for number, raw in enumerate(lines(source), 1):
        line = clean(raw)
        report.total += 1
        if following := _heading(line, habits.style):
            if heading:
                yield _message(str(count), heading, body, habits, when, earlier)
                count += 1
            heading, body = following, [] if following.text is None else [following.text]
        elif heading:
            report.continued += 1
            body.append(_INDENT.sub("", line) if habits.style == "above" else line)
        elif line.strip():
            strange += 1
            report.unexplain(source.name, number, "stands before the first message")
        else:
            report.skip(source.name, number, "blank line")
    if heading:
        yield _message(str(count), heading, body, habits, when, earlier)
    elif strange:
        raise WrongFormat(source.name, "zoom", "no line tells a time and whom a message is from")


def _message(id: str, heading: Heading, body: list[str], habits: _Habits, when: _When, earlier: Earlier) -> Message:
    time, clock = when.of(heading, habits.style)
    kind: Kind = "message"
    answered, said = _quoted(body, earlier)
    text = "\n".join(said).strip()
    if _REACTION.match(text):
        kind, text = "system", f"{heading.author} {text[:1].lower()}{text[1:]}"
    else:
        earlier.add(id, text)
    if recipient := habits.private(heading.recipient):
        text = f"{bracketed('to', recipient)} {text}"
    return Message(id, time, heading.author, text.strip(), kind, (answered,) if answered else (), clock)


def _quoted(body: list[str], earlier: Earlier) -> tuple[str, list[str]]:
    """The id of the message that is answered, and the lines without its quote, which stands above a blank line.

    The words before the quote depend on the language; that it is one, the earlier message tells.
    """
    found = _QUOTE.match(body[0].strip()) if len(body) > 1 and not body[1].strip() else None
    id = earlier.find(found[1]) if found else ""
    return id, body[2:] if id else body


FORMAT = Format("zoom", _sniff, _read)
