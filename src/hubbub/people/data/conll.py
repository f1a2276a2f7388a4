"""CoNLL-2012 dialogues in and out: a word a line, its speaker in the tenth column, mentions in the last.

Columns are separated by tabs or spaces. `(12)` is a mention of one word, `(12` and `12)` begin and end a longer one,
`|` separates several, `-` is none; `(-1)` is a mention without a gold person. A document is a scene or a whole episode;
a message is a sentence, or the part of it that one speaker says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from ...chat import Chat, Message
from ...errors import Broken, WrongFormat
from ...layers import Link, Mention, Person
from ...text import Span, clean, joined
from ..features.tokens import tokens
from .scene import SPEAKER_SEPARATOR, Scene

WORD, TAG, SPEAKER, MIN_COLUMNS = 3, 4, 9, 12  # columns of the CoNLL-2012 layout; mentions are the last one
UNKNOWN_ID = "-1"  # of a mention without a gold person
NOBODY = ("-", "*", "_")  # columns without a value, in the variants of the format

_BEGIN = re.compile(r"#begin document\s*\(?(.*?)\)?\s*(?:;\s*part\s+(\d+))?\s*$")
_PIECE = re.compile(r"(\()?([^()|\s]+?)(\))?$")


class ConllToken(NamedTuple):
    """A word of the file, and the line it stands on."""

    line: int
    columns: list[str]


@dataclass(slots=True)
class _Document:
    """What is gathered of one scene."""

    where: str
    episode: str
    part: str
    messages: list[Message] = field(default_factory=list)
    tokens: list[tuple[Span, ...]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def add(self, rows: Sequence[ConllToken], known: frozenset[str] | None) -> None:
        position = len(self.messages)
        words = [(clean(row.columns[WORD]) or "\ufffd", row.columns[TAG]) for row in rows]
        text, spans = joined(words)
        speaker = rows[0].columns[SPEAKER]
        author = "" if speaker in NOBODY else clean(speaker.replace("_", " "))
        self.messages.append(Message(str(position), None, author, text))
        self.tokens.append(tuple(spans))
        for first, last, person in sorted(_mentions(self.where, rows, known), key=lambda each: (each[0], -each[1])):
            people = () if person == UNKNOWN_ID else tuple(person.split(","))
            self.links.append(Link(Mention(position, spans[first][0], spans[last][1]), people))

    def scene(self, cast: tuple[Person, ...]) -> tuple[Scene, tuple[Link, ...]]:
        name = f"{self.episode}/{self.part}" if self.part else self.episode
        mentions = tuple(link.mention for link in self.links)
        scene = Scene(
            Chat(name, tuple(self.messages), "conll"), cast, mentions, self.episode, tokens=tuple(self.tokens)
        )
        return scene, tuple(self.links)


def read_conll(
    where: str, lines: Iterable[str], cast: Sequence[Person] = ()
) -> Iterator[tuple[Scene, tuple[Link, ...]]]:
    """The scenes of a file, each with its links. With a cast, an id that nobody of it has is an error."""
    people = tuple(cast)
    known = frozenset(person.id for person in people) if people else None
    document, rows = None, list[ConllToken]()
    for number, line in enumerate(lines, 1):
        row = None if line.startswith("#") or not line.strip() else ConllToken(number, line.split())
        # Rows of one speaker are one message; a row that is too short is reported below.
        speaker = row.columns[SPEAKER] if row is not None and len(row.columns) > SPEAKER else ""
        if document and rows and (row is None or rows[0].columns[SPEAKER] != speaker):
            document.add(rows, known)
            rows = []
        if found := _BEGIN.match(line):
            if document:
                yield document.scene(people)
            document = _Document(where, clean(found[1].strip("/ ")), found[2] or "")
        elif row is not None:
            rows.append(_checked(where, row, document is not None))
    if document is None:
        raise WrongFormat(where, "conll", "no line begins a document")
    if rows:
        document.add(rows, known)
    yield document.scene(people)


def _checked(where: str, row: ConllToken, begun: bool) -> ConllToken:
    if not begun:
        raise Broken(where, f"line {row.line} stands before the first #begin document")
    if len(row.columns) < MIN_COLUMNS:
        reason = f"line {row.line} has {len(row.columns)} columns, and mentions are the last of at least {MIN_COLUMNS}"
        raise Broken(where, reason)
    return row


def _mentions(where: str, rows: Sequence[ConllToken], known: frozenset[str] | None) -> Iterator[tuple[int, int, str]]:
    """(first word, last word, person) of every mention in a sentence."""
    opened: list[tuple[int, str]] = []
    for place, (line, columns) in enumerate(rows):
        for piece in columns[-1].split("|") if columns[-1] not in NOBODY else ():
            found = _PIECE.match(piece)
            if not found or not (found[1] or found[3]):
                raise Broken(where, f"line {line} has {columns[-1]!r} for mentions, which is none of (7), (7, 7) and -")
            person = found[2]
            if known is not None and person != UNKNOWN_ID and not known.issuperset(person.split(",")):
                raise Broken(where, f"line {line} has the id {person}, which nobody in the cast has")
            if found[1] and found[3]:
                yield place, place, person
            elif found[1]:
                opened.append((place, person))
            else:
                yield _closed(where, line, opened, person), place, person
    if opened:
        place, person = opened[-1]
        raise Broken(where, f"line {rows[place].line} begins a mention of {person} that its sentence never ends")


def _closed(where: str, line: int, opened: list[tuple[int, str]], person: str) -> int:
    """Where the mention began that ends here: the last one of that person."""
    for index in range(len(opened) - 1, -1, -1):
        if opened[index][1] == person:
            return opened.pop(index)[0]
    raise Broken(where, f"line {line} ends a mention of {person} that never began")


def conll_lines(scene: Scene, links: Sequence[Link]) -> Iterator[str]:
    """The inverse of read_conll: a scene as lines with its original tokens; unknown columns are -, * or _."""
    title, _, part = scene.chat.name.rpartition("/")
    name, part = (title, part) if title and part.isdecimal() else (scene.chat.name, "0")
    yield f"#begin document (/{_column(name)}); part {int(part):03}"
    at: dict[int, list[Link]] = {}
    for link in links:
        at.setdefault(link.mention.position, []).append(link)
    for position, message in enumerate(scene.chat):
        here = at.get(position, [])
        spans = words_of(scene, position, here)
        for number, marks in enumerate(_marks(spans, here)):
            start, end = spans[number]
            front = (f"/{_column(name)}", str(int(part)), str(number), _column(message.text[start:end]))
            yield "\t".join((*front, *"_*_--", _column(message.author), "*", "|".join(marks) or "-"))
        if spans:
            yield ""
    yield "#end document"


def _column(text: str) -> str:
    """Text that stands in one column."""
    return "_".join(text.split()) or "-"


def words_of(scene: Scene, position: int, links: Sequence[Link] = ()) -> Sequence[Span]:
    """The tokens of a message: those of its file, else those of the tokenizer, split at every boundary of a mention."""
    if scene.tokens:
        return scene.tokens[position]
    edges = sorted({edge for link in links for edge in (link.mention.start, link.mention.end)})
    spans: list[Span] = []
    for start, end in tokens(scene.chat[position].text):
        spans += pairwise([start, *(edge for edge in edges if start < edge < end), end])
    return spans


def _marks(spans: Sequence[Span], links: Sequence[Link]) -> list[list[str]]:
    """For each word its pieces of the mention column: ends first, then whole mentions, then begins."""
    pieces: list[list[tuple[int, int, str]]] = [[] for _ in spans]
    for link in links:
        start, end, person = (
            link.mention.start,
            link.mention.end,
            _column(SPEAKER_SEPARATOR.strip().join(link.people) or UNKNOWN_ID),
        )
        inside = [place for place, span in enumerate(spans) if span[0] < end and span[1] > start]
        if len(inside) == 1:
            pieces[inside[0]].append((1, 0, f"({person})"))
        elif inside:
            pieces[inside[0]].append((2, start - end, f"({person}"))
            pieces[inside[-1]].append((0, end - start, f"{person})"))
    return [[piece for *_, piece in sorted(each)] for each in pieces]
