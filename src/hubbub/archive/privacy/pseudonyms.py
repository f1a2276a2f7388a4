"""Roles in place of names, conversation by conversation: "asker" for whoever begins, then "helper 1", "helper 2" ...

A role says nothing about other conversations, so that one person cannot be followed through a copy. Names inside texts
become the role of the same conversation, or "someone"; addresses, numbers and secrets are replaced too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..conversation_ids import conversation_ids
from ..store import ArchiveStore
from .name_spans import NameFinder, NameKind, NameUses, core_of, most_words_of, parts_of
from .personal_data import find_personal_data
from .redaction import Replacement, outermost, replace

ASKER, HELPER, SOMEONE = "asker", "helper {}", "someone"
NAMES = "names"
ROWS_AT_ONCE = 20_000


class Pseudonyms:
    """The roles of an archive and its texts with them; `replaced` counts replacements by kind.

    Conversations go by the ids of the archive; `ids` has the new ones, which are derived from the new texts.
    """

    def __init__(self, archive: ArchiveStore) -> None:
        self.archive, self.replaced = archive, Counter[str]()
        self._people = _people(archive)
        self._roles = self._all_roles()
        self._owners = _owners(self._people)
        cores = dict.fromkeys(self._owners)
        called = _called(self._people)
        uses = _uses(archive, (*cores, *called))
        kinds = uses.kinds(cores, called)
        self._finder = NameFinder(kinds.get, most_words_of(kinds))
        self._owners = called | self._owners
        self._unaddressed = frozenset(filter(uses.is_never_addressed, cores))
        self.ids = self._new_ids()
        self.replaced.clear()  # texts that ids were derived from are counted when they are written

    def _all_roles(self) -> dict[str, dict[int, str]]:
        """Conversation -> person -> role, in the order in which people speak."""
        query = (
            "select t.public_id, m.author from messages m join conversations t on t.id = m.conversation_id"
            " where m.kind <> 'system' group by t.public_id, m.author order by t.public_id, min(m.ordinal)"
        )
        found: dict[str, dict[int, str]] = {}
        for conversation, author in self.archive.rows(query):
            roles = found.setdefault(conversation, {})
            roles.setdefault(self._people[author], HELPER.format(len(roles)) if roles else ASKER)
        return found

    def _new_ids(self) -> dict[str, str]:
        query = (
            "select t.public_id, n.name, c.name, m.time, m.clock, m.author, m.text from conversations t"
            " join messages m on m.id = t.first_message join channels c on c.id = t.channel_id"
            " join networks n on n.id = c.network_id order by t.id"
        )
        ids, taken = dict[str, str](), set[str]()
        for old, network, channel, when, clock, author, text in self.archive.rows(query):
            parts = (
                network,
                self.channel(channel),
                when or clock or "",
                self.author(old, author),
                self.text(old, text),
            )
            ids[old] = next(id for id in conversation_ids(*parts) if id not in taken)
            taken.add(ids[old])
        return ids

    def author(self, conversation: str, name: str) -> str:
        """The role of an author; of system lines, the author may be nobody or no part of the conversation."""
        return self._roles.get(conversation, {}).get(self._people.get(name, 0), SOMEONE) if name else ""

    def channel(self, name: str) -> str:
        """A private chat has the name of a person."""
        return SOMEONE if core_of(name) == name.casefold() and name.casefold() in self._owners else name

    def text(self, conversation: str, text: str) -> str:
        """A text with roles in place of names, and without what identifies people otherwise."""
        data = list(find_personal_data(text))
        found = ((each, self._role(conversation, each.core)) for each in self._finder.find(text) if each.is_certain)
        names = [
            Replacement(each.start, each.end, role)
            for each, role in found
            if role != SOMEONE or each.core not in self._unaddressed  # else more probably a word
        ]
        replaced = outermost((*data, *names))
        known = set(data)
        self.replaced.update(each.text.strip("[]") if each in known else NAMES for each in replaced)
        return replace(text, replaced)

    def _role(self, conversation: str, core: str) -> str:
        roles = self._roles.get(conversation, {})
        owners = self._owners.get(core) or self._owners.get(core.rstrip("_"), ())
        return next((roles[owner] for owner in owners if owner in roles), SOMEONE)

    def records(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Messages as they are exported, without system lines outside conversations."""
        for row in rows:
            old = row["conversation"]
            if old is not None:
                said = {"author": self.author(old, row["author"]), "text": self.text(old, row["text"])}
                yield row | said | {"conversation": self.ids[old], "channel": self.channel(row["channel"])}

    def map_records(self) -> Iterator[dict[str, Any]]:
        """Which names the roles stand for."""
        names: dict[int, list[str]] = {}
        for name, person in self._people.items():
            names.setdefault(person, []).append(name)
        for old, roles in self._roles.items():
            people = {role: sorted(names[person]) for person, role in roles.items()}
            yield {"conversation": self.ids[old], "before": old, "roles": people}


def _people(archive: ArchiveStore) -> dict[str, int]:
    """Every name with the number of its person; authors without an identity get a number of their own."""
    people: dict[str, int] = dict(archive.rows("select name, person_id from identities order by id"))
    number = max(people.values(), default=0)
    for (author,) in archive.rows("select distinct author from messages where author <> '' order by author"):
        if author not in people:
            number += 1
            people[author] = number
    return people


def _owners(people: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """Core -> the people who have such a name; lou_ is called lou too, unless somebody else is."""
    found: dict[str, tuple[int, ...]] = {}
    for name, person in people.items():
        if core := core_of(name):
            found[core] = (*found.get(core, ()), person)
    shorter = {core.rstrip("_"): owners for core, owners in found.items() if core.endswith("_")}
    return {core: owners for core, owners in shorter.items() if core} | found


def _called(people: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """Word of a name of several words -> the people who have it in their names."""
    found: dict[str, tuple[int, ...]] = {}
    for name, person in people.items():
        for part in parts_of(name):
            found[part] = (*found.get(part, ()), person)
    return found


def _uses(archive: ArchiveStore, cores: Iterable[str]) -> NameUses:
    """How names are used in all texts, which tells names from words."""
    uses, finder, last = NameUses(), NameFinder(dict.fromkeys(cores, NameKind.NAME).get), 0
    query = f"select id, text from messages where id > :last and kind <> 'system' order by id limit {ROWS_AT_ONCE}"
    while rows := archive.rows(query, last=last):
        for _, text in rows:
            uses.count(text, finder.find(text))
        last = rows[-1][0]
    return uses
