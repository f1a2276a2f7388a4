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
from typing import NamedTuple

from ..chat import Message
from ..errors import WrongFormat
from ..text import clean, plural
from .format import Clue, Format, Options, Report, Sample, Stream
from .lines import decode_block, lines
from .names import name_from_path
from .source import Source, rewindable
from .speech import NAME, Said, is_direction, looks_like_name, speaker

_OFFSET = r"(?:\d{1,2}:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?"
_LEADING = re.compile(rf"(?:[\[(]{_OFFSET}(?:\s*-+>?\s*{_OFFSET})?[\])]|{_OFFSET})\s*[-–—]?\s*(?=\S)")
_TIMED_NAME = re.compile(rf"({NAME})\s+[\[(]?{_OFFSET}[\])]?\s*$")
_CUE_NAME = re.compile(r"([^\W\d_][^:\"!?,;]{1,38}?)\s*(?:\((?:[^()]{1,20})\))?$")
_TIME_ALONE = re.compile(rf"[\[(]?{_OFFSET}[\])]?$")
_SCENE = re.compile(
    r"(?:INT|EXT|INT\.?/EXT|I/E)[. ]|(?:SCENE|ACT|Scene|Act)\b[^:]{0,40}$|THE END\.?$|[=*-]{3,}$"
    r"|(?:FADE|CUT|DISSOLVE|SMASH CUT)\b.*(?:IN|OUT|TO)[:.]?$"
)
SAMPLE = 300


class Line(NamedTuple):
    """What a line is: a name with or without text, text alone, or something that nobody says."""

    name: str = ""
    text: str = ""
    heading: bool = False
    alone: bool = False


def _understood(raw: str, after_blank: bool) -> Line:
    """One line by itself; `alone` is a name in capitals or with a time, whose speech stands below."""
    line = raw.strip()
    if _SCENE.match(line) or is_direction(line):
        return Line(text=line, heading=True)
    rest = line[found.end() :] if (found := _LEADING.match(line)) else line
    if named := _TIMED_NAME.match(rest):
        return Line(named[1].strip(), alone=True)
    if said := speaker(rest):
        return Line(*said)
    if after_blank and rest.isupper() and (cue := _CUE_NAME.match(rest)) and len(rest.split()) <= 5:
        return Line(cue[1].strip(), rest, alone=True)
    return Line(text=rest)


def _names(source_lines: Iterable[str]) -> tuple[Counter[str], frozenset[str]]:
    """How often each name seems to speak, and those that stand in capitals only, each in a line of its own."""
    found: Counter[str] = Counter()
    doubtful: dict[str, bool] = {}
    blank = True
    for raw in source_lines:
        line, blank = _understood(raw, blank), not raw.strip()
        if line.name:
            found[line.name] += 1
            doubtful[line.name] = doubtful.get(line.name, True) and line.alone and bool(line.text)
    return found, frozenset(name for name, doubt in doubtful.items() if doubt)


def _speakers(source_lines: Iterable[str]) -> frozenset[str]:
    """Names that come again or are written as names are; a line in capitals may be a title unless it comes again."""
    names, doubtful = _names(source_lines)
    return frozenset(n for n, count in names.items() if count > 1 or (looks_like_name(n) and n not in doubtful))


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start:
        return None
    beginning = [clean(line) for line in decode_block(sample.head)[:SAMPLE]]
    names, _ = _names(beginning)
    spoken, told = names.total(), sum(1 for line in beginning if line.strip())
    again = [count for count in names.values() if count > 1]
    if len(names) < 2 or sum(again) < 0.6 * spoken or spoken < 0.2 * told:
        return None
    return Clue(min(0.5, 0.3 + 0.25 * spoken / told), f"{plural(len(again), 'name speaks', 'names speak')} repeatedly")


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    known = _speakers(map(clean, lines(source)))
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

    def taken(self, over: bool) -> Said | None:
        """What was said since the last time; of a speech that is over and had no text, the name."""
        said, self.text = "\n".join(self.text), []
        if not said:
            return ("", self.author, "system") if over and self.author and not self.heard else None
        self.heard = True
        return self.author, said, "message" if self.author else "system"


def _messages(source: Source, known: frozenset[str], first: int, report: Report) -> Iterator[Message]:
    said = _said(source, known, report)
    return (Message(str(n), None, author, text, kind) for n, (author, text, kind) in enumerate(said, first))


def _said(source: Source, known: frozenset[str], report: Report) -> Iterator[Said]:
    speech, blank = _Speech(), True
    for number, raw in enumerate(map(clean, lines(source)), 1):
        line, after_blank, blank = _understood(raw, blank), blank, not raw.strip()
        if blank or _TIME_ALONE.match(raw.strip()):
            report.skip(source.name, number, "blank line" if blank else "a time")
            continue
        begins = line.name in known
        over = begins or (after_blank and not line.heading and (speech.below or not speech.author))
        if (over or line.heading) and (told := speech.taken(over)):
            yield told
        if over:
            speech = _Speech(line.name if begins else "", line.alone)
        if line.heading:
            yield "", line.text, "system"
        elif not begins:
            speech.text.append(raw.strip())
        elif line.text and not line.alone:
            speech.text.append(line.text)
    if told := speech.taken(over=True):
        yield told


FORMAT = Format("transcript", _sniff, _read)
