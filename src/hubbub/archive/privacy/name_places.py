"""Whether a word is certain to be a name at its place in a text: by marks, greetings and capital letters."""

from __future__ import annotations

import re

# First names that are words too. The common words of `addressing` have the rest of them.
_NAMES = (
    "amber angel april art august autumn basil bill bud buck chance charity chase chip christian chuck clay cliff colt "
    "daisy dale dawn dean dick dot drew duke earl faith frank gene ginger glen grace grant guy harmony heath heather "
    "holly hope hunter iris ivy jack jade jay jewel joy june lance laurel lily mark marsh mason may melody mercy miles "
    "nick norm olive pat patience peg penny pierce poppy ray red reed rich rob robin rocky rod rose rusty sandy scout "
    "sky star sterling stew sue summer sunny tab tad trip victor violet wade ward wells will willow winter woody"
)
NAME_WORDS = frozenset(_NAMES.split())
# Words of names of several words by which nobody is called: titles, particles, and what programs name accounts.
_UNCALLED = (
    "account admin aunt bot club dad del deleted der doctor group guest miss mister mom mrs mum prof support team "
    "uncle unknown van von"
)
UNCALLED = frozenset(_UNCALLED.split())
# Surnames that are words too.
_SURNAMES = (
    "baker banks bell black book brown butler carpenter carter church cook cooper cross field fish fisher ford fox "
    "gardener green hall hill hunt king knight lake lane light little moon north page park parker piper pope porter "
    "potter price rice rivers sharp shepherd short small smith snow stone street swift taylor turner walker wall "
    "waters west white wise wolf wood woods young"
)
SURNAMES = frozenset(_SURNAMES.split())
DETERMINER = re.compile(
    r"(?i)\b(?:an?|the|my|your|his|her|our|their|this|that|these|those|some|any|no|every|each|which)\s+\Z"
)
LONGEST_DETERMINER = 12  # characters to look back, white space included
_GREETING = re.compile(r"(?i)\b(?:thanks|thank you|thx|ty|hi|hello|hey|cheers|ping|cc|bye|welcome|sorry)[,\s]+\Z")
_GREETED_CROWD = frozenset({"again", "all", "every", "guys", "man", "there", "you"})
_AFTER_GREETING = re.compile(r"\s*(?:[.,;:!?)]|\Z)")
_LOWER_WORD_BEFORE = re.compile(r"[a-z]\s\Z")
_ADDRESS_MARK = re.compile(r"\s*[,:;!]|\s+[-–—]\s")
_COMMA_BEFORE = re.compile(r",\s+\Z")
_END_OF_REQUEST = re.compile(r"\s*[!?]")


def is_surely_name(text: str, start: int, end: int) -> bool:
    """Whether a word is certain to be a name: `will: ...`, `@will`, `<will>`, `thanks will!`, `ask Will about it`."""
    before, core = text[:start], text[start:end].casefold()
    line = before.rpartition("\n")[2]
    if before.endswith("@") or (text[end : end + 1] == ":" and not line.strip()):
        return True
    if line.rstrip("@+%~&").endswith("<") and text[end : end + 1] == ">":
        return True
    if _GREETING.search(before) and _AFTER_GREETING.match(text, end) and core not in _GREETED_CROWD:
        return True
    return core in NAME_WORDS and text[start].isupper() and bool(_LOWER_WORD_BEFORE.search(before))


def is_surely_part(text: str, start: int, end: int, *, is_word: bool) -> bool:
    """Whether one word of a name such as "Ruth Miller" is certain to be a name at its place.

    That is where it addresses somebody, or has a capital letter; if it is a word too, the capital must not be that of
    a beginning sentence, and no article may be before it.
    """
    before, is_capital = text[:start], text[start].isupper()
    if is_surely_name(text, start, end) or (is_capital and not is_word):
        return True
    if DETERMINER.search(before[-LONGEST_DETERMINER:]):
        return False
    begins = not before.rpartition("\n")[2].strip()
    if begins and _ADDRESS_MARK.match(text, end) and (is_capital or not is_word):
        return True
    if is_word:
        return is_capital and bool(_LOWER_WORD_BEFORE.search(before))
    is_asked = bool(_COMMA_BEFORE.search(before) and _END_OF_REQUEST.match(text, end))
    return is_asked or bool(_GREETING.search(before))
