"""Addressees: the people of a chat, found by name in the texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property
from string import punctuation

from .chat import Chat, renamed

MIN_NAME_LENGTH = 3  # shorter names are mostly words
MIN_LATER_USES, MIN_LATER_RATIO = 10, 4  # uses inside messages, and their ratio to uses as the first word
_WORD = re.compile(r"\S+")

_COMMON = (
    "about after again all also and any anyone are ask away back bad been before best better bit boot both bug but "
    "buy bye came can cat change check come cool cut day dead did does don done down each else end even every fan "
    "far fast file find fine fix for free from fun get gnome god gone good got great guys had has have hello help "
    "her here hey him his home host how idea install into its join just kernel key kind know last left less let "
    "like line link linux list load long look lot love mac made mail make man many max may maybe mean men mine mode "
    "more most mount move much must need net never new news next nice night nope not now off okay old one only open "
    "other our out own page part path ping play please point pretty put question quick quit read real right root "
    "run safe said same saw say see seem send server set she should show side site slow some soon sorry start still "
    "stop such sudo sure system take talk test text than thank thanks that the their them then there they thing "
    "think this time too top tree true try two ubuntu use used user very wait want was way web well were what when "
    "where which while who why wiki will windows with word work world would wrong yeah yes yet you your "
)
COMMON_WORDS = frozenset(_COMMON.split())


class Addressees:
    """The names of a chat, each in lower case, and who is addressed in which message."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @cached_property
    def names(self) -> frozenset[str]:
        """Every author and new name of a rename, without names that are used as words."""
        found = {name for message in self._chat for name in _names_in(message.author, renamed(message))}
        named = {each for name in found for each in (name, name.strip(punctuation))}
        words = names_used_as_words(self._chat, named)
        return frozenset(each for each in named - words if each and not each.isdigit())

    def addressed(self, text: str) -> list[str]:
        """The people named in a text, in order; a name of one or two letters only as its first word, with a mark."""
        found: dict[str, None] = {}
        for place, match in enumerate(_WORD.finditer(text)):
            name = self._name(match[0].lower(), place == 0)
            if name:
                found[name] = None
        return list(found)

    def recipient(self, text: str) -> str | None:
        """Who is addressed by the first word."""
        first = _WORD.match(text.lstrip())
        return self._name(first[0].lower(), True) if first else None

    def _name(self, word: str, is_first: bool) -> str | None:
        for bare in (word, word.rstrip(punctuation), word.strip(punctuation)):
            if bare in self.names and (len(bare) >= MIN_NAME_LENGTH or (is_first and word[:-1] == bare)):
                return bare
        return None


def names_used_as_words(chat: Chat, names: Collection[str]) -> set[str]:
    """Names that are common words, and names that mostly stand inside messages: addressed names come first."""
    first: Counter[str] = Counter()
    later: Counter[str] = Counter()
    for message in chat:
        for place, word in enumerate(message.text[:2000].lower().split()):
            bare = word.strip(punctuation)
            if bare in names:
                (later if place else first)[bare] += 1
    often = {name for name, times in later.items() if times > max(MIN_LATER_USES, MIN_LATER_RATIO * first[name])}
    return often | COMMON_WORDS.intersection(names)


def _names_in(author: str, rename: tuple[str, str] | None) -> Iterable[str]:
    yield author.lower()
    if rename:
        yield rename[1].lower()
