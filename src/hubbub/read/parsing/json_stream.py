"""JSON documents in parts: the long lists of one pass by in batches, and everything else in it is decoded as it comes.

The decoder is that of the standard library. It is given a window of the text, which moves on element by element: a file
of gigabytes takes the memory of the window, and what precedes a defect has been handed out when the defect is found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from ...errors import Broken, TooLarge
from ..input.lines import LONGEST_LINE, text_parts
from ..input.source import Source

WINDOW = 1 << 20  # characters: of a message of the usual length some thousands fit in
_NEAR = 12  # what is wrong so near to the end of the window may be an escape or a number that goes on behind it
_BLANK = re.compile(r"[ \t\n\r]*")
_NEXT = re.compile(r"[ \t\n\r]*([,\]])[ \t\n\r]*")

Path = tuple[str, ...]  # the names of members from the root on; an element of a list is named "*"
Entered = Callable[[Path], str]  # which of "{" and "[" is walked through at a path; all else is decoded whole


class JsonEvent(NamedTuple):
    """What is met on the way: an object or a list starts or ends, a value, or some elements of a list."""

    path: Path
    kind: Literal["start", "end", "value", "items"]
    value: Any = None


def walk(source: Source, entered: Entered, repair: Callable[[str], str] | None = None) -> Iterator[JsonEvent]:
    """The parts of a document in order; `repair` makes JSON of escapes that are none."""
    return _Walker(source, entered, repair).document()


class _Walker:
    def __init__(self, source: Source, entered: Entered, repair: Callable[[str], str] | None) -> None:
        self._name = source.name
        self._entered = entered
        self._repair = repair
        self._parts = text_parts(source)
        self._decode = json.JSONDecoder(strict=False).raw_decode
        self._text, self._at, self._ended = "", 0, False
        self._line, self._column = 1, 1  # of the beginning of the window

    def document(self) -> Iterator[JsonEvent]:
        yield from self._value(())
        if self._next():
            raise self._broken(self._at)

    def _value(self, path: Path) -> Iterator[JsonEvent]:
        first = self._next()
        if first and first in self._entered(path):
            yield JsonEvent(path, "start", first)
            yield from self._object(path) if first == "{" else self._list(path)
            yield JsonEvent(path, "end", first)
        else:
            yield JsonEvent(path, "value", self._whole())

    def _object(self, path: Path) -> Iterator[JsonEvent]:
        self._at += 1
        if self._next() == "}":
            self._at += 1
            return
        while True:
            key = self._whole() if self._next() == '"' else None
            if not isinstance(key, str) or self._next() != ":":
                raise self._broken(self._at)
            self._at += 1
            yield from self._value((*path, key))
            if (mark := self._next()) not in (",", "}"):
                raise self._broken(self._at)
            self._at += 1
            if mark == "}":
                return

    def _list(self, path: Path) -> Iterator[JsonEvent]:
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return
        inside = (*path, "*")
        if not self._entered(inside):
            yield from self._batches(path)
            return
        while True:
            yield from self._value(inside)
            if (mark := self._next()) not in (",", "]"):
                raise self._broken(self._at)
            self._at += 1
            if mark == "]":
                return

    def _batches(self, path: Path) -> Iterator[JsonEvent]:
        """The elements of a list, as many at a time as the window has."""
        mark = ","
        while mark == ",":
            found: list[Any] = []
            text, at, decode, following = self._text, self._at, self._decode, _NEXT.match
            try:
                while mark == ",":
                    value, end = decode(text, at)
                    if not (separated := following(text, end)):
                        break
                    found.append(value)
                    mark, at = separated[1], separated.end()
            except (ValueError, RecursionError):
                pass  # the end of the window, or a defect: decoding it once more below tells
            self._at = at
            if found:
                yield JsonEvent(path, "items", found)
            if mark == ",":  # an element that the window does not hold with what follows it, or a defect
                yield JsonEvent(path, "items", [self._whole()])
                if (mark := self._next()) not in (",", "]"):
                    raise self._broken(self._at)
                self._at += 1
                self._next()

    def _next(self) -> str:
        """The next character that is no blank, or "" at the end."""
        while True:
            self._at = _BLANK.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _whole(self) -> Any:
        """The value at this position, with as much more of the text as it takes."""
        self._next()
        while True:
            start = self._at  # the window may move, and this position with it, even if there is no more text
            try:
                value, end = self._decode(self._text, start)
            except json.JSONDecodeError as error:
                if self._repaired(error):
                    continue
                open_end = error.pos >= len(self._text) - _NEAR or error.msg.startswith("Unterminated string")
                if not open_end or not self._more():
                    raise self._broken(self._at + error.pos - start) from None
            except RecursionError:
                raise Broken(self._name, "its JSON is nested too deep") from None
            except ValueError:
                raise Broken(self._name, "a number in it has too many digits") from None
            else:
                # A number may go on behind the window, and "1e+" reads as a 1 with something behind it.
                if end + 3 <= len(self._text) or not self._more():
                    self._at += end - start
                    return value

    def _repaired(self, error: json.JSONDecodeError) -> bool:
        if not self._repair or not error.msg.startswith("Invalid \\escape"):
            return False
        rest = self._text[self._at :]
        if (better := self._repair(rest)) == rest:
            return False
        self._text = self._text[: self._at] + better
        return True

    def _more(self) -> bool:
        """Moves the window on: what lies behind is dropped, and what lies ahead at least doubles."""
        if self._ended:
            return False
        if len(self._text) - self._at > LONGEST_LINE:
            raise TooLarge(self._name, LONGEST_LINE, f"a value in line {self._place(self._at)[0]}")
        self._line, self._column = self._place(self._at)
        kept = [self._text[self._at :]]
        missing = max(WINDOW, len(kept[0]))
        while missing > 0 and not self._ended:
            part = next(self._parts, None)
            self._ended = part is None
            missing -= len(part or "")
            kept.append(part or "")
        self._text, self._at = "".join(kept), 0
        return len(self._text) > len(kept[0])

    def _place(self, at: int) -> tuple[int, int]:
        newlines = self._text.count("\n", 0, at)
        return self._line + newlines, at - self._text.rfind("\n", 0, at) if newlines else self._column + at

    def _broken(self, at: int) -> Broken:
        line, column = self._place(at)
        return Broken(self._name, f"line {line}, column {column}: no valid JSON from here on")
