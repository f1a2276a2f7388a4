"""What somebody said, repeated in the messages of others.

Runs of words are compared, found by an index of every four words in a row: time grows with the length of texts alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

GRAM = 4  # words; the shortest text that is recognised
LONG_RUN = 8  # words; a part of a text of this length is a quote also where nothing marks it as one
MIN_CHARACTERS = 20  # of a whole text; "i do not know" is anybody's
MAX_WORDS = 2_000  # of a text that are indexed; bounds the memory of pasted files
_WORD = re.compile(r"\w+")


class Origin(NamedTuple):
    """Where a text was said: its channel, its place in it, and its time."""

    channel: int = 0
    ordinal: int = 0
    time: str | None = None

    def is_before(self, other: Origin) -> bool:
        """Whether a text said here can be quoted there; between channels only times can be compared."""
        if self.channel == other.channel:
            return self.ordinal <= other.ordinal
        return not (self.time and other.time) or self.time[:19] <= other.time[:19]


class QuoteFinder:
    """Texts of somebody, to be found in other texts."""

    def __init__(self) -> None:
        self._texts: list[tuple[tuple[str, ...], Origin, bool]] = []
        self._grams: dict[tuple[str, ...], list[tuple[int, int]]] = {}

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, text: str, origin: Origin) -> None:
        words = tuple(word.casefold() for word in _WORD.findall(text)[:MAX_WORDS])
        if len(words) < GRAM:
            return
        number = len(self._texts)
        self._texts.append((words, origin, len(text) >= MIN_CHARACTERS))
        for start in range(len(words) - GRAM + 1):
            self._grams.setdefault(words[start : start + GRAM], []).append((number, start))

    def find(self, text: str, origin: Origin, is_marked: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
        """Spans that repeat a text from before; `is_marked` says whether a quote is announced at an offset."""
        found = [(match.start(), match.end()) for match in _WORD.finditer(text)]
        words = tuple(text[start:end].casefold() for start, end in found)
        place = 0
        while place + GRAM <= len(words):
            length = max(
                (self._run(words, place, number, start, origin, is_marked(found[place][0]))
                 for number, start in self._grams.get(words[place : place + GRAM], ())),
                default=0,
            )  # fmt: skip
            if length:
                yield found[place][0], found[place + length - 1][1]
            place += length or 1

    def _run(self, words: tuple[str, ...], place: int, number: int, start: int, origin: Origin, is_marked: bool) -> int:
        """How many words in a row are a quote of this text, 0 if they are none."""
        said, where, is_long = self._texts[number]
        if not where.is_before(origin):
            return 0
        length = GRAM
        most = min(len(words) - place, len(said) - start)
        while length < most and words[place + length] == said[start + length]:
            length += 1
        return length if is_marked or length >= LONG_RUN or (length == len(said) and is_long) else 0
