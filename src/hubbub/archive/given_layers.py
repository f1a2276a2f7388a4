"""Mentions and intents that came with a chat, stored with its messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from ..layers import Intent, Layers, Link
from . import schema
from .engine import listed
from .identities import known_people
from .store import ArchiveStore


class GivenLayers:
    """The layers of a chat that is being added, by the position of the message."""

    def __init__(self, layers: Layers) -> None:
        self._names = {person.id: (person.id, *person.names) for person in layers.people}
        self._links: dict[int, list[Link]] = defaultdict(list)
        self._intents: dict[int, list[Intent]] = defaultdict(list)
        for link in layers.links:
            self._links[link.mention.position].append(link)
        for intent in layers.intents:
            if intent.name is not None:
                self._intents[intent.position].append(intent)

    def store(self, archive: ArchiveStore, channel: int, source: int, ids: Mapping[int, int]) -> None:
        """Stores what is about these messages, position -> message, in the place of what was given before."""
        said = {position: id for position, id in ids.items() if position in self._links or position in self._intents}
        if not said:
            return
        for table in ("mentions", "intents"):
            archive.engine.execute(
                f"delete from {table} where message_id in ({listed(sorted(said.values()))}) and source_id = {source}"
            )
        people = self._people(archive, channel, said)
        archive.insert(schema.mentions, dict.fromkeys(self._mention_rows(said, people, source)))
        archive.insert(schema.intents, dict.fromkeys(self._intent_rows(said, source)))

    def _mention_rows(self, said: Mapping[int, int], people: Mapping[str, int], source: int) -> list[tuple[Any, ...]]:
        """A mention of nobody known is kept too, without a person."""
        return [
            (id, link.mention.start, link.mention.end, number, people.get(name), float(link.score), source)
            for position, id in said.items()
            for link in self._links.get(position, ())
            for number, name in enumerate(link.people or ("",))
        ]

    def _intent_rows(self, said: Mapping[int, int], source: int) -> list[tuple[Any, ...]]:
        return [
            (id, each.name, float(dict(each.ranking).get(str(each.name), each.score)), source)
            for position, id in said.items()
            for each in self._intents.get(position, ())
        ]

    def _people(self, archive: ArchiveStore, channel: int, said: Mapping[int, int]) -> dict[str, int]:
        """Id of a person in the layer -> person of the archive, by the names that the person has."""
        meant = {name for position in said for link in self._links.get(position, ()) for name in link.people}
        names = {id: self._names.get(id, (id,)) for id in sorted(meant)}
        known = known_people(archive, channel, sorted({name for each in names.values() for name in each}))
        return {
            id: next(known[name] for name in each if name in known)
            for id, each in names.items()
            if any(name in known for name in each)
        }
