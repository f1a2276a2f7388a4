"""HTML cut into tags and texts in one pass: time grows with the length of the input, whatever is in it.

The parser of the standard library searches again from every tag or comment that has no end, and takes minutes for a
megabyte of them. Here nothing is searched for twice: once the end of a comment or of a tag is known to be missing,
whatever would begin another one is text, and is kept.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

_START = re.compile(r"<(?:(/?[a-zA-Z][^\s/>]*)(>)?|!--|!\[CDATA\[|[!?/])")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>"}
_STOP = re.compile(r">|=\s*([\"'])")
_ATTRIBUTE = re.compile(r"""([^\s=/][^\s=/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S*)))?""")
_REFERENCE = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,20}|[a-zA-Z][a-zA-Z0-9]{1,31});?")
_RAW = {tag: re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE) for tag in ("script", "style")}


class Handler:
    """What is done with the parts. Tags and names of attributes come in small letters, texts without references."""

    def start(self, tag: str, attributes: dict[str, str] | None, line: int, closed: bool) -> None:
        """A start tag that begins in that line; without attributes these are None; `closed` if it ends in "/>"."""

    def end(self, tag: str) -> None:
        """An end tag."""

    def text(self, text: str) -> None:
        """Text between two tags, in one or more pieces."""


def tokenize(text: str, handler: Handler) -> None:
    """Hands every tag and text to the handler, in order. Comments and declarations are left out."""
    _Tokenizer(text, handler).run()


_unescaped_reference = lru_cache(4096)(html.unescape)


def _unescaped(text: str) -> str:
    return _REFERENCE.sub(lambda found: _unescaped_reference(found[0]), text) if "&" in text else text


class _Tokenizer:
    def __init__(self, text: str, handler: Handler) -> None:
        self._text = text
        self._handler = handler
        self._given = 0  # the text before this position has been handed on
        self._line, self._newline = 1, text.find("\n")
        self._missing: set[str] = set()
        self._quotes_close = True

    def run(self) -> None:
        at, text, search, missing = 0, self._text, _START.search, self._missing
        # Everything that is not text ends in ">": without another one, the rest is text.
        while ">" not in missing and (found := search(text, at)):
            at = self._bare(found) if found[2] else self._tag(found) if found[1] else self._left_out(found)
        self._give(len(self._text))

    def _bare(self, found: re.Match[str]) -> int:
        """The position behind a tag without attributes, which most tags are."""
        start, end = found.span()
        if start > self._given:
            self._give(start)
        self._given = end
        tag = found[1].lower()
        if tag[0] == "/":
            self._handler.end(tag[1:])
            return end
        self._handler.start(tag, None, self._line if start < self._newline else self._line_at(start), False)
        return self._raw(tag, end) if tag in _RAW else end

    def _tag(self, found: re.Match[str]) -> int:
        """The position behind a start or end tag; one that has no end is text."""
        start, after_name = found.span()
        end = self._tag_end(after_name)
        if not end:
            return start + 1
        if start > self._given:
            self._give(start)
        self._given = end
        tag = found[1].lower()
        if tag[0] == "/":
            self._handler.end(tag[1:])
            return end
        attributes, closed = _attributes(self._text[after_name : end - 1])
        self._handler.start(tag, attributes, self._line_at(start), closed)
        return self._raw(tag, end) if tag in _RAW and not closed else end

    def _line_at(self, start: int) -> int:
        """The number of the line of a position, which is behind all that were asked for before."""
        if 0 <= self._newline < start:
            self._line += self._text.count("\n", self._newline, start)
            self._newline = self._text.find("\n", start)
        return self._line

    def _tag_end(self, start: int) -> int:
        """Behind the > that ends a tag, or 0. One in quotes does not end it, unless quotes are left open somewhere."""
        at = start
        while self._quotes_close and (found := _STOP.search(self._text, at)):
            if not found[1]:
                return found.end()
            at = self._text.find(found[1], found.end()) + 1
            if not at:
                break
        self._quotes_close = False
        return self._find(">", start) + 1

    def _raw(self, tag: str, at: int) -> int:
        """The position behind the content of a script or style, which has no tags; without an end it is none."""
        found = None if tag in self._missing else _RAW[tag].search(self._text, at)
        if not found:
            self._missing.add(tag)
            return at
        if found.start() > at:
            self._handler.text(self._text[at : found.start()])
        self._given = found.start()
        return found.start()

    def _left_out(self, found: re.Match[str]) -> int:
        """The position behind a comment or declaration; one that has no end is text."""
        mark = _ENDS.get(found[0], ">")
        end = self._find(mark, found.end())
        if end < 0:
            return found.start() + 1
        self._give(found.start())
        self._given = end + len(mark)
        return self._given

    def _find(self, mark: str, at: int) -> int:
        """Where a mark stands next, or -1; searched for no more once it was not found."""
        found = -1 if mark in self._missing else self._text.find(mark, at)
        if found < 0:
            self._missing.add(mark)
        return found

    def _give(self, end: int) -> None:
        if end > self._given:
            self._handler.text(_unescaped(self._text[self._given : end]))
            self._given = end


def _attributes(inside: str) -> tuple[dict[str, str] | None, bool]:
    """The attributes of a tag, and whether it ends in a slash that is no part of a value."""
    found: dict[str, str] = {}
    last = None
    for last in _ATTRIBUTE.finditer(inside):
        name, double, single, bare = last.groups()
        found[name.lower()] = _unescaped(double or single or bare or "")
    in_value = last is not None and bool(last[4]) and last.end() == len(inside)
    return found or None, inside.endswith("/") and not in_value
