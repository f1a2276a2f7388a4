"""BERT's uncased WordPiece tokenizer (Devlin et al. 2019): text -> ids of a vocabulary, O(length of the text).

Names of special tokens ("[SEP]" ...) in a text are taken as the plain text they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

UNKNOWN = "[UNK]"
MAX_WORD_LENGTH = 100  # longer words are unknown, as in the original tokenizer
MAX_CHARACTERS_PER_PIECE = 256  # of a text read for each piece that is wanted; bounds pasted text
MAX_CACHED_WORDS = 200_000  # some 40 MB; the cache is emptied then

_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class Tokenizer:
    """Splits texts into the pieces of a vocabulary; the pieces of words are cached."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = tuple(vocabulary)
        self._number = {piece: number for number, piece in enumerate(self.vocabulary)}
        self._unknown = (self._number[UNKNOWN],)
        self._cache: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str, limit: int = 126) -> list[int]:
        """The first `limit` pieces of a text; of a text without end only the beginning is read."""
        found: list[int] = []
        for word in words(text[: limit * MAX_CHARACTERS_PER_PIECE]):
            if len(found) >= limit:
                break
            known = self._cache.get(word)
            found += self._cached(word) if known is None else known
        return found[:limit]

    def _cached(self, word: str) -> tuple[int, ...]:
        if len(self._cache) >= MAX_CACHED_WORDS:
            self._cache.clear()
        self._cache[word] = pieces = self._pieces(word)
        return pieces

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest known beginning, then the longest known continuation, and so on; else one unknown."""
        if len(word) > MAX_WORD_LENGTH:
            return self._unknown
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._number.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return self._unknown
            pieces.append(number)
            start = end
        return tuple(pieces)


def words(text: str) -> list[str]:
    """Lower-case words without accents; each punctuation mark and each ideograph stands alone."""
    if text.isascii():
        return _PLAIN.findall(text.translate(_CONTROLS).lower())
    return unicodedata.normalize("NFD", text).translate(_NORMAL).split()


class _Normal(dict[int, str]):
    """What becomes of each character once accents stand apart; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = normalized = _normal(chr(code))
        return normalized


def _normal(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\t\n\r" or category in ("Zs", "Zl", "Zp"):
        return " "
    if category in ("Cc", "Cf", "Cs", "Co", "Mn") or character == "\ufffd":
        return ""
    is_mark = category[0] == "P" or character in "$+<=>^`|~"
    if is_mark or any(first <= ord(character) <= last for first, last in _IDEOGRAPHS):
        return f" {character} "
    return character.lower()


_NORMAL = _Normal()
