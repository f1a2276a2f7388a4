"""The use of "you" where the words show it: one person, several people, or people in general."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .person_words import SECOND, word_set

Use = Literal["", "collective", "general"]

_MANY = word_set("guys two three four all both folks people kids boys girls ladies gentlemen lot")
_OF = word_set("all both two three each one some none any most many either neither")
_FILLERS = frozenset(("know", "see", "mean"))
_GENERALLY = frozenset(
    ("you never know", "you can never", "you'd think", "you only live", "you can always", "the more you", "as you do")
)
_BREAK = frozenset(",.!?-…;:—")


def use_of(words: Sequence[str], place: int) -> Use:
    """The use of the word at a position, a form of "you" among lower-case words; "" if it is not clear."""
    if words[place] not in SECOND:
        return ""
    before, after = list(words[max(0, place - 2) : place]), list(words[place + 1 : place + 4])
    if after and after[0] in _MANY:
        return "collective"
    if len(before) == 2 and before[1] == "of" and before[0] in _OF:
        return "collective"
    near = " ".join([*before, words[place], *after])
    if _is_filler(words, place) or any(phrase in near for phrase in _GENERALLY):
        return "general"
    return ""


def _is_filler(words: Sequence[str], place: int) -> bool:
    """Whether it is the "you know" that only fills a pause: nothing but signs on both sides."""
    alone = place == 0 or words[place - 1][0] in _BREAK
    known = place + 2 < len(words) and words[place + 1] in _FILLERS and words[place + 2][0] in _BREAK - {"?"}
    return alone and known
