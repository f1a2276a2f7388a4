"""Who is who: the names that one person has in a network, from renames and bridges."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..chat import Message, renamed
from . import schema
from .store import ArchiveStore

GUEST = re.compile(r"(?i)(guest|user|anon|unknown|mib_|webchat)[\d_]*\Z")  # names that servers give to anybody


def add_identities(
    archive: ArchiveStore, channel: int, said: Sequence[Message], relayed: Iterable[tuple[str, str]] = ()
) -> None:
    """Gives every author a person. A name that first appears by a rename belongs to the person who took it.

    `relayed` has the author and the account of messages that came through a bridge.
    """
    ((network,),) = archive.rows("select network_id from channels where id = :of", of=channel)
    authors = dict.fromkeys(each.author for each in said if each.author)
    renames = [pair for each in said if (pair := renamed(each))]
    wanted = dict.fromkeys([*authors, *(name for pair in renames for name in pair)])
    known = _known(archive, network, "nick", list(wanted))
    taken_by = {new: old for old, new in reversed(renames) if new not in known and not GUEST.match(new) and new != old}
    next_person, next_identity = archive.next_id("people"), archive.next_id("identities")
    people, rows = [], []
    for name in wanted:
        if name in known:
            continue
        owner = _owner(name, taken_by)
        if owner not in known:
            known[owner] = next_person
            people.append((next_person, owner))
            rows.append((next_identity, next_person, network, "nick", owner))
            next_person, next_identity = next_person + 1, next_identity + 1
        if name not in known:
            known[name] = known[owner]
            rows.append((next_identity, known[owner], network, "nick", name))
            next_identity += 1
    puppets = _puppets(relayed)
    taken = _known(archive, network, "puppet", list(puppets))
    new = [(name, known[author]) for name, author in puppets.items() if name not in taken and author in known]
    rows += [(id, person, network, "puppet", name) for id, (name, person) in enumerate(new, next_identity)]
    archive.insert(schema.people, people)
    archive.insert(schema.identities, rows)


def _puppets(relayed: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Account -> author, of accounts that a bridge has for one person each: they are named after that person."""
    authors: dict[str, set[str]] = defaultdict(set)
    for author, account in relayed:
        authors[account].add(author)
    return {
        account: author
        for account, (author, *others) in authors.items()
        if not others and account != author and author and _names(account, author)
    }


def _names(account: str, author: str) -> bool:
    """Whether the name of an account has that of the author as a word: ada[m], but not bot for bo."""
    return bool(re.search(rf"(?i)(?<![^\W_]){re.escape(author)}(?![^\W_])", account))


def _owner(name: str, taken_by: dict[str, str]) -> str:
    """The name at the start of a chain of renames."""
    seen = {name}
    while (before := taken_by.get(name)) and before not in seen:
        name = before
        seen.add(name)
    return name


def known_people(archive: ArchiveStore, channel: int, names: Sequence[str]) -> dict[str, int]:
    """Name -> person, of those that the network of a channel has."""
    ((network,),) = archive.rows("select network_id from channels where id = :of", of=channel)
    return _known(archive, network, "nick", names)


def _known(archive: ArchiveStore, network: int, kind: str, names: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(names), 5_000):
        values = {f"name{place}": name for place, name in enumerate(names[start : start + 5_000])}
        rows = archive.rows(
            "select name, person_id from identities where network_id = :of and kind = :kind"
            f" and name in ({','.join(f':{key}' for key in values)})",
            of=network,
            kind=kind,
            **values,
        )
        found |= dict(tuple(row) for row in rows)
    return found
