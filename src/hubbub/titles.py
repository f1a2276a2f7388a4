"""Titles of conversations: extracted from what was said, never made up."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_LENGTH = 80  # characters; about one line of a page
MIN_WORDS = 4  # a shorter message, such as a greeting, is a title only if there is nothing better
_OPENINGS = (
    "hi hello hey hiya howdy yo greetings morning evening ok okay so well and please sorry folks guys all everyone "
    "everybody there people again"
)
_GREETING = re.compile(
    rf"(?:(?:good (?:morning|evening|afternoon|day)|{'|'.join(_OPENINGS.split())})\b[\s,.!:;-]*)+", re.I
)
_ADDRESS = re.compile(r"@?([^\s:,]{1,40})[:,]\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def conversation_title(messages: Sequence[tuple[str, str]]) -> str:
    """A title from the first messages of a conversation, as (author, text).

    It is the first question of whoever began, else their first message of some length, without greeting and addressed
    name, cut at the end of a word.
    """
    said = [(author, " ".join(text.split())) for author, text in messages if text.strip()]
    if not said:
        return ""
    authors = {author.lower() for author, _ in said}
    own = [_bare(text, authors) for author, text in said if author == said[0][0]]
    sentences = [part for text in own for part in _SENTENCE.split(text)]
    questions = [part for part in sentences if part.endswith("?") and len(part.split()) >= MIN_WORDS]
    long = [text for text in own if len(text.split()) >= MIN_WORDS]
    anything = [text for text in (*own, said[0][1]) if text]
    return _shortened((questions or long or anything)[0])


def _bare(text: str, authors: set[str]) -> str:
    """The text without the name it addresses and without a greeting, unless nothing else is in it."""
    if (address := _ADDRESS.match(text)) and (address[1].lower() in authors or text[address.end() - 2] == ":"):
        text = text[address.end() :] or text
    greeting = _GREETING.match(text)
    return text[greeting.end() :] or text if greeting else text


def _shortened(text: str) -> str:
    if len(text) <= MAX_LENGTH:
        return text
    cut = text[: MAX_LENGTH - 1]
    return (cut[: cut.rfind(" ")] if cut.rfind(" ") > MAX_LENGTH // 2 else cut).rstrip(" ,;:-") + "…"
