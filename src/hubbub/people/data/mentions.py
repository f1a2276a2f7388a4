"""Mentions of people: which there are in a scene, and of what kind each is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...layers import Mention
from ...ml.registry import AnyModel, load
from ..features.person_words import FIRST, HE, PERSONAL, PLURAL, SECOND, SHE
from .scene import Scene

KINDS = ("first", "second", "he", "she", "plural", "name", "noun")
TAGGER = "mentions/tagger"

_PRONOUNS = {"first": FIRST, "second": SECOND, "he": HE, "she": SHE, "plural": PLURAL}


def kind_of(text: str) -> str:
    """The kind of a mention by its words: first and second person, he, she, plural pronouns, a name or a noun."""
    low = text.lower()
    for kind, words in _PRONOUNS.items():
        if low in words:
            return kind
    head = text.split()[-1] if text.split() else text
    if head.lower() in PERSONAL:
        return "noun"
    return "name" if any(word[0].isupper() for word in text.split()) else "noun"


def mentions_of(scene: Scene) -> Sequence[Mention]:
    """The mentions that a scene comes with, or those that the bundled tagger finds in it."""
    if scene.mentions is not None:
        return scene.mentions
    found: Sequence[Mention] = _tagger().predict([scene])[0]
    return found


@cache
def _tagger() -> AnyModel:
    return load(TAGGER, task="mentions")
