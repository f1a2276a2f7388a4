"""Lexical features of replies: shared terms, and types of turns such as question, thanks or advice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log1p
from typing import NamedTuple
from zlib import crc32

from ...ml.types import Array

MAX_CHARACTERS = 1200  # bounds the time for pastes
MIN_DOCUMENT_COUNT = 3  # rarer terms count as unseen, which keeps collisions rare
HASH_BUCKETS = 2**20  # a megabyte of counts; terms that share a bucket are rare
LOG_STEPS = 16  # a count is stored as a byte, in sixteenths of its logarithm
_TERM = re.compile(r"https?://\S+|[~/][\w./~-]+|\w[\w.+'-]*\w|\w")
_PART = re.compile(r"[a-z]{3,}|\d{2,}")
_KINDS = {
    "asks": r"\?",
    "ends_asking": r"\?\W*$",
    "question_word": r"^\W*(what|how|why|where|which|who|when|can|could|is|are|do|does|did|have|has|any|will|would)\b",
    "thanks": r"\b(thanks?|thank you|thx|ty|cheers|thankyou)\b",
    "yes": r"^\W*(yes|yeah|yep|yup|yea|sure|correct|right|indeed)\b",
    "no": r"^\W*(no|nope|nah|not)\b",
    "aha": r"^\W*(ok|okay|k|ah|oh|hmm+|aha|cool|great|nice|alright|i see|got it)\b",
    "greets": r"^\W*(hi|hello|hey|good (morning|evening|day))\b",
    "laughs": r"\b(lol|haha\w*|heh|rofl)\b|[:;]-?[)DPp(]",
    "link": r"https?://|www\.",
    "paste": r"paste|imagebin|imgur",
    "command": r"\b(sudo|apt-get|apt|dpkg|aptitude|chmod|mount|cat|grep|modprobe|service|killall|gksu|nano)\b",
    "path": r"(^|\s)[~/][\w.]+/",
    "factoid": r"^\s*!\w",
    "me": r"\b(i|i'm|im|my|mine|me|i've|ive|i'll)\b",
    "you": r"\b(you|your|you're|youre|u|ur)\b",
    "advises": r"\b(try|use|install|run|type|check|open|edit|remove|reboot|restart|should|look|click|go to|see)\b",
    "reports": r"\b(error|fail\w*|works?|worked|doesn'?t|didn'?t|not|still|nothing|says?|tried|got|get|getting)\b",
    "sorry": r"\b(sorry|oops|nevermind|nvm|my bad)\b",
    "number": r"\d",
    "version": r"\b\d+\.\d+",
    "masked": r"\bsomeone\b",
}
KINDS = {name: re.compile(pattern, re.I) for name, pattern in _KINDS.items()}
SHARED_SIZE, REPLY_TYPE_SIZE = 4 * 5 + 2, 2 + len(KINDS)  # how many numbers `Cues.of` and `manner` give
CONTEXT_TYPE_SIZE = 4 + 2 * REPLY_TYPE_SIZE


class TurnTerms(NamedTuple):
    """A turn, taken apart once."""

    terms: frozenset[str]
    parts: frozenset[str]
    length: int
    kinds: tuple[float, ...]


def turn_terms(text: str) -> TurnTerms:
    read = text[:MAX_CHARACTERS]
    low = read.lower()
    terms = _TERM.findall(low)
    kinds = tuple(float(bool(pattern.search(read))) for pattern in KINDS.values())
    return TurnTerms(frozenset(terms), frozenset(_PART.findall(low)), len(terms), kinds)


def document_counts(turns: Iterable[TurnTerms]) -> Array:
    """Document counts of terms and their parts on a logarithmic scale, in a hashed table of one byte a bucket.

    The last entry is the number of turns. The table contains no text.
    """
    import numpy as np

    found: Counter[str] = Counter()
    for turn in turns:
        found.update(turn.terms | turn.parts)
        found[""] += 1
    counts = np.zeros(HASH_BUCKETS + 1, np.uint8)
    for term, count in found.items():
        if count >= MIN_DOCUMENT_COUNT and term:
            counts[_place(term)] = min(255, round(LOG_STEPS * log1p(count)))
    counts[HASH_BUCKETS] = min(255, round(LOG_STEPS * log1p(found[""])))
    return counts


def _place(term: str) -> int:
    return crc32(term.encode("utf-8", "replace")) % HASH_BUCKETS


class SharedTerms:
    """The words that a reply shares with a context, given how common they are."""

    def __init__(self, counts: Array) -> None:
        self._counts, self._most = counts, int(counts[HASH_BUCKETS])

    def rarity(self, term: str) -> float:
        return max(0, self._most - int(self._counts[_place(term)])) / LOG_STEPS

    def of(self, turns: Sequence[TurnTerms], replies: Sequence[TurnTerms]) -> list[list[float]]:
        """What each reply shares with the turns, of which the newest is the last."""
        newest, second = turns[-1:], turns[-2:-1]
        own = turns[-2::-2]
        context_terms = [
            (frozenset[str]().union(*(t.terms for t in some)), frozenset[str]().union(*(t.parts for t in some)))
            for some in (turns, newest, second, own)
        ]
        return [self._shared(context_terms, reply) for reply in replies]

    def _shared(self, context_terms: Sequence[tuple[frozenset[str], frozenset[str]]], reply: TurnTerms) -> list[float]:
        rare = {term: self.rarity(term) for term in sorted(reply.terms)}
        whole, found = sum(rare.values()) + 1e-6, []
        for terms, parts in context_terms:
            both = [rare[term] for term in sorted(reply.terms & terms)]
            pieces = [self.rarity(part) for part in sorted(reply.parts & parts)]
            found += [sum(both), max(both, default=0.0), sum(both) / whole, sum(pieces), max(pieces, default=0.0)]
        return [*found, whole / (len(rare) + 1), max(rare.values(), default=0.0)]


def reply_type(turn: TurnTerms) -> list[float]:
    """How long it is, and what kinds of things it says."""
    return [log1p(turn.length), float(turn.length > 3), *turn.kinds]


def context_type(last: Sequence[TurnTerms], length: int) -> list[float]:
    """How long the talk is, whose turn it is, and the manner of its last two turns."""
    nothing = TurnTerms(frozenset(), frozenset(), 0, (0.0,) * len(KINDS))
    padded = [nothing, nothing, *last]
    counts = [float(length == 1), float(length == 2), log1p(length), float(length % 2)]
    return [*counts, *reply_type(padded[-1]), *reply_type(padded[-2])]
