"""Which messages ask for something, by simple evidence; what is merely said along is none."""

from __future__ import annotations

import re

from ..text import words

SHORTEST, LONGEST = 3, 60

_ADDRESS = re.compile(r"^@?[^\s:,]{2,30}[:,]\s+")
_LINK = re.compile(r"\b(?:https?|ftp)://\S+")
_QUESTION = re.compile(r"[?？؟]")
_OPENERS = """
any anybody anyone are can could did do does has have help how is please should somebody someone what when where which who
whose why will would
"""
_OPENING = frozenset(_OPENERS.split())
_WISH = re.compile(
    r"\b(?:how (?:do|to|can|would|should)|can(?:'?t| ?not)|i(?:'?m| am) (?:trying|looking|having)"
    r"|i(?:'?d like| want| need)|(?:does|is|won|isn|doesn|didn|wouldn)(?:'?t| not) "
    r"(?:work|start|boot|show|open|load|let|find|recogni[sz]e)\w*"
    r"|no longer|tell me|show me|looking for|is there (?:a|any)|problems? with|trouble with|error)\b"
)


def bare(text: str) -> str:
    """The text on one line, without whom it is addressed to and without web addresses."""
    return " ".join(_LINK.sub("", _ADDRESS.sub("", " ".join(text.split()))).split())


def asks(text: str) -> bool:
    """Whether a bare text looks like a question or a wish: neither chatter nor a whole paste."""
    said = words(text)
    if not SHORTEST <= len(said) <= LONGEST:
        return False
    return bool(_QUESTION.search(text)) or said[0] in _OPENING or bool(_WISH.search(text.lower()))
