"""The part of a message that shows why it was found, with the spans of the words that matched.

Words are highlighted by the tokenizer of FTS5 on a table in memory, whatever engine the archive is in: stems, phrases
and prefixes are marked as they were found. What is searched by character (scripts without spaces, symbols, code) is
marked where it stands in the text.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from .match_expression import MatchExpression, Phrase, any_of, wanted_phrases
from .search_tokens import folded, literal
from .sqlite import TOKENIZER, fts_query

WIDTH = 200  # characters of a snippet
BEFORE = 60  # of them before the first span, where the text is cut
OPEN, CLOSE = "\x02", "\x03"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of the text of a message, from `start` on; highlights are (start, end) in the whole text."""

    message: int
    text: str
    start: int
    highlights: tuple[Span, ...]


class Highlighter:
    """Finds what a query matched in texts."""

    def __init__(self, wanted: Iterable[MatchExpression]) -> None:
        phrases = [phrase for each in wanted for phrase in wanted_phrases(each)]
        literals = [text for phrase in phrases if (text := literal(phrase.text))]
        self._literals = re.compile("|".join(map(re.escape, literals)), re.I) if literals else None
        words: list[MatchExpression] = [phrase for phrase in phrases if not literal(phrase.text)]
        self._query = any_of(words)
        self._folded = {folded(phrase.text) for phrase in words if isinstance(phrase, Phrase)}

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Of each text, the spans that matched, in order."""
        found = self._by_words(texts) if self._query else [[] for _ in texts]
        return [_merged([*spans, *self._by_characters(text)]) for spans, text in zip(found, texts, strict=True)]

    def _by_words(self, texts: Sequence[str]) -> list[list[Span]]:
        assert self._query is not None
        with closing(sqlite3.connect(":memory:")) as memory:
            memory.execute(f"create virtual table texts using fts5 (text, tokenize='{TOKENIZER}')")
            plain = [re.sub("[\x00\x02\x03]", " ", text) for text in texts]
            memory.executemany("insert into texts (rowid, text) values (?, ?)", enumerate(plain))
            marked = dict(
                memory.execute(
                    f"select rowid, highlight(texts, 0, '{OPEN}', '{CLOSE}') from texts where texts match ?",
                    (fts_query(self._query),),
                ).fetchall()
            )
        return [_spans_of(marked.get(place, "")) for place in range(len(texts))]

    def _by_characters(self, text: str) -> Iterable[Span]:
        if self._literals:
            yield from (found.span() for found in self._literals.finditer(text))
        if not text.isascii():
            yield from (found.span() for found in re.finditer(r"\w+", text) if folded(found[0]) in self._folded)


def snippet(message: int, text: str, spans: Sequence[Span]) -> Snippet:
    """The part of a text around its first spans, cut at spaces."""
    if len(text) <= WIDTH:
        return Snippet(message, text, 0, tuple(spans))
    start = max(0, (spans[0][0] if spans else 0) - BEFORE)
    if start:
        space = text.find(" ", start, spans[0][0])
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + WIDTH)
    if end < len(text) and (space := text.rfind(" ", start, end)) > start + WIDTH // 2:
        end = space
    inside = tuple((first, min(last, end)) for first, last in spans if first < end)
    return Snippet(message, text[start:end], start, inside)


def _spans_of(marked: str) -> list[Span]:
    """Where marks stood, counted without them."""
    spans, place = list[Span](), 0
    for piece in marked.split(OPEN)[1:] if OPEN in marked else []:
        inside, _, after = piece.partition(CLOSE)
        spans.append((place, place + len(inside)))
        place += len(inside) + len(after)
    offset = marked.find(OPEN)
    return [(first + offset, last + offset) for first, last in spans]


def _merged(spans: Iterable[Span]) -> list[Span]:
    """In order, those that overlap as one."""
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found
