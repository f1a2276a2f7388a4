"""The beginning of a file, as formats look at it, and what a format finds in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ...text import clean
from ..input.lines import decode_block, utf16_of, with_newlines
from ..input.source import HEAD, Source

_DOCUMENT = re.compile(r"\s*<(?:!doctype\b|html\b|\?xml\b|!--)", re.IGNORECASE)
_FIRST_TAG = re.compile(r"\s*<([a-z][\w:.-]*)(\s[^<>]*)?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\s[\w:.-]+\s*=\s*["'\w#]|/$""")
_CHAT_LINE = re.compile(r"<[@+%&~ ]?([^<>\s/=\"]+)>:?\s")
_JSON_TEXT = r'"(?:[^"\\]|\\.)*"'
_JSON_LIST = rf"(?:{_JSON_TEXT}|-?[\d.]+)\s*(?:,|\]\s*(?:\Z|[,\]\[{{]))"
_JSON_START = re.compile(
    rf"\s*(?:(\{{)\s*(?:{_JSON_TEXT}\s*:|\}}\s*(?:\Z|[\[{{,]))"
    rf"|(\[)\s*(?:\{{\s*[\"}}]|\]\s*\Z|{_JSON_LIST}|\[\s*(?:[\[{{\]]|{_JSON_LIST})))"
)
_KEY = re.compile(r'"((?:[^"\\]|\\.){1,60})"\s*:')

# The score of what a file itself says at its very beginning, where nobody's words can stand: whatever signature of
# another format is quoted further down in the chat cannot outvote it.
CERTAIN = 2.0


@dataclass(frozen=True, slots=True)
class Clue:
    """What speaks for a format: 1.0 is a signature that no other format has, 0 is nothing.

    `share` is the part of the sample that the format explains, if it counts that; it decides between equal scores.
    """

    score: float
    why: str
    share: float = 0.0


class Sample:
    """The beginning of a source, looked at in the ways that noses need; `columns` are those that the user named."""

    def __init__(self, source: Source, columns: Mapping[str, str] | None = None) -> None:
        self.columns = columns or {}
        self.name = source.name
        self.head = source.head
        self.tree = source.tree

    @cached_property
    def lines(self) -> list[str]:
        """Decoded lines, blank ones left out, and a last one that the sample cuts."""
        head = self.head
        if encoding := utf16_of(head):
            head = head.decode(encoding, "ignore").encode("utf-8", "replace")
        text = with_newlines(head.removeprefix(b"\xef\xbb\xbf"))
        if len(self.head) >= HEAD and b"\n" in text:
            text = text[: text.rfind(b"\n")]
        return [line for line in decode_block(text) if line.strip()]

    @cached_property
    def clean_lines(self) -> list[str]:
        return [clean(line) for line in self.lines]

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def is_markup(self) -> bool:
        """Whether this is HTML or XML: it starts as a document, or as a part of one; a chat may quote any amount of it.

        A part of a document starts with a tag that has attributes, or with one that is closed again further down, and
        not most of its lines are <nick> text, whatever the nick.
        """
        if _DOCUMENT.match(self.text):
            return True
        if not (first := _FIRST_TAG.match(self.text)):
            return False
        if first[2] and _ATTRIBUTE.search(first[2]):
            return True
        chat = sum(1 for line in self.lines if (said := _CHAT_LINE.match(line)) and f"</{said[1]}>" not in line)
        return 2 * chat < len(self.lines) and f"</{first[1].lower()}>" in self.text.lower()

    @cached_property
    def json_start(self) -> str:
        """'{' or '[' if this may be JSON, else ''."""
        found = _JSON_START.match(self.text)
        return found[1] or found[2] if found else ""

    @cached_property
    def json_keys(self) -> Counter[str]:
        """How often each JSON key stands in the sample, at any depth; empty if it does not start as JSON."""
        return Counter(_KEY.findall(self.text)) if self.json_start else Counter()

    def share(self, pattern: re.Pattern[str]) -> float:
        """The share of the lines that match."""
        return sum(1 for line in self.lines if pattern.match(line)) / len(self.lines) if self.lines else 0.0
