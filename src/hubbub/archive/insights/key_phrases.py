"""Key phrases of many short texts: the runs of content words that most texts share, as they are written.

Extractive: a phrase is a word or up to three neighbouring words, none of them a stop word. A phrase is worth the number
of its texts times how special its words are in English, by their rank in the encoder's vocabulary, which is sorted by
frequency. A phrase that mostly occurs inside a longer one is left out (the idea of C-value, Frantzi et al. 2000). One
pass; linear in the number of words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import log2
from typing import NamedTuple

from ...intent.reports.question_filter import STOP_WORDS
from ...ml.encoder import tokenizer

LONGEST_PHRASE = 3
MIN_TEXTS = 3  # fewer texts are no topic
MAX_COMMON_SHARE = 0.1  # a single word in more than a tenth of all texts is the subject of the whole archive
MIN_WORDS_FOR_SHARE = 200  # texts; in fewer of them a tenth is soon reached
NESTED_SHARE = 0.5  # of the occurrences of a phrase that lie inside one longer phrase
MIN_LETTERS = 3
COMMONEST_RANK = 2_500  # of the vocabulary, whose first 1,996 pieces are characters; up to it words are general
RAREST_RANK = 30_000
PRUNED_AT = 500_000  # phrases; those seen once are dropped then, which bounds memory


_LINK = re.compile(r"\S*(?:://|/\w+/|\.\w+/)\S*|\bwww\.\S+")  # web addresses and paths
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")  # 12.04 and apt-get are one word
_STOP_WORDS = STOP_WORDS | {word.replace("'", "") for word in STOP_WORDS}


class KeyPhrase(NamedTuple):
    """A phrase, and how many texts have it."""

    text: str
    texts: int


def key_phrases(texts: Iterable[str], count: int = 20, excluded: frozenset[str] = frozenset()) -> list[KeyPhrase]:
    """The phrases of most texts; `excluded` are words that are none, such as names."""
    found, total = Counter[tuple[str, ...]](), 0
    for text in texts:
        total += 1
        found.update(set(_phrases(text, excluded)))
        if len(found) > PRUNED_AT:
            found = Counter({phrase: number for phrase, number in found.items() if number > 1})
    common = MAX_COMMON_SHARE * max(total, MIN_WORDS_FOR_SHARE)
    kept = {phrase: n for phrase, n in found.items() if n >= MIN_TEXTS and (len(phrase) > 1 or n <= common)}
    nested = {part for phrase, n in kept.items() for part in _parts(phrase) if n >= NESTED_SHARE * kept.get(part, 0)}
    worth = {
        phrase: n * len(phrase) * sum(map(_specificity, phrase)) for phrase, n in kept.items() if phrase not in nested
    }
    ranked = sorted((phrase for phrase in worth if worth[phrase]), key=lambda phrase: (-worth[phrase], phrase))
    return [KeyPhrase(" ".join(phrase), kept[phrase]) for phrase in ranked[:count]]


def _phrases(text: str, excluded: frozenset[str]) -> Iterator[tuple[str, ...]]:
    run: list[str] = []
    for word in _WORD.findall(_LINK.sub(" ", text.lower())):
        if word in _STOP_WORDS or word in excluded:
            run = []
            continue
        run.append(word)
        for size in range(1, min(len(run), LONGEST_PHRASE) + 1):
            phrase = tuple(run[-size:])
            if any(len(each) >= MIN_LETTERS and not each.isdecimal() for each in phrase):
                yield phrase


def _parts(phrase: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The shorter phrases inside a phrase."""
    for size in range(1, len(phrase)):
        yield from (phrase[start : start + size] for start in range(len(phrase) - size + 1))


@lru_cache(maxsize=100_000)  # words
def _specificity(word: str) -> float:
    """0 for general words of English, up to 3.6 for those that the vocabulary does not have as a whole."""
    pieces = tokenizer().ids(word)
    rank = pieces[0] if len(pieces) == 1 else RAREST_RANK
    return max(0.0, log2(rank / COMMONEST_RANK))
