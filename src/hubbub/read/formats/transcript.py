"""Transcripts: "Name: text", or a name in a line of its own above the text, as meetings and screenplays are written.

Times such as [00:01:02] tell how far into a recording something was said. They are no times of day, so messages have
neither time nor clock. Directions in brackets, scene headings and whatever nobody says are system messages.
A line that names nobody goes on with the speech before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

from ...chat import Message
from ...errors import WrongFormat
from ...text import clean, plural
from ..detect.file_head import Clue, Sample
from ..format import Format, Options, Stream
from ..input.lines import decode_block, lines, with_newlines
from ..input.source import Source, rewindable
from ..parsing.path_names import name_from_path
from ..parsing.speakers import NAME, Said, is_direction, looks_like_name, speaker
from ..report import Report

_OFFSET = r"(?:\d{1,2}:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?"
_CLOCK = rf"{_OFFSET}(?: ?[AaPp]\.?[Mm]\.?)?"
_LEADING = re.compile(rf"(?:[\[(]{_OFFSET}(?:\s*-+>?\s*{_OFFSET})?[\])]|{_CLOCK})\s*+(?:[-–—]\s*+)?(?=\S)")
_TIMED_NAME = re.compile(rf"({NAME})(?:\s++(?:[-–—|,]\s++)?|[-–—|,]\s++)[\[(]?{_CLOCK}[\])]?\s*$")
_NAME_ALONE = re.compile(rf"{NAME}$")
_BOLD = re.compile(r"(?:\*\*|__)([^*:]{1,50}?)(:?)(?:\*\*|__)(:?)\s*")
_SENT = re.compile(r"From\s+(\S.*?)(?:(?<=\S)\s++to\s+.+)?$")
_CUE_NAME = re.compile(r"([^\W\d_][^:\"!?,;]{1,38}?)\s*(?:\((?:[^()]{1,20})\))?$")
_TIME_ALONE = re.compile(rf"[\[(]?{_CLOCK}[\])]?$")
_SCENE = re.compile(
    r"(?:INT|EXT|INT\.?/EXT|I/E)[. ]|(?:SCENE|ACT|Scene|Act)\b[^:]{0,40}$|THE END\.?$|[=*-]{3,}$"
    r"|(?:FADE|CUT|DISSOLVE|SMASH CUT)\b.*(?:IN|OUT|TO)[:.]?$"
)
SAMPLE = 300


class TranscriptLine(NamedTuple):
    """What a line is: a name with or without text, text alone, or something that nobody says."""

    name: str = ""
    text: str = ""
    heading: bool = False
    alone: bool = False
    timed: bool = False


def _understood(raw: str, after_blank: bool, before_time: bool) -> TranscriptLine:
    """One line by itself; `alone` is a name in capitals or with a time, whose speech stands below."""
    line = raw.strip()
    if _SCENE.match(line) or is_direction(line):
        return TranscriptLine(text=line, heading=True)
    found = _LEADING.match(line)
    rest = line[found.end() :] if found else line
    if bold := _BOLD.match(rest):
        rest = f"{bold[1]}{bold[2]}{bold[3]} {rest[bold.end() :]}".strip()
    if named := _TIMED_NAME.match(rest):
        return TranscriptLine(named[1].strip(), alone=True, timed=True)
    if after_blank and before_time and _NAME_ALONE.match(rest):
        return TranscriptLine(rest, alone=True, timed=True)
    if said := speaker(rest):
        name = _SENT.sub(r"\1", said[0]) if found else said[0]
        return TranscriptLine(name, said[1], timed=found is not None)
    if after_blank and rest.isupper() and (cue := _CUE_NAME.match(rest)) and len(rest.split()) <= 5:
        return TranscriptLine(cue[1].strip(), rest, alone=True)
    return TranscriptLine(text=rest)


def _each(source_lines: Iterable[str]) -> Iterator[tuple[str, TranscriptLine, bool]]:
    """Each line, what it is by itself, and whether it stands after a blank one."""
    after_blank = True
    for raw, following in pairwise(chain(source_lines, [""])):
        yield raw, _understood(raw, after_blank, bool(_TIME_ALONE.match(following.strip()))), after_blank
        after_blank = not raw.strip()


@dataclass(slots=True)
class _Names:
    """How often each name seems to speak, how often with a time, and those in capitals only, each in its own line."""

    spoken: Counter[str] = field(default_factory=Counter)
    timed: Counter[str] = field(default_factory=Counter)
    sure: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, source_lines: Iterable[str]) -> _Names:
        names = cls()
        for _, line, _ in _each(source_lines):
            if line.name:
                names.spoken[line.name] += 1
                names.timed[line.name] += line.timed
                if not (line.alone and line.text):
                    names.sure.add(line.name)
        return names

    def again(self) -> dict[str, int]:
        """Names that come again, or stand with a time: nothing but a name does that."""
        return {name: count for name, count in self.spoken.items() if count > 1 or self.timed[name]}

    def speakers(self) -> frozenset[str]:
        """Also names that are written as such, but for lines in capitals, which may be titles.

        Where most names stand with a time, those without one are but words before a colon.
        """
        told = self.timed.total() > 0.5 * self.spoken.total()
        written = () if told else (name for name in self.sure if looks_like_name(name))
        return frozenset((*self.again(), *written))


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start:
        return None
    beginning = [clean(line) for line in decode_block(with_newlines(sample.head))[:SAMPLE]]
    names = _Names.of(beginning)
    spoken, told = names.spoken.total(), sum(1 for line in beginning if line.strip())
    again = names.again()
    sure = sum(again.values()) + 0.5 * sum(1 for name in names.spoken if name not in again and looks_like_name(name))
    if len(names.spoken) < 2 or not again or sure < 0.6 * spoken or spoken < 0.2 * told:
        return None
    return Clue(min(0.5, 0.3 + 0.25 * spoken / told), f"{plural(len(again), 'name speaks', 'names speak')} repeatedly")


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    known = _Names.of(map(clean, lines(source))).speakers()
    if not known:
        raise WrongFormat(source.name, "transcript", 'no line reads as "Name: text"')
    yield Stream(name_from_path(source.name), partial(_messages, source, known))


@dataclass(slots=True)
class _Speech:
    """What is being said: who speaks, the lines so far, and whether it stands below the name, where a blank ends it."""

    author: str = ""
    below: bool = False
    text: list[str] = field(default_factory=list)
    heard: bool = False
    lines: int = 0

    def taken(self, over: bool, report: Report) -> Said | None:
        """What was said since the last time; of a speech that is over and had no text, the name."""
        said, self.text = "\n".join(self.text), []
        if not said and not (over and self.author and not self.heard):
            if over:
                report.continued += self.lines  # a name that stands above words already given out
            return None
        report.continued += self.lines - 1
        self.lines = 0
        if not said:
            return "", self.author, "system"
        self.heard = True
        return self.author, said, "message" if self.author else "system"


def _messages(source: Source, known: frozenset[str], first: int, report: Report) -> Iterator[Message]:
    said = _said(source, known, report)
    return (Message(str(n), None, author, text, kind) for n, (author, text, kind) in enumerate(said, first))


def _said(source: Source, known: frozenset[str], report: Report) -> Iterator[Said]:
    speech = _Speech()
    for number, (raw, line, after_blank) in enumerate(_each(map(clean, lines(source))), 1):
        report.total += 1
        if not raw.strip() or _TIME_ALONE.match(raw.strip()):
            report.skip(source.name, number, "a time" if raw.strip() else "blank line")
            continue
        begins = line.name in known
        over = begins or (after_blank and not line.heading and (speech.below or not speech.author))
        if (over or line.heading) and (told := speech.taken(over, report)):
            yield told
        if over:
            speech = _Speech(line.name if begins else "", line.alone)
        if line.heading:
            yield "", line.text, "system"
            continue
        speech.lines += 1
        if not begins:
            speech.text.append(raw.strip())
        elif line.text and not line.alone:
            speech.text.append(line.text)
    if told := speech.taken(True, report):
        yield told


FORMAT = Format("transcript", _sniff, _read)
