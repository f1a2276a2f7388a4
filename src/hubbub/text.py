"""Words and strings, for more than one package."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Characters of a message that models and drawings see, a book's worth; data that are written keep all of them.
LONGEST_SEEN = 1_000_000

_NOISE = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # terminal escapes
    r"|\x03(?:\d{1,2}(?:,\d{1,2})?)?"  # mIRC colours
    r"|\x04(?:[0-9a-fA-F]{6}(?:,[0-9a-fA-F]{6})?)?"  # hexadecimal colours
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]"  # every other control character but tab and newline
)
_DRIVING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CODES = r"x(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f]|5c)|u20(?:2[89a-e]|6[6-9])"
_CONTROL = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\\(?={_CODES})")
_ESCAPED = re.compile(rf"\\({_CODES})")
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_CLITIC = re.compile(r"(?i)(?:n['’]t|['’](?:s|m|re|ll|ve|d))$")
_CLOSING = re.compile(r"[,.?!;:%)\]}…]+$")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_HALVES = {("gon", "na"), ("wan", "na"), ("got", "ta"), ("gim", "me"), ("lem", "me"), ("can", "not"), ("dun", "no")}

Word = tuple[str, str]  # as a treebank writes it, and its part of speech
Span = tuple[int, int]


def clean(text: str) -> str:
    """The text as people see it: no colour codes, no control characters, no broken halves of a character."""
    if text.isprintable():
        return text
    return whole(_NOISE.sub("", text))


def whole(text: str) -> str:
    """The text with U+FFFD for each broken half of a character, so that it can be written as UTF-8."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def printable(text: str, keep: str = "") -> str:
    """The text with escapes such as \\x1b for all that drives a terminal or reorders what it shows.

    Those are control characters, bidirectional overrides and isolates, line separators and lone surrogates. What a
    terminal may get of them, a newline for instance, is named by `keep`.
    """
    if text.isprintable():
        return text
    return _DRIVING.sub(lambda found: found[0] if found[0] in keep else escape(found[0]), text)


def escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def controls_escaped(text: str) -> str:
    """The text with escapes for what `printable` escapes, tab, newline and lone surrogates apart.

    A backslash that would read as the beginning of such an escape is escaped too: `controls_restored` is exact.
    """
    if "\\" not in text and text.isprintable():
        return text
    return _CONTROL.sub(lambda found: escape(found[0]), text)


def controls_restored(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1][1:], 16)), text) if "\\" in text else text


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key under which "day10" comes after "day9"."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text) if part)


def plural(count: int, thing: str, many: str = "") -> str:
    return f"{count:,} {thing if count == 1 else many or thing + 's'}"


def words(text: str) -> list[str]:
    """The words of a text in small letters, apostrophes inside them kept."""
    return _WORD.findall(text.lower())


def joined(words: Sequence[Word]) -> tuple[str, list[Span]]:
    """Words as people write them, and where each stands in the text.

    There is no space before punctuation and clitics, and none inside quotes and brackets.
    """
    text, spans, glue, quotes = "", list[Span](), True, set[str]()
    for place, (raw, tag) in enumerate(words):
        word = _BRACKETS.get(raw, raw[1:] if len(raw) == 2 and raw[0] == "/" else raw)
        before = words[place - 1][0].lower() if place else ""
        shown, left, right = _edges(word, tag, quotes)
        space = "" if glue or left or (before, word.lower()) in _HALVES else " "
        spans.append((len(text + space), len(text + space + shown)))
        text, glue = text + space + shown, right
    return text, spans


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
