"""A window and its candidates as arrays: the input of all feature groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..metrics import MAIN_SHARE
from .candidates import CandidateSet
from .link_counts import EVERYTHING, FEMALE, MALE, LinkCounts
from .relations import relation_of
from .window import FIRST_PERSON, HE_KIND, NAME, OBJECT, SECOND_PERSON, SHE_KIND, SUBJECT, MentionContext, MessageWindow

Array = np.ndarray[Any, Any]
FIRST_GUESS_KEYS = ("speaker story words", "story words", "story head", "words", "head")  # the last two for names only
MAX_CLAUSE_WORDS = 4  # words within which a subject and an object are of one verb


@dataclass
class CandidateMatrix:
    """A window and its candidates as arrays."""

    window: MessageWindow
    candidates: CandidateSet
    link_counts: LinkCounts

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
        return np.array([getattr(mention, name) for mention in self.window.mentions], np.int64)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.window.mentions), len(self.candidates.ids)

    @cached_property
    def allowed(self) -> Array:
        """[mention, candidate] pairs to score: "I" is a speaker, "you" a speaker or somebody named, or unknown."""
        table = np.ones(self.shape, bool)
        here = np.zeros(self.shape[1], bool)
        here[: self.candidates.present] = True
        here[[named.person for named in self.candidates.named]] = True
        table[self.kind == SECOND_PERSON] = here
        here[self.candidates.present :] = False
        table[self.kind == FIRST_PERSON] = here
        return table

    @cached_property
    def speaking(self) -> Array:
        """[turn, candidate]: who speaks. Nobody knows whether two unknown speakers are one."""
        table = np.zeros((len(self.candidates.turns), self.shape[1]), bool)
        for turn, people in enumerate(self.candidates.turns):
            table[turn, people] = True
        return table

    @cached_property
    def speaker(self) -> Array:
        """The first speaker of each turn."""
        return np.array([people[0] for people in self.candidates.turns], np.int64)

    @cached_property
    def gender_of(self) -> tuple[Array, Array]:
        """For each candidate from -1, a man, to 1, a woman; and how much was seen that says so."""
        link_counts, ids = self.link_counts, self.candidates.ids
        women, men = link_counts.of(FEMALE), link_counts.of(MALE)
        declared_gender = np.array([self.candidates.cast.gender.get(person, 0.0) for person in ids])
        female = np.array([women.get(person, 0) for person in ids], float) + 2 * np.maximum(declared_gender, 0)
        male = np.array([men.get(person, 0) for person in ids], float) + 2 * np.maximum(-declared_gender, 0)
        female[0] = male[0] = 0
        return (female - male) / (female + male + 0.5), female + male

    @cached_property
    def around(self) -> Array:
        """[4, turn]: the last other speaker before each turn, the next after it, and those beyond these; -1 if none."""
        turns = self.candidates.turns
        table = np.full((4, len(turns)), -1, np.int64)
        for turn, people in enumerate(turns):
            for row, steps in ((0, range(turn - 1, -1, -1)), (1, range(turn + 1, len(turns)))):
                others = dict.fromkeys(turns[step][0] for step in steps[:12] if turns[step] != people)
                for far, person in enumerate(list(others)[:2]):
                    table[row + 2 * far, turn] = person
        return table

    @cached_property
    def times(self) -> Array:
        """How often each candidate is meant in all link counts."""
        everybody = self.link_counts.of(EVERYTHING)
        return np.array([everybody.get(person, 0) for person in self.candidates.ids], np.float32)

    @cached_property
    def main(self) -> Array:
        """Which candidates have at least one mention in twenty of those."""
        return self.times >= MAIN_SHARE * max(1, sum(self.link_counts.of(EVERYTHING).values()))

    @cached_property
    def likely(self) -> Array:
        """A first guess for each mention: the speaker, the person named, the person with the highest count; or -1."""
        found = np.full(self.shape[0], -1, np.int64)
        number = self.candidates.number
        at_name = {named.at: named.person for named in self.candidates.named}
        for place, mention in enumerate(self.window.mentions):
            if mention.kind == FIRST_PERSON:
                found[place] = self.candidates.turns[mention.turn][0]
            elif mention.kind >= NAME:
                keys, names = self.candidates.keys, FIRST_GUESS_KEYS if mention.kind == NAME else FIRST_GUESS_KEYS[:3]
                best = next((who for name in names if keys and (who := self.link_counts.best(keys[place][name]))), None)
                found[place] = number.get(best, -1) if best else at_name.get(mention.at, -1)
        related = self.related
        return np.where((found < 0) & (related.max(1) > 0), related.argmax(1), found)

    @cached_property
    def clause_subject(self) -> Array:
        """For each "him" and "her" the mention before it that is the subject of the same verb, or -1."""
        found, mentions = np.full(self.shape[0], -1, np.int64), self.window.mentions
        for number, each in enumerate(mentions[1:], 1):
            before = mentions[number - 1]
            near = before.line == each.line and each.at - before.at <= MAX_CLAUSE_WORDS
            if near and each.kind in (HE_KIND, SHE_KIND) and each.form == OBJECT and before.form in (0, SUBJECT):
                found[number] = number - 1
        return found

    @cached_property
    def related(self) -> Array:
        """[mention, candidate]: 1 for a relative whom the cast declares, -1 in a row for which it declares none."""
        related, candidates = np.full(self.shape, -1.0), self.candidates
        for number, mention in enumerate(self.window.mentions if candidates.cast.relations else ()):
            if mention.kind >= NAME and (relation := relation_of(mention.head)):
                for owner in self._owners(mention):
                    for person in relatives(candidates, owner, relation):
                        related[number] = np.maximum(related[number], 0)
                        related[number, person] = 1
        return related

    def _owners(self, mention: MentionContext) -> Iterable[int]:
        """Whose relative a noun means, where that is plain: "my" and none the speaker's, "your" the other one's."""
        if mention.owner_at < 0 or mention.before in ("my", "our"):
            return self.candidates.turns[mention.turn]
        before, after = self.around[:2, mention.turn].tolist()
        return (
            [max(before, after)]
            if mention.before in ("your", "ur") and (before == after or min(before, after) < 0)
            else ()
        )


def relatives(candidates: CandidateSet, owner: int, relation: tuple[str, int]) -> list[int]:
    """Candidates who are that to a candidate, as the cast declares."""
    declared = candidates.cast.relations.get((candidates.ids[owner], relation[0]), ())
    gender = candidates.cast.gender
    return [
        candidates.number[person]
        for person, declared_gender in declared
        if person in candidates.number and (declared_gender or gender[person]) * relation[1] >= 0
    ]
