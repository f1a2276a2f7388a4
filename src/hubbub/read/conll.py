"""CoNLL-2012 dialogues: a word a line with its speaker in the tenth column; a message a sentence, a chat a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from ..chat import Message
from ..errors import WrongFormat
from ..text import clean
from .format import Clue, Format, Options, Report, Sample, Stream
from .parts import Part, Parts
from .source import Source

WORD, TAG, SPEAKER, FEWEST = 3, 4, 9, 10

_BEGIN = re.compile(r"#begin document\s*\(?(.*?)\)?\s*(?:;\s*part\s+(\d+))?\s*$")
_CLITIC = re.compile(r"(?i)(?:n['’]t|['’](?:s|m|re|ll|ve|d))$")
_CLOSING = re.compile(r"[,.?!;:%)\]}…]+$")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_HALVES = {("gon", "na"), ("wan", "na"), ("got", "ta"), ("gim", "me"), ("lem", "me"), ("can", "not"), ("dun", "no")}

Word = tuple[str, str]


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


def _messages(where: str, parts: Parts, part: Part, first: int, report: Report) -> Iterator[Message]:
    count, speaker, words = first, "", list[Word]()
    for number, line in parts.lines(part):
        columns = line.split()
        fits = len(columns) >= FEWEST and not line.startswith("#")
        if words and not (fits and columns[SPEAKER] == speaker):
            yield _message(count, speaker, words)
            count, words = count + 1, []
        if fits:
            speaker = columns[SPEAKER]
            words.append((columns[WORD], columns[TAG]))
        else:
            _note(where, number, line, report)
    if words:
        yield _message(count, speaker, words)


def _message(count: int, speaker: str, words: Sequence[Word]) -> Message:
    author = "" if speaker in ("-", "*") else speaker.replace("_", " ")
    return Message(str(count), None, clean(author), clean(joined(words)))


def _note(where: str, number: int, line: str, report: Report) -> None:
    if not line.strip():
        report.skip(where, number, "blank line")
    elif line.startswith(("#begin document", "#end document")):
        report.skip(where, number, "where a document begins or ends")
    else:
        report.unexplain(where, number, f"fewer than {FEWEST} columns")


def joined(words: Sequence[Word]) -> str:
    """Words as people write them: no space before punctuation and clitics, none inside quotes and brackets."""
    text, glue, quotes = "", True, set[str]()
    for place, (raw, tag) in enumerate(words):
        word = _BRACKETS.get(raw, raw[1:] if len(raw) == 2 and raw[0] == "/" else raw)
        before = words[place - 1][0].lower() if place else ""
        shown, left, right = _edges(word, tag, quotes)
        space = "" if glue or left or (before, word.lower()) in _HALVES else " "
        text, glue = text + space + shown, right
    return text


def _edges(word: str, tag: str, quotes: set[str]) -> tuple[str, bool, bool]:
    """How a word is shown, and whether it clings to the word before and to the word after."""
    if word in ("``", "''", '"', "'", "`") and tag != "POS":
        shown = "'" if word in ("'", "`") else '"'
        opens = word in ("``", "`") or (word != "''" and shown not in quotes)
        (quotes.add if opens else quotes.discard)(shown)
        return shown, not opens, opens
    if tag == "POS" or _CLITIC.match(word) or _CLOSING.match(word):
        return word, True, False
    return word, False, word in ("(", "[", "{", "$", "£", "€")


FORMAT = Format("conll", _sniff, _read)
