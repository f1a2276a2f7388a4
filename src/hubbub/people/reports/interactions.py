"""Who talks to whom and about whom in a chat, counted in messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...addressing import Addressees
from ...chat import Chat
from ...layers import Layers, Link, Person
from ..data.mentions import kind_of
from ..data.scene import cast_of, speakers
from ..features.names import person_of
from .profiles import words_of

_CALLED_AFTER = re.compile(r"\s*[:,]")
_CALLED_BEFORE = re.compile(
    r"(?i)(?:^|[,.!?;…])\s*"
    r"(?:(?:hey|hi|hello|ok|okay|thanks|thank you|thx|ty|yes|no|yeah|oh|well|and|but|sorry)\s+)?@?$"
)


class InteractionPair(NamedTuple):
    """One person and another; in how many messages the first talks to the second, and in how many about them."""

    one: str
    other: str
    to: int
    about: int


class Participant(NamedTuple):
    """A person, how many messages they say, and in how many of others they are talked to or about."""

    person: Person
    messages: int
    met: int

    @property
    def name(self) -> str:
        return self.person.names[0] if self.person.names else self.person.id


class Interactions(NamedTuple):
    """A chat's talk: the people who take part or are talked about, and the pairs, busiest first."""

    chat: str
    people: tuple[Participant, ...]
    pairs: tuple[InteractionPair, ...]

    def records(self) -> Iterator[dict[str, Any]]:
        for pair in self.pairs:
            yield {
                "chat": self.chat,
                "from": pair.one,
                "to": pair.other,
                "talks_to": pair.to,
                "talks_about": pair.about,
            }


def interactions(chat: Chat, layers: Layers) -> Interactions:
    """Somebody talks to those they address, mean by "you" or else answer, and about everybody else they mention."""
    cast = cast_of(chat, layers.people)
    index = _ChatIndex(chat, layers, cast)
    to, about, messages = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for position, message in enumerate(chat):
        if message.kind == "system":
            continue
        hearers, others = index.hearers(position), index.meant(position)
        for one in index.authors(position):
            messages[one] += 1
            to.update((one, other) for other in hearers - {one})
            about.update((one, other) for other in others - hearers - {one})
    pairs = [InteractionPair(*both, to[both], about[both]) for both in dict.fromkeys((*to, *about))]
    pairs.sort(key=lambda pair: (-pair.to - pair.about, pair))
    met = Counter[str]()
    for pair in pairs:
        met[pair.other] += pair.to + pair.about
    by_id = {person.id: person for person in cast}
    talkers = [
        Participant(by_id.get(id, Person(id, (id,))), messages[id], met[id]) for id in dict.fromkeys((*messages, *met))
    ]
    return Interactions(chat.name, tuple(sorted(talkers, key=lambda each: -each.messages)), tuple(pairs))


class _ChatIndex:
    """An index of a chat: for each message its authors, its hearers and the people it mentions."""

    def __init__(self, chat: Chat, layers: Layers, cast: Sequence[Person]) -> None:
        self._chat = chat
        self._replies = layers.replies
        self._named: Mapping[str, str] = person_of(cast)
        self._people = Addressees(chat)
        self._place = {message.id: position for position, message in enumerate(chat)}
        self._links: dict[int, list[Link]] = {}
        for link in layers.links:
            self._links.setdefault(link.mention.position, []).append(link)

    def authors(self, position: int) -> set[str]:
        return {self._named.get(name.casefold(), name) for name in speakers(self._chat[position].author)}

    def hearers(self, position: int) -> set[str]:
        """Those who are addressed by name or as "you"; without any, those who are answered."""
        message = self._chat[position]
        name = self._people.recipient(message.text)
        found = {self._named.get(name.casefold(), name)} if name else set()
        for link in self._links.get(position, ()):
            if kind_of(words_of(self._chat, link)) == "second" or self._is_vocative_call(link):
                found.update(link.people)
        found -= self.authors(position)
        return found or {one for place in self._answered(position) for one in self.authors(place)}

    def _is_vocative_call(self, link: Link) -> bool:
        """Whether a name is called out: at the beginning or the end, parted from the rest by a sign."""
        text, start, end = self._chat[link.mention.position].text, link.mention.start, link.mention.end
        if kind_of(text[start:end]) not in ("name", "noun"):
            return False
        first = _CALLED_BEFORE.search(text[:start])
        ends = not text[end:].strip(" .!?…")
        return bool(first and (_CALLED_AFTER.match(text[end:]) or (ends and text[:start].strip())))

    def _answered(self, position: int) -> set[int]:
        explicit = {self._place[id] for id in self._chat[position].reply_to if id in self._place}
        predicted = self._replies.parents[position] if self._replies else ()
        return {place for place in (explicit or predicted) if place != position and self._chat[place].kind != "system"}

    def meant(self, position: int) -> set[str]:
        """Everybody who is mentioned but by "I" and "you"."""
        links = self._links.get(position, ())
        others = (link for link in links if kind_of(words_of(self._chat, link)) not in ("first", "second"))
        return {person for link in others for person in link.people}
