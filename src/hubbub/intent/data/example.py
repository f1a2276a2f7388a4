"""One example: a text, its intent and its position in a file; the names of parts and of out-of-scope labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...errors import BadExample
from ...text import whole

MAX_EXAMPLE_CHARACTERS = 100_000  # a longer example is a damaged file, not a query
OUT_OF_SCOPE = ("oos", "out_of_scope", "ood", "out_of_domain", "none", "null", "fallback", "nlu_fallback")
PARTS = {
    "train": ("train", "training", "trn"),
    "val": ("val", "valid", "validation", "validate", "dev", "devel", "development"),
    "test": ("test", "testing", "tst"),
}

_OUTSIDE = {name.replace("_", "") for name in OUT_OF_SCOPE}
_PART_OF = {alias: part for part, aliases in PARTS.items() for alias in aliases}


class IntentExample(NamedTuple):
    """A text and its intent, None for out of scope."""

    text: str
    name: str | None
    file: str = ""
    line: int = 0


Parts = Mapping[str, Sequence[IntentExample]]  # "train", "val" and "test", those that there are


class ExampleRow(NamedTuple):
    """An example as a file has it: its part is "" where the file says nothing of parts."""

    example: IntentExample
    part: str = ""


def example(file: str, line: int, text: object, label: str | None, where: str = "") -> IntentExample:
    """A checked example; `where` is its position where there are no line numbers."""
    place = where or f"line {line}"
    if not isinstance(text, str):
        raise BadExample(file, place, f"the text of an example is missing or no text ({_shortly(text)})")
    text, label = whole(text.strip()), whole(label) if label else label
    if label == "":
        raise BadExample(file, place, f"the text {_shortly(text)} has no intent")
    if not text:
        raise BadExample(file, place, f"the intent {label or OUT_OF_SCOPE[0]!r} has no text here")
    if len(text) > MAX_EXAMPLE_CHARACTERS:
        raise BadExample(
            file, place, f"one example has {len(text):,} characters, and {MAX_EXAMPLE_CHARACTERS:,} are the most"
        )
    return IntentExample(text, None if label is None or is_out_of_scope(label) else label, file, line)


def is_out_of_scope(label: str) -> bool:
    """Whether a label means out of scope, regardless of case, hyphens, blanks and what follows a /."""
    return re.sub(r"[-_ ]", "", label.partition("/")[0]).casefold() in _OUTSIDE


def part_named(word: str) -> str:
    """The part that a word of a file means, "" if it means none."""
    return _PART_OF.get(word.strip().casefold(), "")


def part_given(file: str, place: str, word: object) -> str:
    """The part that a row says it belongs to."""
    part = part_named(str(word or "train"))
    if not part:
        raise BadExample(file, place, f"the part {_shortly(word)} is none of {', '.join(_PART_OF)}")
    return part


def _shortly(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"
