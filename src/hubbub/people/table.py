"""A stage and its company as arrays: the ground that all features of linkers stand on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .company import Company
from .kin import tie_of
from .memory import EVERYTHING, FEMALE, MALE, Memory
from .metrics import MAIN_SHARE
from .stage import FIRST_PERSON, HER, HIM, NAME, OBJECT, SECOND_PERSON, SUBJECT, Seen, Stage

Array = np.ndarray[Any, Any]
GLANCE = ("speaker story words", "story words", "story head", "words", "head")  # the last two for names only
CLAUSE = 4  # words within which a subject and an object are of one verb


@dataclass
class Table:
    """A stage and its company as arrays."""

    stage: Stage
    company: Company
    memory: Memory

    @cached_property
    def kind(self) -> Array:
        return self._column("kind")

    @cached_property
    def turn(self) -> Array:
        return self._column("turn")

    @cached_property
    def at(self) -> Array:
        return self._column("at")

    @cached_property
    def line(self) -> Array:
        return self._column("line")

    @cached_property
    def gender(self) -> Array:
        return self._column("gender")

    def _column(self, name: str) -> Array:
        return np.array([getattr(seen, name) for seen in self.stage.seen], np.int64)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.stage.seen), len(self.company.ids)

    @cached_property
    def allowed(self) -> Array:
        """Who is considered at all: who says "I" or is said "you" to is on the stage or named, or unknown."""
        table = np.ones(self.shape, bool)
        here = np.zeros(self.shape[1], bool)
        here[: self.company.present] = True
        here[[named.person for named in self.company.named]] = True
        table[self.kind == SECOND_PERSON] = here
        here[self.company.present :] = False
        table[self.kind == FIRST_PERSON] = here
        return table

    @cached_property
    def speaking(self) -> Array:
        """[turn, candidate]: who speaks. Nobody knows whether two unknown speakers are one."""
        table = np.zeros((len(self.company.turns), self.shape[1]), bool)
        for turn, people in enumerate(self.company.turns):
            table[turn, people] = True
        return table

    @cached_property
    def speaker(self) -> Array:
        """The first speaker of each turn."""
        return np.array([people[0] for people in self.company.turns], np.int64)

    @cached_property
    def gender_of(self) -> tuple[Array, Array]:
        """For each candidate from -1, a man, to 1, a woman; and how much was seen that says so."""
        memory, ids = self.memory, self.company.ids
        women, men = memory.of(FEMALE), memory.of(MALE)
        told = np.array([self.company.cast.gender.get(person, 0.0) for person in ids])
        female = np.array([women.get(person, 0) for person in ids], float) + 2 * np.maximum(told, 0)
        male = np.array([men.get(person, 0) for person in ids], float) + 2 * np.maximum(-told, 0)
        female[0] = male[0] = 0
        return (female - male) / (female + male + 0.5), female + male

    @cached_property
    def around(self) -> Array:
        """[4, turn]: the last other speaker before each turn, the next after it, and those beyond these; -1 if none."""
        turns = self.company.turns
        table = np.full((4, len(turns)), -1, np.int64)
        for turn, people in enumerate(turns):
            for row, steps in ((0, range(turn - 1, -1, -1)), (1, range(turn + 1, len(turns)))):
                others = dict.fromkeys(turns[step][0] for step in steps[:12] if turns[step] != people)
                for far, person in enumerate(list(others)[:2]):
                    table[row + 2 * far, turn] = person
        return table

    @cached_property
    def times(self) -> Array:
        """How often each candidate is meant in all that memory knows."""
        everybody = self.memory.of(EVERYTHING)
        return np.array([everybody.get(person, 0) for person in self.company.ids], np.float32)

    @cached_property
    def main(self) -> Array:
        """Which candidates have at least one mention in twenty of those."""
        return self.times >= MAIN_SHARE * max(1, sum(self.memory.of(EVERYTHING).values()))

    @cached_property
    def likely(self) -> Array:
        """The person whom each mention means at first glance: the speaker, who is named, whom memory knows; or -1."""
        found = np.full(self.shape[0], -1, np.int64)
        number = self.company.number
        at_name = {named.at: named.person for named in self.company.named}
        for place, seen in enumerate(self.stage.seen):
            if seen.kind == FIRST_PERSON:
                found[place] = self.company.turns[seen.turn][0]
            elif seen.kind >= NAME:
                keys, names = self.company.keys, GLANCE if seen.kind == NAME else GLANCE[:3]
                best = next((who for name in names if keys and (who := self.memory.best(keys[place][name]))), None)
                found[place] = number.get(best, -1) if best else at_name.get(seen.at, -1)
        related = self.related
        return np.where((found < 0) & (related.max(1) > 0), related.argmax(1), found)

    @cached_property
    def clause_subject(self) -> Array:
        """For each "him" and "her" the mention before it that is the subject of the same verb, or -1."""
        found, seen = np.full(self.shape[0], -1, np.int64), self.stage.seen
        for number, each in enumerate(seen[1:], 1):
            before = seen[number - 1]
            near = before.line == each.line and each.at - before.at <= CLAUSE
            if near and each.kind in (HIM, HER) and each.form == OBJECT and before.form in (0, SUBJECT):
                found[number] = number - 1
        return found

    @cached_property
    def related(self) -> Array:
        """[mention, candidate]: 1 for a relative whom the cast declares, -1 in a row for which it declares none."""
        related, company = np.full(self.shape, -1.0), self.company
        for number, seen in enumerate(self.stage.seen if company.cast.relations else ()):
            if seen.kind >= NAME and (tie := tie_of(seen.head)):
                for owner in self._owners(seen):
                    for person in relatives(company, owner, tie):
                        related[number] = np.maximum(related[number], 0)
                        related[number, person] = 1
        return related

    def _owners(self, seen: Seen) -> Iterable[int]:
        """Whose relative a noun means, where that is plain: "my" and none the speaker's, "your" the other one's."""
        if seen.owner_at < 0 or seen.before in ("my", "our"):
            return self.company.turns[seen.turn]
        before, after = self.around[:2, seen.turn].tolist()
        return (
            [max(before, after)]
            if seen.before in ("your", "ur") and (before == after or min(before, after) < 0)
            else ()
        )


def relatives(company: Company, owner: int, tie: tuple[str, int]) -> list[int]:
    """Candidates who are that to a candidate, as the cast declares."""
    declared = company.cast.relations.get((company.ids[owner], tie[0]), ())
    gender = company.cast.gender
    return [
        company.number[person]
        for person, told in declared
        if person in company.number and (told or gender[person]) * tie[1] >= 0
    ]
