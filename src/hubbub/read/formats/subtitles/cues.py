"""Subtitles with speakers, the part that WebVTT and SRT share.

The times of cues tell how far into a recording they are. They are no times of day, so messages have neither time nor
clock. A cue becomes one message for each speaker in it; its lines are joined, since they break only for the screen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...detect.file_head import Sample
from ...input.lines import lines
from ...input.source import Source
from ...parsing.speakers import NAME, Said, is_direction, looks_like_name, speaker
from ...report import Report

OFTEN = 3
TIMING = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?\s*-->\s*(?:\d+:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?")
# No part of these may run over the beginning of another tag, or a row of open tags takes quadratic time.
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?\s++([^>]*)>")
_TAG = re.compile(r"</?(?:[a-zA-Z][^<>]*+|\d\d[\d:.]*+)>|\{\\[^{}]*+\}")
_TURN = re.compile(r"\s*(?:>>+|»|[-‐–—])\s*(?=\S)")
_NAME_ALONE = re.compile(rf"\s*[\[(]({NAME} {NAME})[\])]\s*$")
_CUT_TIMING = re.compile(r"\s*\d{1,2}:[\d:.,>\s-]*$")
_ASIDE = re.compile(r"NOTE(?:\s|$)|STYLE\s*$|REGION\s*$")


@dataclass(slots=True)
class Cue:
    """`line` is the number of its timing; `lines` is how many lines it has, timing and number included."""

    line: int
    lines: int = 1
    text: list[str] = field(default_factory=list)


def messages(source: Source, format: str, first: int, report: Report) -> Iterator[Message]:
    count, known, cues = first, _known(source), 0
    for cue in _cues(source, report):
        cues += 1
        said = list(_said(cue.text, known))
        report.continued += cue.lines - max(len(said), 1)  # below 0 where one line has the words of several
        if not said:
            report.skip(source.name, cue.line, "a cue without text")
        for author, text, kind in said:
            yield Message(str(count), None, author, text, kind)
            count += 1
    if not cues:
        raise WrongFormat(source.name, format, "no line in it times a cue")


def _cues(source: Source, report: Report) -> Iterator[Cue]:
    """Cues one after the other. A line right above a timing is the cue's own name; text may hold blank lines."""
    cue: Cue | None = None
    held: list[tuple[int, str]] = []
    for number, line in _told(source, report):
        if not TIMING.match(line):
            held.append((number, line))
            continue
        named = bool(held) and (
            cue is None or held[-1][1].strip().isdecimal() or (len(held) > 1 and not held[-2][1].strip())
        )
        name = held.pop() if named else None
        if cue := _closed(cue, held, source.name, report):
            yield cue
        cue, held = Cue(number), []
        if name and name[1].strip():
            cue.lines += 1
        elif name:
            report.skip(source.name, name[0], "blank line")
    if [bool(line.strip()) for _, line in held[-3:]] == [False, True, True] and _CUT_TIMING.match(held[-1][1]):
        for number, _ in held[-2:]:
            report.unexplain(source.name, number, "a cue that is cut off in its timing")
        del held[-2:]
    if cue := _closed(cue, held, source.name, report):
        yield cue


def _closed(cue: Cue | None, held: list[tuple[int, str]], where: str, report: Report) -> Cue | None:
    for number, line in held:
        if not line.strip():
            report.skip(where, number, "blank line")
        elif cue is None:
            report.unexplain(where, number, "a line before the first cue")
        else:
            cue.lines += 1
            cue.text.append(line)
    return cue


def _told(source: Source, report: Report) -> Iterator[tuple[int, str]]:
    """All lines but WebVTT's heading, notes and styles, which last to the next blank line."""
    aside, blank = "", True
    for number, line in enumerate(map(clean, lines(source)), 1):
        report.total += 1
        if number == 1 and line.startswith("WEBVTT"):
            aside = "the heading"
        elif blank and _ASIDE.match(line):
            aside = "a note or a style"
        blank = not line.strip()
        if (blank and aside) or (aside == "the heading" and TIMING.match(line)):
            aside = ""
        if aside:
            report.skip(source.name, number, aside)
        else:
            yield number, line


def _known(source: Source) -> frozenset[str]:
    """Names that speak again and again in the beginning, however they are written."""
    told = [clean(line) for line in Sample(source).lines]
    named = Counter(found[0] for line in told if (found := speaker(line)))
    named.update(alone[1] for line in told if (alone := _NAME_ALONE.match(line)))
    return frozenset(name for name, count in named.items() if count >= OFTEN)


def _said(text: list[str], known: frozenset[str]) -> Iterator[Said]:
    """Who says what in one cue."""
    voices = _voices("\n".join(text))
    yield from _turns(voices[0].splitlines(), "", known)
    for name, words in zip(voices[1::2], voices[2::2], strict=True):
        yield from _turns([" ".join(words.split("\n"))], unescape(name).strip(), known)


def _voices(text: str) -> list[str]:
    """What is said before the first voice tag, then the name in each tag and what is said behind it."""
    end = text.rfind(">") + 1  # every search for the end of a tag stops at the latest here
    found: list[str] = _VOICE.split(text[:end])
    found[-1] += text[end:]
    return found


def _named(words: str, known: frozenset[str]) -> tuple[str, str] | None:
    """The name that a line begins with, or a known one that stands in brackets above what is said."""
    if (alone := _NAME_ALONE.match(words)) and alone[1] in known:
        return alone[1], ""
    found = speaker(words)
    return found if found and (found[0] in known or looks_like_name(found[0])) else None


def _turns(text: Iterable[str], voice: str, known: frozenset[str]) -> Iterator[Said]:
    """Lines that begin with a dash, >> or a name are turns; others go on with the turn before."""
    turns: list[tuple[str, list[str]]] = []
    for line in text:
        plain = unescape(_TAG.sub("", line)).strip()
        turn = None if voice else _TURN.match(plain)
        words = plain[turn.end() :] if turn else plain
        named = None if voice else _named(words, known)
        if named:
            turns.append((named[0], [named[1]]))
        elif turn or not turns:
            turns.append((voice, [words]))
        else:
            turns[-1][1].append(words)
    for author, parts in turns:
        if words := " ".join(filter(None, parts)):
            yield (author, words, "system" if not author and is_direction(words) else "message")
