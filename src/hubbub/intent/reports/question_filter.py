"""Which messages ask for something, by simple evidence; what is merely said along is none."""

from __future__ import annotations

import re

from ...text import words

MIN_WORDS, MAX_WORDS = 3, 40  # shorter texts ask for nothing in particular, longer ones are mostly pasted

_ADDRESS = re.compile(r"^@?[^\s:,]{2,30}[:,]\s+")
_NAME = re.compile(r"^\s*@?([^\s:,]{2,30})[:,]?\s")
_LINK = re.compile(r"\b(?:https?|ftp)://\S+")
_QUESTION = re.compile(r"[?？؟]")
_OPENERS = """
any anybody anyone are can could did do does has have help how is please should somebody someone what when where which
who whose why will would
"""
_OPENING = frozenset(_OPENERS.split())
_COMMON = """
a able about after again all already also always am an and another any anybody anyone anything are around as ask
asked at back be because been being better between bit both but by came can can't cannot come could couldn't did
didn't different do does doesn't doing don't done down each either else even ever every everything exactly few find
first fix for from get getting give go gonna good got guess guy guys had happen happened has have having he hello
help her here hey hi him his hmm how how's however i i'd i'll i'm i've idea ideas if im in instead into is isn't
issue it it'll it's its just keep know last least let lets like little look looking lot make many may maybe me mean
means might more most much must my myself name need never new next no not nothing now of off often oh ok okay old on
once one ones only or other our out over own part people please plz point possible pretty prob problem problems put
question questions quite rather read real really right run running said same say sec see seem seems set she should
shouldn't show since so solution some somebody someone something sorry start sth still stuff such suggest
suggestions support supposed sure take tell than thank thanks that that's the their them themselves then there
there's these they they're thing things think this those though through time to too tried try trying u under until
up us use used using very wanna want was wasn't way we we're well were what what're what's when where where's which
while who who's why will with without won't wonder wondering work working works would wouldn't wrong yeah yes yet
you you're your yourself
"""
STOP_WORDS = frozenset(_COMMON.split())
_WISH = re.compile(
    r"\b(?:how (?:do|to|can|would|should)|can(?:'?t| ?not)|i(?:'?m| am) (?:trying|looking|having)"
    r"|i(?:'?d like| want| need)|(?:does|is|won|isn|doesn|didn|wouldn)(?:'?t| not) "
    r"(?:work|start|boot|show|open|load|let|find|recogni[sz]e)\w*"
    r"|no longer|tell me|show me|looking for|is there (?:a|any)|problems? with|trouble with|error)\b"
)


def request_text(text: str) -> str:
    """The text on one line, without whom it is addressed to and without web addresses."""
    return " ".join(_LINK.sub("", _ADDRESS.sub("", " ".join(text.split()))).split())


def addressee(text: str) -> str:
    """The name that a text may begin with, " " if it begins with nothing that could be one."""
    found = _NAME.match(text)
    return found[1] if found else " "


def is_request(text: str) -> bool:
    """Whether a text looks like a question or a request: neither small talk nor a long paste."""
    tokens = words(text)
    if not MIN_WORDS <= len(tokens) <= MAX_WORDS or len({*tokens} - STOP_WORDS) < 2:
        return False
    return bool(_QUESTION.search(text)) or tokens[0] in _OPENING or bool(_WISH.search(text.lower()))
