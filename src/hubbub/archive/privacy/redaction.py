"""Texts without somebody's names and words: what is replaced, where, and what is left because it may be a word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .name_spans import NameFinder
from .quotes import Origin, QuoteFinder

PERSON = "[someone]"
QUOTE = "[quote removed]"
PLACEHOLDERS = (PERSON, QUOTE)
_SAYS = re.compile(r"\s+(?:said|says|wrote|writes)\s*[:,]\s*")
_END_OF_LINE = re.compile(r"\n|\Z")


class Replacement(NamedTuple):
    start: int
    end: int
    text: str


class Redaction(NamedTuple):
    """A text with its replacements, by their places in the text before, and the spans of names that were left."""

    text: str
    replaced: tuple[Replacement, ...] = ()
    left: tuple[tuple[int, int], ...] = ()


class Redactor:
    """Replaces names, and quotes of what their owners said; `takes_all` replaces names that may be words too."""

    def __init__(self, names: NameFinder, quotes: QuoteFinder | None = None, *, takes_all: bool = False) -> None:
        self._names, self._quotes, self._takes_all = names, quotes, takes_all

    def redact(self, text: str, origin: Origin = Origin()) -> Redaction:  # noqa: B008 - a tuple never changes
        names = list(self._names.find(text))
        certain = [each for each in names if each.is_certain or self._takes_all]
        found = [Replacement(each.start, each.end, PERSON) for each in certain]
        if self._quotes is not None:
            found += [quote for each in certain if (quote := _announced(text, each.end))]
            found += self._repeated(text, origin, [each.start for each in certain])
        if not names and not found:
            return Redaction(text)
        replaced = outermost(found)
        left = tuple(
            (each.start, each.end) for each in names if not any(r.start <= each.start < r.end for r in replaced)
        )
        return Redaction(replace(text, replaced), replaced, left)

    def _repeated(self, text: str, origin: Origin, names: list[int]) -> list[Replacement]:
        """A line that starts with > is a quote, and so is what follows a name in its line."""

        def is_marked(offset: int) -> bool:
            start = text.rfind("\n", 0, offset) + 1
            return text[start:offset].lstrip().startswith(">") or any(start <= name < offset for name in names)

        assert self._quotes is not None
        return [Replacement(start, end, QUOTE) for start, end in self._quotes.find(text, origin, is_marked)]


def _announced(text: str, end: int) -> Replacement | None:
    """The rest of a line after `<ada>` or `ada said:`, which is what ada said."""
    start = end + 1 if text[end : end + 1] == ">" and "<" in text[max(0, end - 80) : end] else None
    if says := _SAYS.match(text, end):
        start = says.end()
    if start is None:
        return None
    start += len(text[start:]) - len(text[start:].lstrip(" "))
    last = _END_OF_LINE.search(text, start)
    return Replacement(start, last.start(), QUOTE) if last and last.start() > start else None


def outermost(found: Iterable[Replacement]) -> tuple[Replacement, ...]:
    """Replacements in order; overlapping ones become one, with the text of the one that starts first."""
    kept: list[Replacement] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end > kept[-1].end:
            kept[-1] = kept[-1]._replace(end=each.end)
    return tuple(kept)


def replace(text: str, replaced: Iterable[Replacement]) -> str:
    """The text with replacements that are in order and do not overlap."""
    parts, done = list[str](), 0
    for each in replaced:
        parts += (text[done : each.start], each.text)
        done = each.end
    return "".join(parts) + text[done:]


def moved(start: int, end: int, replaced: Iterable[Replacement]) -> tuple[int, int] | None:
    """Where a span is after the replacements, None if it overlaps with one."""
    shift = 0
    for each in replaced:
        if each.start < end and start < each.end:
            return None
        if each.end <= start:
            shift += len(each.text) - (each.end - each.start)
    return start + shift, end + shift
