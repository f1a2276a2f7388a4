"""What speaks for and against each candidate of each mention: a table of mentions by candidates by features.

Every feature is an array that broadcasts to mentions x candidates. None of them knows a person by name: what is known
of a person is how often and when they speak, how they are named, and what memory has counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .company import Company, nickname
from .kin import TIES, tie_of
from .memory import EVERYTHING, FEMALE, MALE, Memory, context, key, keys_of, kin_key, scenes_key, story_key
from .stage import FIRST_PERSON, HIM, NAME, NOUN, SECOND_PERSON, Seen, Stage
from .words import among

Array = np.ndarray[Any, Any]
FAR, FARTHEST = 99.0, 999.0
PET_NAMES = among(
    "honey sweetie sweetheart man buddy pal sir dear darling bud dude babe baby mate hon love doc boss bro"
)


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
                others = dict.fromkeys(turns[step][0] for step in list(steps)[:12] if turns[step] != people)
                for far, person in enumerate(list(others)[:2]):
                    table[row + 2 * far, turn] = person
        return table

    @cached_property
    def likely(self) -> Array:
        """The person whom each mention means at first glance: the speaker, who is named, whom memory knows; or -1."""
        found = np.full(self.shape[0], -1, np.int64)
        number, story = self.company.number, self.stage.scene.episode
        at_name = {named.at: named.person for named in self.company.named}
        for place, seen in enumerate(self.stage.seen):
            if seen.kind == FIRST_PERSON:
                found[place] = self.company.turns[seen.turn][0]
            elif seen.kind >= NAME:
                keys = keys_of(seen, self.stage.lines[seen.line].author, story) if self.memory.counts else {}
                names = ["speaker story words", "story words", "story head"]
                names += ["words", "head"] if seen.kind == NAME else []
                best = next((who for name in names if keys and (who := self.memory.best(keys[name]))), None)
                found[place] = number.get(best, -1) if best else at_name.get(seen.at, -1)
        related = self.related
        return np.where((found < 0) & (related.max(1) > 0), related.argmax(1), found)

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


def _spread(values: Any) -> Array:
    """One value a mention."""
    return np.asarray(values, np.float32)[:, None]


def of_mention(table: Table) -> Mapping[str, Array]:
    """What is the same for all candidates of a mention."""
    stage, seen = table.stage, table.stage.seen
    starts = np.array(stage.turn_starts)
    low = [stage.lines[each.line].low for each in seen]
    around = table.around[:, table.turn]
    turn_at, turn_end = starts[table.turn], starts[table.turn + 1]
    present = table.company.present
    return {
        "kind": _spread(table.kind),
        "words": _spread([each.end - each.start for each in seen]),
        "place": _spread([each.start for each in seen]),
        "length": _spread([len(words) for words in low]),
        "question": _spread(["?" in words for words in low]),
        "determiner": _spread([each.determiner for each in seen]),
        "vocative": _spread([each.vocative for each in seen]),
        "subject": _spread([each.subject for each in seen]),
        "form": _spread([each.form for each in seen]),
        "owned": _spread([each.owner_at >= 0 for each in seen]),
        "pet name": _spread([each.kind == NOUN and each.head in PET_NAMES for each in seen]),
        "tie": _spread([each.kind >= NAME and each.head in TIES for each in seen]),
        "gender": _spread(table.gender),
        "speakers": np.full((1, 1), present - 1, np.float32),
        "into turn": _spread(table.at - turn_at),
        "rest of turn": _spread(turn_end - table.at),
        "number": _spread(np.arange(len(seen))),
        "mentions": np.full((1, 1), len(seen), np.float32),
        "turn": _spread(table.turn),
        "turns left": _spread(len(stage.turns) - table.turn),
        "pair": _spread((around[0] == around[1]) & (around[0] >= 0)),
        "strange speaker": _spread(table.speaker[table.turn] == 0),
    }


def of_candidate(table: Table) -> Mapping[str, Array]:
    """What is the same of a candidate for all mentions."""
    gender, evidence = table.gender_of
    turns = table.speaking.sum(0)
    named = np.bincount([each.person for each in table.company.named], minlength=table.shape[1])
    unknown = np.zeros(table.shape[1])
    unknown[0] = 1
    return {
        name: np.asarray(values, np.float32)[None, :]
        for name, values in {
            "unknown": unknown,
            "gender told": gender,
            "gender evidence": np.minimum(evidence, 20),
            "turns spoken": turns,
            "share spoken": turns / max(1, len(table.company.turns)),
            "times named": named,
            "likely elsewhere": np.bincount(table.likely[table.likely >= 0], minlength=table.shape[1]),
        }.items()
    }


def of_turns(table: Table) -> Mapping[str, Array]:
    """Who speaks when."""
    speaking, turn = table.speaking, table.turn
    count, people = speaking.shape
    last, following = np.full((count + 1, people), -1), np.full((count + 1, people), -1)
    for ahead in range(count):
        last[ahead + 1] = np.where(speaking[ahead], ahead, last[ahead])
        back = count - 1 - ahead
        following[back] = np.where(speaking[back], back, following[back + 1])
    before, after = last[turn], following[turn + 1]
    own = np.arange(people)
    around = table.around[:, turn][:, :, None] == own
    starts = np.array(table.stage.turn_starts)
    summed = np.vstack([np.zeros((1, people)), np.cumsum(speaking, 0)])
    sides = {
        f"speaks within {far}": summed[np.minimum(turn + far + 1, count)] - summed[np.maximum(turn - far, 0)]
        for far in (3, 8)
    }
    now, step = speaking[turn], turn[:, None]
    return {
        "speaks now": now,
        "speaks together": _spread(now.sum(1)),
        "turns since": np.where(before >= 0, step - before, FAR),
        "turns until": np.where(after >= 0, after - step, FAR),
        "speaker before": around[0],
        "speaker after": around[1],
        "second before": around[2],
        "second after": around[3],
        "words since": np.where(before >= 0, table.at[:, None] - starts[before + 1], FARTHEST),
        "just before": before == step - 1,
        "just after": after == step + 1,
        "gender agrees": table.gender_of[0] * table.gender[:, None],
        **sides,
    }


def of_names(table: Table) -> Mapping[str, Array]:
    """Who is named where, and how the words of a mention are like the names of a candidate."""
    shape, at = table.shape, table.at
    length = np.array([seen.end - seen.start for seen in table.stage.seen])
    behind, ahead = np.full(shape, FARTHEST), np.full(shape, FARTHEST)
    turns, lines = len(table.company.turns), len(table.stage.lines)
    in_turn, called, in_line = (np.zeros((size + 2, shape[1])) for size in (turns, turns, lines))
    places: dict[int, list[int]] = {}
    for named in table.company.named:
        places.setdefault(named.person, []).append(named.at)
        in_turn[named.turn + 1, named.person] += 1
        called[named.turn + 1, named.person] += named.vocative
        in_line[named.line + 1, named.person] += 1
    for person, where in places.items():
        spots = np.array([-10_000, *sorted(where), 10_000_000])
        left = spots[np.searchsorted(spots, at) - 1]
        right = spots[np.searchsorted(spots, at + length)]
        behind[:, person] = np.minimum(at - left, FARTHEST)
        ahead[:, person] = np.minimum(right - at, FARTHEST)
    full, shared, nick, rivals = _alike(table)
    turn, line = table.turn + 1, table.line + 1
    agrees = np.where(table.gender[:, None] * table.gender_of[0] < -0.2, FARTHEST + 1, behind)
    agrees[table.speaking[table.turn] | ((called[turn] > 0) & (table.kind != SECOND_PERSON)[:, None])] = FARTHEST + 1
    return {
        "named before": behind,
        "named after": ahead,
        "named in turn": in_turn[turn],
        "named in line": in_line[line],
        "called in turn": called[turn],
        "named in turn before": in_turn[turn - 1],
        "named in turn after": in_turn[turn + 1],
        "called in turn before": called[turn - 1],
        "called in turn after": called[turn + 1],
        "nearer names": (agrees[:, :, None] > agrees[:, None, :]).sum(2),
        "same name": full,
        "shared words": shared,
        "nickname": nick,
        "as much alike": rivals,
    }


def _alike(table: Table) -> tuple[Array, Array, Array, Array]:
    full, shared, nick = (np.zeros(table.shape, np.float32) for _ in range(3))
    ids, cast, rows = table.company.ids, table.company.cast, dict[str, tuple[Array, Array, Array]]()
    for place, seen in enumerate(table.stage.seen):
        if seen.kind >= NAME:
            if seen.words not in rows:
                rows[seen.words] = _name_rows(seen.words, seen.kind, ids, cast.whole, cast.words)
            full[place], shared[place], nick[place] = rows[seen.words]
    best = 2 * full + shared + nick
    rivals = ((best == best.max(1, keepdims=True)) & (best > 0)).sum(1, keepdims=True)
    return full, shared, nick, rivals


def _name_rows(words: str, kind: int, ids: list[str], whole: Any, own: Any) -> tuple[Array, Array, Array]:
    """For one form of words, how they are like the names of each candidate."""
    parts, exact = words.split(), set(whole.get(words, ()))
    full = np.array([person in exact for person in ids], np.float32)
    shared = np.array([sum(part in own.get(person, ()) for part in parts) for person in ids], np.float32)
    if kind != NAME:
        return full, shared, np.zeros(len(ids), np.float32)
    nick = np.array([nickname(parts[-1], own.get(person, ())) for person in ids], np.float32)
    return full, shared, nick


def of_likely(table: Table) -> Mapping[str, Array]:
    """Where each candidate is likely meant nearby by names and nouns."""
    likely, (count, people) = table.likely, table.shape
    behind, ahead = np.full(table.shape, FAR), np.full(table.shape, FAR)
    told = np.where((table.kind >= NAME) & (likely >= 0))[0]
    number = np.arange(count)
    for person in set(likely[told].tolist()):
        spots = np.array([-1000, *told[likely[told] == person], 100_000])
        behind[:, person] = np.minimum(number - spots[np.searchsorted(spots, number) - 1], FAR)
        ahead[:, person] = np.minimum(spots[np.searchsorted(spots, number, side="right")] - number, FAR)
    own = np.arange(people)
    subject = _at_subject(table, likely)
    return {
        "likely before": behind,
        "likely after": ahead,
        "likely": likely[:, None] == own,
        "subject likely": np.where(subject[:, None] >= 0, subject[:, None] == own, -1),
        "relation": table.related,
    }


def _at_subject(table: Table, likely: Array) -> Array:
    """Whom the subject of a predicate noun means at first glance."""
    places = {seen.at: number for number, seen in enumerate(table.stage.seen)}
    found = np.full(table.shape[0], -1, np.int64)
    for number, seen in enumerate(table.stage.seen):
        if seen.subject_at in places:
            found[number] = likely[places[seen.subject_at]]
    return found


WORD_KEYS = (
    "words", "story words", "speaker words", "speaker story words", "head", "story head", "phrase", "speaker phrase",
)  # fmt: skip
KIND_KEYS = ("kind", "story kind", "speaker kind", "speaker story kind")


def of_memory(table: Table) -> Mapping[str, Array]:
    """Who was meant before by such words, from such a speaker, in this story: shares, and some counts."""
    story, number = table.stage.scene.episode, table.company.number
    memory, (count, people) = table.memory, table.shape
    shares = {name: np.full(table.shape, -2.0, np.float32) for name in (*WORD_KEYS, *KIND_KEYS, "kin", "context")}
    times = {name: np.zeros(table.shape, np.float32) for name in ("words", "story words", "speaker story kind")}
    totals = np.zeros((2, count), np.float32)
    kept: dict[int, tuple[Array, Array, float]] = {}

    def row(place: int) -> tuple[Array, Array, float]:
        if place not in kept:
            counted, total = np.zeros(people, np.float32), 0
            for person, each in memory.of(place).items():
                total += each
                counted[number.get(person, 0)] += each
            counted[0] = 0
            kept[place] = (counted / total if total else np.full(people, -1, np.float32), counted, total)
        return kept[place]

    if memory.counts:
        for place, seen in enumerate(table.stage.seen):
            for name, at in keys_of(seen, table.stage.lines[seen.line].author, story).items():
                shares[name][place], counted, total = row(at)
                if name in times:
                    times[name][place] = counted
                if name in ("words", "story words"):
                    totals[int(name != "words"), place] = total
            if seen.kind >= NAME:
                owner = table.company.turns[seen.turn][0] if seen.owner_at < 0 or seen.before in ("my", "our") else 0
                shares["kin"][place] = row(kin_key(table.company.ids[owner], seen.head))[0] if owner else -2
            if seen.kind >= HIM:
                rows = [row(key("context", story, word)) for word in context(table.stage, seen)]
                shares["context"][place] = sum((each[0] for each in rows if each[2]), np.zeros(people, np.float32))
    story_count, story_total = row(story_key(story))[1:]
    return {
        **{f"memory {name}": values for name, values in shares.items()},
        **{f"times {name}": np.log1p(values) for name, values in times.items()},
        "words known": _spread(totals[0]),
        "story words known": _spread(totals[1]),
        "surest": shares["words"].max(1, keepdims=True),
        "story known": np.full((1, 1), story_total, np.float32),
        "story share": (story_count / max(1.0, story_total))[None],
        "story times": np.log1p(story_count)[None],
        "story scenes": np.log1p(row(scenes_key(story))[1])[None],
    }


def of_person(table: Table) -> Mapping[str, Array]:
    """Who a candidate is in the whole of what is known; only for a cast that was learnt."""
    everybody = table.memory.of(EVERYTHING)
    times = np.array([everybody.get(person, 0) for person in table.company.ids], np.float32)
    main = times >= 0.05 * max(1, sum(everybody.values()))
    speaker = main[table.speaker[table.turn]]
    return {"times meant": np.log1p(times)[None], "main": main[None], "main speaker": _spread(speaker)}


Group = Callable[[Table], Mapping[str, Array]]
ANYBODY: tuple[Group, ...] = (of_mention, of_candidate, of_turns, of_names, of_likely, of_memory)
KNOWN_CAST: tuple[Group, ...] = (*ANYBODY, of_person)


def features(table: Table, groups: tuple[Group, ...]) -> tuple[list[str], Array]:
    """Names of features, and [feature, mention, candidate]."""
    found = {name: values for group in groups for name, values in group(table).items()}
    whole = np.empty((len(found), *table.shape), np.float32)
    for place, values in enumerate(found.values()):
        whole[place] = values
    return list(found), whole
