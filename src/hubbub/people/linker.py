"""What both linkers share: from scenes to tables, from chances to links, memory, and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from ..layers import Link, Mention
from ..schema import Schema
from .company import Company, company
from .features import Group
from .judging import Judged, columns, flattened, judge, schema, unflattened
from .memory import Memory, records
from .mentions import mentions_of
from .scene import Scene
from .stage import PLURAL, Stage, stages
from .table import Array, Table


class Linker:
    """A linker judges each stage of a scene on its own and names the most probable person, or nobody."""

    groups: ClassVar[tuple[Group, ...]]
    threshold: float
    weights_: Any
    memory_: Any

    def predict(self, inputs: Sequence[Scene]) -> list[Sequence[Link]]:
        return [self._links(scene) for scene in inputs]

    def _links(self, scene: Scene) -> tuple[Link, ...]:
        mentions = mentions_of(scene)
        links = [Link(mention, (), 0.0) for mention in mentions]
        for stage, asked in stages(scene, mentions):
            table = self._table(stage)
            chance = self._judged(table).chance
            for place, number in zip(stage.core, asked, strict=True):
                links[number] = self._link(table, place, chance[place])
        return tuple(links)

    def _table(self, stage: Stage) -> Table:
        return Table(stage, company(stage, self.memory_), self.memory_)

    def _judged(self, table: Table) -> Judged:
        return judge(self.weights_, table, self.groups)

    def _link(self, table: Table, place: int, chance: Array) -> Link:
        """The best person if probable enough; the chance of an unknown one is that of being none of the others."""
        mention = table.stage.seen[place].mention
        best = self.choice(table, chance)
        if table.kind[place] == PLURAL or not best or chance[best] < self.threshold:
            return Link(mention, (), float(min(1.0, chance[0])))
        return Link(mention, (table.company.ids[best],), float(min(1.0, chance[best])))

    def choice(self, table: Table, chance: Array) -> int:
        return int(chance.argmax())

    def confirm(self, scene: Scene, links: Sequence[Link]) -> Self:
        """Remembers links that are known to be right; nothing is trained again."""
        self.memory_.add(remembered(scene, links, self.memory_))
        return self

    def why(self, scene: Scene, mention: Mention) -> list[tuple[str, float, list[str]]]:
        """The most probable people of a mention with their chances and what speaks for each; "" is nobody known."""
        from .why import reasons

        for stage, _ in stages(scene, mentions_of(scene)):
            for place in stage.core:
                if stage.seen[place].mention == mention:
                    table = self._table(stage)
                    return reasons(self.weights_, table, self._judged(table), place)
        return []

    def state(self) -> Mapping[str, Any]:
        people = self.memory_.people()
        return {
            **flattened(self.weights_),
            "columns": columns(self.groups),
            "ids": people,
            **self.memory_.arrays(people),
        }

    def schema(self) -> Schema:
        return schema(self.groups)

    def restore(self, state: Mapping[str, Any]) -> Self:
        self.weights_ = unflattened(state)
        self.memory_ = Memory.from_arrays(state["ids"], *(state[name] for name in ("keys", "people", "times")))
        return self


def told(stage: Stage, asked: Sequence[int], gold: Sequence[Link]) -> dict[int, str]:
    """Number of a mention on the stage -> who is meant, where one person is."""
    return {place: gold[number].people[0] for place, number in zip(stage.core, asked, strict=True)
            if len(gold[number].people) == 1}  # fmt: skip


def remembered(scene: Scene, links: Sequence[Link], memory: Memory) -> Iterator[tuple[int, str]]:
    """What links teach about a scene."""
    for stage, asked in stages(scene, [link.mention for link in links]):
        found = company(stage, memory)
        yield from records(stage, told(stage, asked, links), speaking(found))


def speaking(found: Company) -> list[str]:
    """Who speaks in each turn."""
    return [found.ids[people[0]] for people in found.turns]


def right_ones(table: Table, people: Mapping[int, str]) -> Array:
    """The number of the right candidate of each mention; who is no candidate is unknown."""
    right = np.array([table.company.number.get(people.get(place, ""), 0) for place in range(table.shape[0])], np.int64)
    return np.where(table.allowed[np.arange(len(right)), right], right, 0)
