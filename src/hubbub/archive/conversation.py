"""A conversation of an archive as asking sees it: which messages answer somebody, what led to them, what followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .engine import listed
from .store import ArchiveStore
from .vectors import LEAST_WORDS, unaddressed

SPAN = 24  # messages; more than all that is looked at around a message
LED, FOLLOWED, THANKED = 8, 6, 12
THANKS = re.compile(
    r"\b(?:thanks?|thank you|thx|thnx|tnx|ty|cheers|much appreciated|appreciate it|merci|danke|gracias"
    r"|(?:that|it|this) (?:worked|works|did it|fixed it|helped|solved it)|works now|working now|you rock)\b(?! anyway)",
    re.I,
)


class ConversationMessage(NamedTuple):
    """A message: its number in the archive, who said what, and the number of what it answers (its own: nothing)."""

    id: int
    author: str
    text: str
    parent: int


class StoredConversation:
    """The messages of one conversation, or the part of it that matters, in order; places count from 0."""

    def __init__(self, number: int, said: Sequence[ConversationMessage]) -> None:
        self.number, self.said = number, said
        self.place = {each.id: place for place, each in enumerate(said)}
        self._names = {each.author.lower() for each in said}
        self._led: dict[int, list[int]] = {}
        self._thankful: dict[int, bool] = {}

    def bare(self, place: int) -> str:
        """What is said, without the name of whom it is said to."""
        return unaddressed(self.said[place].text, self._names)

    def led(self, place: int) -> list[int]:
        """What led to a message, the nearest first: what it answers, what that answers, and so on."""
        if place not in self._led:
            self._led[place] = list(self._upwards(place))
        return self._led[place]

    def _upwards(self, place: int) -> Iterator[int]:
        for _ in range(LED):
            above = self.place.get(self.said[place].parent, place)
            if above >= place:
                return
            yield above
            place = above

    def asker(self, place: int) -> str:
        """Who is answered by a message, "" for nobody."""
        return next(
            (self.said[p].author for p in self.led(place) if self.said[p].author != self.said[place].author), ""
        )

    def is_answer(self, place: int) -> bool:
        """Whether it answers somebody else, or goes on after such an answer, in more than a word or two."""
        return bool(self.asker(place)) and len(self.bare(place).split()) >= LEAST_WORDS

    def answers_opening(self, place: int) -> bool:
        """Whether it answers a message that answers nothing itself."""
        above = self.place.get(self.said[place].parent, place)
        return self.said[above].parent == self.said[above].id

    def followed(self, place: int, most: int = FOLLOWED) -> list[int]:
        """What the same people said next."""
        people = {self.said[place].author, *(self.said[p].author for p in self.led(place))}
        after = range(place + 1, min(place + 1 + most, len(self.said)))
        return [p for p in after if self.said[p].author in people]

    def thanks(self, place: int) -> int | None:
        """Where the one who was answered gives thanks soon after, unless it is to somebody else."""
        asker, helper = self.asker(place), self.said[place].author.lower()
        for after in range(place + 1, min(place + 1 + THANKED, len(self.said))):
            each = self.said[after]
            if asker and each.author == asker and self.gives_thanks(after):
                named = {word.strip("@,:;.!?").lower() for word in each.text.split()} & (self._names - {asker.lower()})
                if not named or helper in named:
                    return after
        return None

    def gives_thanks(self, place: int) -> bool:
        if place not in self._thankful:
            self._thankful[place] = bool(THANKS.search(self.said[place].text))
        return self._thankful[place]


def talks(archive: ArchiveStore, near: Mapping[int, Sequence[int]]) -> Iterator[tuple[StoredConversation, list[int]]]:
    """Conversations, given with some of their messages, and the places of those in them.

    Of a long conversation only the part around these messages is read.
    """
    said: dict[int, dict[int, ConversationMessage]] = {number: {} for number in near}
    order: dict[int, int] = {}
    for number, id, ordinal, author, text, parent in _rows(archive, near):
        order[id] = ordinal
        said[number].setdefault(id, ConversationMessage(id, author, text, id if parent is None else parent))
    for number, ids in near.items():
        talk = StoredConversation(number, sorted(said[number].values(), key=lambda each: order[each.id]))
        yield talk, [talk.place[id] for id in ids if id in talk.place]


def _rows(archive: ArchiveStore, near: Mapping[int, Sequence[int]]) -> list[tuple[int, int, int, str, str, int | None]]:
    """(conversation, message, its place in the channel, author, text, parent), the most probable parent first."""
    wanted = _around(archive, near)
    return archive.rows(
        "select m.conversation_id, m.id, m.ordinal, m.author, m.text, r.parent_id"
        " from messages m left join replies r on r.message_id = m.id"
        f" where m.id in ({listed(wanted)}) and m.kind <> 'system' order by coalesce(r.probability, 0) desc"
    )


def _around(archive: ArchiveStore, near: Mapping[int, Sequence[int]]) -> list[int]:
    """The messages of conversations up to SPAN before the first and after the last of some of them."""
    whole: dict[int, list[int]] = {number: [] for number in near}
    query = f"select conversation_id, id from messages where conversation_id in ({listed(list(near))}) order by ordinal"
    for number, id in archive.rows(query):
        whole[number].append(id)
    found: list[int] = []
    for number, ids in near.items():
        known = set(ids)
        places = [place for place, id in enumerate(whole[number]) if id in known]
        found += whole[number][max(0, min(places) - SPAN) : max(places) + SPAN + 1] if places else []
    return found
