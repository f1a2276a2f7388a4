"""Titles of conversations: extracted from what was said, never made up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .addressing import COMMON_WORDS

TITLE_MESSAGES = 5  # the first messages of a conversation, from which its title is taken
MAX_LENGTH = 80  # characters; about one line of a page
MIN_WORDS = 4  # a shorter message, such as a greeting, is a title only if there is nothing better
MAX_TELLING = 8  # words; a longer sentence is no better title
QUESTION_WEIGHT = 2
_OPENINGS = (
    "hi hello hey hiya howdy yo greetings morning evening ok okay so well and please sorry folks guys all everyone "
    "everybody there people again"
)
_GREETING = re.compile(
    rf"(?:(?:good (?:morning|evening|afternoon|day)|{'|'.join(_OPENINGS.split())})\b[\s,.!:;-]*)+", re.I
)
_ADDRESS = re.compile(r"@?([^\s:,]{1,40})[:,]\s+")
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def conversation_title(messages: Sequence[tuple[str, str]]) -> str:
    """A title from the first messages of a conversation, as (author, text).

    It is the sentence that tells most of what the person who began says first, without greeting and addressed name,
    cut at the end of a word.
    """
    said = [(author, " ".join(text.split())) for author, text in messages if text.strip()]
    if not said:
        return ""
    authors = {author.lower() for author, _ in said}
    own = [_bare(text, authors) for author, text in said if author == said[0][0]]
    sentences = [part for text in own for part in _SENTENCE.split(text) if len(part.split()) >= MIN_WORDS]
    telling = max(sentences, key=_weight) if sentences else next(text for text in (*own, said[0][1]) if text)
    return shortened(telling, MAX_LENGTH)


def _weight(sentence: str) -> int:
    """How much a sentence tells: its words that are not among the most common ones; a question is worth two more.

    "is anyone here good with printers?" says less than what is wrong with the printer.
    """
    telling = {word for word in _WORD.findall(sentence.lower()) if len(word) > 2 and word not in COMMON_WORDS}
    return min(len(telling), MAX_TELLING) + QUESTION_WEIGHT * sentence.endswith("?")


def _bare(text: str, authors: set[str]) -> str:
    """The text without the name it addresses and without a greeting, unless nothing else is in it."""
    if (address := _ADDRESS.match(text)) and (address[1].lower() in authors or text[address.end() - 2] == ":"):
        text = text[address.end() :] or text
    greeting = _GREETING.match(text)
    return text[greeting.end() :] or text if greeting else text


def shortened(text: str, length: int) -> str:
    """The text, or its beginning with an ellipsis, cut at the end of a word."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    return (cut[: cut.rfind(" ")] if cut.rfind(" ") > length // 2 else cut).rstrip(" ,;:-") + "…"
