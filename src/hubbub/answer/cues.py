"""What can be told of a reply without understanding it: shared words, and what kind of thing is said after what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log1p
from typing import Any, NamedTuple
from zlib import crc32

READ = 1200
LEAST_COUNT = 3
PLACES, STEPS = 2**20, 16
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
SHARED, MANNER = 4 * 5 + 2, 2 + len(KINDS)  # how many numbers `Cues.of` and `manner` give
SITUATION = 4 + 2 * MANNER


class Words(NamedTuple):
    """A turn, taken apart once."""

    terms: frozenset[str]
    parts: frozenset[str]
    length: int
    kinds: tuple[float, ...]


def taken_apart(text: str) -> Words:
    read = text[:READ]
    low = read.lower()
    terms = _TERM.findall(low)
    kinds = tuple(float(bool(pattern.search(read))) for pattern in KINDS.values())
    return Words(frozenset(terms), frozenset(_PART.findall(low)), len(terms), kinds)


def counted(turns: Iterable[Words]) -> Any:
    """In how many turns each term or part of one stands, those that are in more than a few, at a place of its own but
    for chance; how many turns there are stands at the end. The words themselves are not kept.
    """
    import numpy as np

    found: Counter[str] = Counter()
    for turn in turns:
        found.update(turn.terms | turn.parts)
        found[""] += 1
    counts = np.zeros(PLACES + 1, np.uint8)
    for term, count in found.items():
        if count >= LEAST_COUNT and term:
            counts[_place(term)] = min(255, round(STEPS * log1p(count)))
    counts[PLACES] = min(255, round(STEPS * log1p(found[""])))
    return counts


def _place(term: str) -> int:
    return crc32(term.encode("utf-8", "replace")) % PLACES


class Cues:
    """The words that a reply shares with a context, given how common they are."""

    def __init__(self, counts: Any) -> None:
        self._counts, self._most = counts, int(counts[PLACES])

    def rarity(self, term: str) -> float:
        return max(0, self._most - int(self._counts[_place(term)])) / STEPS

    def of(self, turns: Sequence[Words], replies: Sequence[Words]) -> list[list[float]]:
        """What each reply shares with the turns, of which the newest is the last."""
        newest, second = turns[-1:], turns[-2:-1]
        own = turns[-2::-2]
        spoken = [_union(some) for some in (turns, newest, second, own)]
        return [self._shared(spoken, reply) for reply in replies]

    def _shared(self, spoken: Sequence[tuple[frozenset[str], frozenset[str]]], reply: Words) -> list[float]:
        rare = {term: self.rarity(term) for term in sorted(reply.terms)}
        whole, found = sum(rare.values()) + 1e-6, []
        for terms, parts in spoken:
            both = [rare[term] for term in sorted(reply.terms & terms)]
            pieces = [self.rarity(part) for part in sorted(reply.parts & parts)]
            found += [sum(both), max(both, default=0.0), sum(both) / whole, sum(pieces), max(pieces, default=0.0)]
        return [*found, whole / (len(rare) + 1), max(rare.values(), default=0.0)]


def _union(turns: Sequence[Words]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset().union(*(t.terms for t in turns)), frozenset().union(*(t.parts for t in turns))


def manner(turn: Words) -> list[float]:
    """How long it is, and what kinds of things it says."""
    return [log1p(turn.length), float(turn.length > 3), *turn.kinds]


def situation(last: Sequence[Words], length: int) -> list[float]:
    """How long the talk is, whose turn it is, and the manner of its last two turns."""
    nothing = Words(frozenset(), frozenset(), 0, (0.0,) * len(KINDS))
    padded = [nothing, nothing, *last]
    counts = [float(length == 1), float(length == 2), log1p(length), float(length % 2)]
    return [*counts, *manner(padded[-1]), *manner(padded[-2])]
