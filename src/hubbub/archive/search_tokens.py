"""Tokens for full-text search, the same on every engine.

The tokenizers of FTS5 and PostgreSQL divide texts at spaces and punctuation and drop symbols. What they cannot find is
written as further tokens beside the text of a message: characters of scripts without spaces one by one, symbols and
emoji by code point, short code such as `C++`, `-r` and `->` as written, words without diacritics where the engine keeps
them, and marks for links and questions. A query is translated to the same tokens.
"""

from __future__ import annotations

import re
import sys
import unicodedata

from .match_expression import MatchExpression, Phrase, all_of, any_of
from .questions import QUESTION, is_question

PREFIX = "qx"  # no word begins so
HAS_LINK, IS_QUESTION = f"{PREFIX}link", f"{PREFIX}question"
LONGEST_TOKENS = 20_000  # characters of a message whose tokens are made; a pasted file needs no more

# Thai, Lao, Burmese, Khmer, kana, Chinese characters: scripts that do not put spaces between words.
_UNSPACED = re.compile(
    "[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W_]+")
_LINK = re.compile(r"(?i)\b(?:https?|ftp|irc|ircs|mailto|magnet)://?\S|\bwww\.\w")
_TOKEN = re.compile(rf"{PREFIX}([0-9a-f]{{2,}})")
_OUTSIDE_WORDS = re.compile(r"[^\w\s]")
_SENTENCE_MARKS = ".,;:!?…"
_BRACKETS = "\"'`()[]{}<>«»“”‘’*"
MAX_CODE_LETTERS = 2  # with more letters and digits, code is found by its words
MAX_CODE = 12  # characters; longer runs of symbols are decoration


def search_tokens(text: str) -> str:
    """The tokens that are kept beside a text; most texts need none."""
    text = text[:LONGEST_TOKENS]
    found = [token for chunk in text.split() if (token := _code_token(chunk))] if _OUTSIDE_WORDS.search(text) else []
    if not text.isascii():
        found += _UNSPACED.findall(text)
        found += [_symbol_token(each) for each in text if _is_symbol(each)]
        found += [bare for word in _WORD.findall(text) if (bare := _unaccented(word))]
    if _LINK.search(text):
        found.append(HAS_LINK)
    if is_question(text) >= QUESTION:
        found.append(IS_QUESTION)
    return " ".join(found)


def term(chunk: str, *, is_prefix: bool = False) -> MatchExpression | None:
    """What finds a word, a piece of code or a phrase as somebody typed it; None if nothing of it can be found."""
    codes = [code for each in chunk.split() if (code := _code_token(each))]
    if len(codes) == len(chunk.split()) == 1:
        return Phrase(codes[0])
    parts: list[MatchExpression] = [Phrase(code) for code in codes]
    parts += [Phrase(_symbol_token(each)) for each in chunk if _is_symbol(each)]
    parts += [Phrase(" ".join(run)) for run in re.findall(f"{_UNSPACED.pattern}+", chunk)]
    words = _WORD.findall(_UNSPACED.sub(" ", chunk))
    if words:
        parts.append(_words(words, is_prefix))
    return all_of(parts)


def _words(words: list[str], is_prefix: bool) -> MatchExpression:
    """Words side by side, as they are or all without diacritics."""
    spellings = dict.fromkeys([" ".join(words), " ".join(_unaccented(word) or word for word in words)])
    found = any_of([Phrase(each, is_prefix) for each in spellings])
    assert found is not None
    return found


def _code_token(chunk: str) -> str:
    """A token for ASCII code whose words say too little, such as `C++`, `-r`, `$?` and `:)`; "" for anything else."""
    if not 2 <= len(chunk) <= MAX_CODE + 4 or not chunk.isascii() or chunk.isalnum():
        return ""
    bare = chunk
    if any(map(str.isalnum, chunk)):
        bare = chunk.strip(_BRACKETS).rstrip(_SENTENCE_MARKS).strip(_BRACKETS)
    if not 2 <= len(bare) <= MAX_CODE or not bare.strip(_SENTENCE_MARKS) or (bare[0].isalnum() and bare[-1].isalnum()):
        return ""
    return f"{PREFIX}{bare.lower().encode().hex()}" if sum(map(str.isalnum, bare)) <= MAX_CODE_LETTERS else ""


def _is_symbol(character: str) -> bool:
    """Emoji, arrows, mathematical and currency signs outside ASCII."""
    return character > "\x7f" and unicodedata.category(character) in ("So", "Sm", "Sc")


def _symbol_token(character: str) -> str:
    return f"{PREFIX}{ord(character):x}"


def literal(phrase: str) -> str:
    """The characters that a phrase of such tokens stands for, "" if its words stand in the text themselves."""
    if _UNSPACED.match(phrase):
        return phrase.replace(" ", "")
    if not (token := _TOKEN.fullmatch(phrase)):
        return ""
    symbol = chr(min(int(token[1], 16), sys.maxunicode))
    if _is_symbol(symbol):
        return symbol
    return bytes.fromhex(token[1]).decode("ascii", "replace") if len(token[1]) % 2 == 0 else ""


def folded(word: str) -> str:
    """In small letters, without diacritics and without differences of width."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return unicodedata.normalize("NFC", "".join(each for each in parts if not unicodedata.combining(each)))


def _unaccented(word: str) -> str:
    """The word without diacritics, "" where it has none or the engines drop them themselves (Latin letters)."""
    if word.isascii() or (bare := folded(word)) == word.lower():
        return ""
    latin = re.sub("(?<=[a-z])[\u0300-\u036f]+", "", unicodedata.normalize("NFD", word.lower()))
    return "" if latin == bare else bare
