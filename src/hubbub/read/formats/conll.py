"""CoNLL-2012 dialogues: a word a line with its speaker in the tenth column; a message a sentence, a chat a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from ...chat import Message
from ...errors import WrongFormat
from ...text import Word, clean, joined
from ..detect.file_head import Clue, Sample
from ..format import Format, Options, Stream
from ..input.source import Source
from ..parsing.sections import LineRange, Parts
from ..report import Report

WORD, TAG, SPEAKER, FEWEST = 3, 4, 9, 10

_BEGIN = re.compile(r"#begin document\s*\(?(.*?)\)?\s*(?:;\s*part\s+(\d+))?\s*$")


def _sniff(sample: Sample) -> Clue | None:
    if sample.lines and _BEGIN.match(sample.lines[0]):
        return Clue(1.0, "begins with #begin document")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    parts = Parts(source, lambda line: line.startswith("#begin document"))
    if not parts.all:
        raise WrongFormat(source.name, "conll", "no line begins a document")
    for part in parts.all:
        yield Stream(_name(part.heading), partial(_messages, source.name, parts, part))


def _name(heading: str) -> str:
    """#begin document (/kitchen-03); part 002 -> kitchen-03/002"""
    found = _BEGIN.match(heading)
    title = found[1].strip("/ ") if found else ""
    return clean(f"{title}/{found[2]}" if found and found[2] else title)


def _messages(where: str, parts: Parts, part: LineRange, first: int, report: Report) -> Iterator[Message]:
    count, speaker, words = first, "", list[Word]()
    for number, line in parts.lines(part):
        report.total += 1
        columns = line.split()
        fits = len(columns) >= FEWEST and not line.startswith("#")
        if words and not (fits and columns[SPEAKER] == speaker):
            yield _message(count, speaker, words)
            count, words = count + 1, []
        if fits:
            report.continued += bool(words)
            speaker = columns[SPEAKER]
            words.append((columns[WORD], columns[TAG]))
        else:
            _note(where, number, line, report)
    if words:
        yield _message(count, speaker, words)


def _message(count: int, speaker: str, words: Sequence[Word]) -> Message:
    author = "" if speaker in ("-", "*") else speaker.replace("_", " ")
    return Message(str(count), None, clean(author), clean(joined(words)[0]))


def _note(where: str, number: int, line: str, report: Report) -> None:
    if not line.strip():
        report.skip(where, number, "blank line")
    elif line.startswith(("#begin document", "#end document")):
        report.skip(where, number, "where a document begins or ends")
    else:
        report.unexplain(where, number, f"fewer than {FEWEST} columns")


FORMAT = Format("conll", _sniff, _read)
