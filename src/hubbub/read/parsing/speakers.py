"""What transcripts and subtitles share: who speaks, and what is a direction rather than speech."""

from __future__ import annotations

import re

from ...chat import Kind

NAME = r"[^\W\d_][^:：<>\[\](){}|\"=/\\]{0,48}?"
_SPEAKER = re.compile(
    rf"(?:\[({NAME})\]|({NAME}))\s*+(?:[(\[][^()\[\]]{{1,30}}[)\]]\s*+)?(?::(?:\s+|$)|：\s*)(.*)$", re.S
)
_PARTICLES = frozenset({"de", "la", "le", "van", "von", "der", "den", "da", "di", "del", "du", "al", "and", "y", "of"})
_LABELS = frozenset(
    {"note", "notes", "ps", "nb", "warning", "error", "info", "debug", "edit", "update", "example", "todo", "tip",
     "subject", "re", "date", "time", "title", "source", "location", "participants", "attendees", "agenda", "duration"}
)  # fmt: skip
_DIRECTION = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\)|\*[^*]+\*|[♪♫#].*)[.!]?$", re.S)

Said = tuple[str, str, Kind]


def speaker(line: str) -> tuple[str, str] | None:
    """(name, text) of a line such as "Ana: hello", "[ANA]: hello" or "ANA (on the phone): hello"."""
    found = _SPEAKER.match(line)
    return ((found[1] or found[2]).strip(), found[3]) if found else None


def looks_like_name(name: str) -> bool:
    """Whether a capital letter begins every word of it, there are few words, and it is no label such as "Note"."""
    words = name.split()
    if not 1 <= len(words) <= 5 or name.lower() in _LABELS:
        return False
    return not words[0][0].islower() and all(not word[0].islower() or word in _PARTICLES for word in words)


def is_direction(text: str) -> bool:
    """Whether the whole of a text is in brackets, as (laughs) and [music] are, or is sung."""
    return bool(_DIRECTION.match(text))
