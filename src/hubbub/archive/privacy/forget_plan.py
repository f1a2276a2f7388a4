"""What an archive has of a person: names, messages, and places in the texts of others. Nothing is changed here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...chat import Message, renamed
from ...errors import UnknownPerson
from ..store import ArchiveStore
from .name_spans import NameFinder, NameKind, NameUses, core_of, most_words_of, parts_of, words_in, words_of
from .quotes import GRAM, MIN_CHARACTERS, Origin, QuoteFinder
from .redaction import PERSON, Redaction, Redactor
from .tombstones import FORGOTTEN, Tombstones

ROWS_AT_ONCE = 20_000
MAX_SIMILAR = 20  # names that are shown beside those of the person
SHOWN = 60  # characters of a text on each side of a place
_ENDING = re.compile(r"[_`\d]+\Z|\|.*\Z")  # what people append to a name that is taken, or while they are away


class Place(NamedTuple):
    """A name in the text of a message that was left: it may be an ordinary word or, if it is shared, somebody else."""

    message: int
    name: str
    text: str
    is_shared: bool = False


class TextChange(NamedTuple):
    """A text of somebody else that has a name or a quote; `key` is the number of a version or an attachment."""

    message: int
    key: int
    redaction: Redaction


@dataclass
class ForgetPlan:
    """What is to be removed. `similar` are names that may be of the same person and are not included.

    `parts` are words of names of several words, `shared` those that others have in their names, and `by_channel` is how
    many messages of the person each channel has.
    """

    names: tuple[str, ...]
    words: frozenset[str]
    parts: tuple[str, ...] = ()
    shared: frozenset[str] = frozenset()
    similar: tuple[str, ...] = ()
    person_ids: tuple[int, ...] = ()
    identity_ids: tuple[int, ...] = ()
    messages: list[int] = field(default_factory=list)
    by_channel: Counter[str] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)
    texts: list[TextChange] = field(default_factory=list)
    versions: list[TextChange] = field(default_factory=list)
    attachments: list[TextChange] = field(default_factory=list)
    relayed: list[int] = field(default_factory=list)
    channels: dict[int, str] = field(default_factory=dict)
    left: list[Place] = field(default_factory=list)
    is_forgotten: bool = False

    @property
    def cores(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(core for name in self.names if (core := core_of(name))))

    @property
    def sought(self) -> tuple[str, ...]:
        """Names and words of names, as they are compared."""
        return *self.cores, *self.parts

    def replaced(self) -> int:
        """How many names and quotes are replaced in the texts of others."""
        return sum(len(c.redaction.replaced) for part in (self.texts, self.versions, self.attachments) for c in part)


class Planner:
    """Looks for a person in all rows of an archive, in two passes: their messages, then the texts of others."""

    def __init__(self, archive: ArchiveStore, person: str, *, only_this_name: bool, all_places: bool) -> None:
        self.archive, self.person, self.all_places = archive, person, all_places
        identities = archive.rows("select id, person_id, name from identities order by id")
        wanted = person.casefold()
        self.owners = {owner for _, owner, name in identities if name.casefold() == wanted}
        own = [
            row for row in identities if row[2].casefold() == wanted or (row[1] in self.owners and not only_this_name)
        ]
        self.plan = ForgetPlan((), frozenset(), identity_ids=tuple(row[0] for row in own))
        self.plan.person_ids = tuple(sorted(self.owners))
        self.folded = {wanted, *(row[2].casefold() for row in own)}
        self.spelled = {row[2]: None for row in own}
        self.others = {row[2].casefold() for row in identities} - self.folded
        self.plan.parts = tuple(dict.fromkeys(part for name in sorted(self.folded) for part in parts_of(name)))
        self.quotes = QuoteFinder()
        self.uses = NameUses()

    def run(self) -> ForgetPlan:
        plan = self.plan
        self._own_messages()
        plan.names = tuple(self.spelled) or (self.person,)
        plan.similar = self._similar()
        plan.parts = tuple(part for part in plan.parts if part not in plan.cores)
        plan.shared = frozenset(plan.parts) & words_in(self.others)
        self.kinds = self.uses.kinds(plan.cores, plan.parts, plan.shared)
        ordinary = (NameKind.WORD, NameKind.PART_WORD)
        plan.words = frozenset(core for core, kind in self.kinds.items() if kind in ordinary)
        redactor = Redactor(self.finder(), self.quotes, takes_all=self.all_places)
        self._texts(redactor)
        self._versions(redactor)
        self._attachments(redactor)
        self._channels(redactor)
        plan.is_forgotten = Tombstones(self.archive).reason(self.person) == FORGOTTEN
        if not (plan.messages or plan.identity_ids or plan.replaced() or plan.left or plan.is_forgotten):
            raise unknown(self.archive, self.person)
        return plan

    def finder(self) -> NameFinder:
        """Passes over names of others that have a word in common, such as those of a family."""
        others = {core_of(name) for name in self.others}
        longer = [core for core in others if words_of(core) > 1 and self.plan.shared & words_in([core])]
        known = dict.fromkeys(longer, NameKind.OTHER) | self.kinds
        return NameFinder(known.get, most_words_of(known), others.__contains__)

    def _own_messages(self) -> None:
        """Their messages, lines about a rename of theirs, and how their names are used by others."""
        counting = NameFinder(dict.fromkeys((*self.folded, *self.plan.parts), NameKind.NAME).get)
        channels = dict(self.archive.rows("select id, name from channels"))
        for id, channel, ordinal, when, author, kind, text, relay in _messages(self.archive):
            message = Message("", None, author, text, kind)
            names = {each.casefold() for each in (author, *(renamed(message) or ()))}
            if names & self.folded:
                self.plan.messages.append(id)
                self.plan.by_channel[channels[channel]] += 1
                if author.casefold() in self.folded:
                    self.spelled.setdefault(author)
                    self._remember(text, Origin(channel, ordinal, when))
                continue
            self.others.add(author.casefold())
            if relay and relay.casefold() in self.folded:
                self.plan.relayed.append(id)
            self.uses.count(text, counting.find(text))
        own = set(self.plan.messages)
        for message_id, text in self.archive.rows("select message_id, text from versions order by message_id"):
            if message_id in own:
                self._remember(text, Origin())

    def _remember(self, text: str, origin: Origin) -> None:
        self.quotes.add(text, origin)
        if len(text) >= MIN_CHARACTERS and len(text.split()) >= GRAM:
            self.plan.said.append(text)

    def _texts(self, redactor: Redactor) -> None:
        own = set(self.plan.messages)
        for id, channel, ordinal, when, _, _, text, _ in _messages(self.archive):
            if id in own:
                continue
            redaction = redactor.redact(text, Origin(channel, ordinal, when))
            if redaction.replaced:
                self.plan.texts.append(TextChange(id, 0, redaction))
            self.plan.left += [self._place(id, text, *span) for span in redaction.left]

    def _versions(self, redactor: Redactor) -> None:
        query = (
            "select v.message_id, v.number, v.text, m.channel_id, m.ordinal, m.time from versions v"
            " join messages m on m.id = v.message_id order by v.message_id, v.number"
        )
        own = set(self.plan.messages)
        for id, number, text, *origin in self.archive.rows(query):
            redaction = redactor.redact(text, Origin(*origin)) if id not in own else Redaction(text)
            if redaction.replaced:
                self.plan.versions.append(TextChange(id, number, redaction))
            self.plan.left += [self._place(id, text, *span) for span in redaction.left]

    def _attachments(self, redactor: Redactor) -> None:
        own = set(self.plan.messages)
        for id, number, name in self.archive.rows("select message_id, number, name from attachments"):
            redaction = redactor.redact(name) if id not in own else Redaction(name)
            if redaction.replaced:
                self.plan.attachments.append(TextChange(id, number, redaction))

    def _channels(self, redactor: Redactor) -> None:
        """New names of channels that have a name in theirs; one that is named after the person gets a number."""
        for id, name in self.archive.rows("select id, name from channels"):
            redaction = redactor.redact(name)
            if redaction.replaced or name.casefold() in self.folded:
                is_free = not self.archive.rows("select 1 from channels where name = :name", name=redaction.text)
                self.plan.channels[id] = redaction.text if is_free and redaction.text != PERSON else f"{PERSON} {id}"

    def _place(self, message: int, text: str, start: int, end: int) -> Place:
        around = text[max(0, start - SHOWN) : end + SHOWN]
        is_shared = self.kinds.get(core_of(text[start:end])) is NameKind.SHARED
        return Place(message, text[start:end], " ".join(around.split()), is_shared)

    def _similar(self) -> tuple[str, ...]:
        bases = {_ENDING.sub("", name) for name in self.folded} - {""}
        return tuple(sorted(name for name in self.others if _ENDING.sub("", name) in bases)[:MAX_SIMILAR])


def _messages(archive: ArchiveStore) -> Iterator[Any]:
    """All messages, in order of their numbers."""
    query = (
        "select id, channel_id, ordinal, time, author, kind, text, relay from messages"
        f" where id > :last order by id limit {ROWS_AT_ONCE}"
    )
    last = 0
    while rows := archive.rows(query, last=last):
        yield from rows
        last = rows[-1][0]


def unknown(archive: ArchiveStore, person: str) -> UnknownPerson:
    from difflib import get_close_matches

    names = [name for (name,) in archive.rows("select distinct name from identities")]
    folded = {name.casefold(): name for name in names}
    found = [folded[each] for each in get_close_matches(person.casefold(), folded, 3)]
    return UnknownPerson(person, archive.location, found, len(names))
