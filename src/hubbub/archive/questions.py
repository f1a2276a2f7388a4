"""Whether a message asks something, by its words."""

from __future__ import annotations

import re

_LINK = re.compile(r"\S+://\S+")
_MARK = re.compile(r"\?+[\s)\"'!.]*(?:$|\s)")
_GREETING = r"(?:(?:hi|hello|hey|so|ok|and|also|please|guys|all|everyone|there|anyway)[\s,.!:-]+)*"
_OPENING = re.compile(
    rf"^\W*{_GREETING}(?:"
    r"(?:how|what|where|why|which|when|who)(?:'s|\s+(?:do|does|did|can|could|should|would|is|are|to|am|come|about|was))\b"
    r"|(?:can|could|does|do|is|are|has|have|did|would|should|will)\s+(?:any|some|i|it|there|you|u|anyone|the|this|my)"
    r"|any\s*(?:one|body)\s+(?:know|here|have|has|able|else|help)|any\s+(?:idea|help|way|suggestion)"
    r"|i\s+(?:need|want)\s+(?:some\s+)?help|help\s+me\b)",
    re.I,
)
MIN_WORDS = 3  # "what?" and "huh ?" react to something, they ask nothing by themselves


def is_question(text: str) -> bool:
    """Whether a text asks something: a question mark after a word, or the beginning of a question."""
    bare = _LINK.sub(" ", text)
    if len(bare.split()) < MIN_WORDS:
        return False
    return bool(_MARK.search(bare) or _OPENING.search(bare))
