"""The tokenizer of the task: tokens and sentences as spans of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...text import Span

_TITLE = r"(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof)\.(?=\s|$)"
_PRONOUN_INSIDE = r"(?i:\b(?:gim|lem)(?=me\b))"
_WORD = r"[^\W_]+(?:[_'’\-]+[^\W_]+)*"
_APOSTROPHE = r"(?i:['’](?:s|m|re|ll|ve|d|em|cause|til)\b)"
_SIGNS = r"(?P<sign>[^\w\s])(?P=sign)*|_+"
_CLITIC = re.compile(r"(?i)(?<=[^\W\d_])(?:n['’]t|['’](?:s|m|re|ll|ve|d))$")
_ENDING = frozenset(".?!…")
_MAX_SENTENCE_WORDS = 80  # words of a sentence; text without punctuation is split there


@lru_cache(maxsize=64)
def _pattern(whole: tuple[str, ...]) -> re.Pattern[str]:
    """What a word is; `whole` are names that are one word whatever signs are in them."""
    names = "|".join(re.escape(name) for name in sorted(whole, key=len, reverse=True))
    first = [rf"(?i:(?<!\w)(?:{names})(?!\w))"] if names else []
    return re.compile("|".join([*first, _TITLE, _PRONOUN_INSIDE, _WORD, _APOSTROPHE, _SIGNS]))


def tokens(text: str, whole: tuple[str, ...] = ()) -> list[Span]:
    """Where the words and signs of a text stand; clitics stand apart from the words they lean on."""
    spans = []
    for found in _pattern(whole).finditer(text):
        start, end = found.span()
        if clitic := _CLITIC.search(found[0]):
            spans.append((start, start + clitic.start()))
            start += clitic.start()
        spans.append((start, end))
    return spans


def sentences(words: Sequence[str]) -> list[Span]:
    """Where sentences begin and end among words: at a run of dots, question or exclamation marks, or when too long."""
    found, start = list[Span](), 0
    for place, word in enumerate(words, 1):
        if word[0] in _ENDING or place - start == _MAX_SENTENCE_WORDS or place == len(words):
            found.append((start, place))
            start = place
    return found
