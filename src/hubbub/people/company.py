"""Who may be meant in a stage: those who speak, those who are named, and those whom memory or relations bring in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest

from .kin import Declared, tie_of
from .memory import EVERYTHING, Counts, Memory, speaker_keys, stage_keys, story_key
from .mention_features import AMBIGUOUS
from .metrics import MAIN_SHARE
from .names import trimmed
from .register import Register
from .stage import NAME, NOUN, Seen, Stage, is_vocative

UNKNOWN = ""
WORDS = ("words", "head", "phrase")  # the keys that bring people in
MOST_ALIKE = 6  # people of one name who are taken in
MOST_REMEMBERED = 8  # people whom one word brings in
KEPT = 1 << 14  # pairs of a word and a name of which it is kept how alike they are


@dataclass(frozen=True, slots=True)
class Named:
    """A place where a person is named."""

    person: int
    at: int  # counted in words over the stage
    line: int
    turn: int
    vocative: bool


@dataclass(slots=True)
class Company:
    """Candidates of a stage; number 0 is somebody unknown."""

    cast: Register
    ids: list[str] = field(default_factory=lambda: [UNKNOWN])
    number: dict[str, int] = field(default_factory=lambda: {UNKNOWN: 0})
    turns: list[list[int]] = field(default_factory=list)  # who speaks
    named: list[Named] = field(default_factory=list)
    present: int = 1  # candidates from this number on do not speak
    keys: list[dict[str, int]] = field(default_factory=list)  # of the mentions, in memory; none if that is empty

    def add(self, person: str) -> int:
        """The number of a person, who is taken in if new; nobody outside the cast is."""
        if person not in self.number:
            if person not in self.cast.gender:
                return 0
            self.number[person] = len(self.ids)
            self.ids.append(person)
        return self.number[person]

    def add_all(self, people: Iterable[str]) -> None:
        for person in people:
            self.add(person)


def company(stage: Stage, memory: Memory) -> Company:
    """Everybody who may be meant in a stage."""
    found = Company(stage.register)
    story = stage.scene.episode
    heard = _heard(stage, found.cast, memory)
    found.turns = [[found.add(heard[name]) for name in turn] or [0] for turn in stage.turns]
    found.present = len(found.ids)
    found.named = list(_named(stage, found))
    speakers = found.ids[1 : found.present]
    found.add_all(who for person in speakers for who in _relatives(found.cast.relations, person, stage.seen))
    for noun in dict.fromkeys(seen.head for seen in stage.seen if seen.kind == NOUN):
        alike = found.cast.noun.get(noun, ())
        found.add_all(alike if len(alike) <= MOST_ALIKE else ())
    found.add_all(memory.of(story_key(story)))
    found.add_all(_main(memory))
    found.keys = stage_keys(stage) if memory.counts else []
    for keys in found.keys:
        for name in WORDS:
            found.add_all(_most(memory.of(keys[name])) if name in keys else ())
    return found


def _most(counts: Counts) -> Iterable[str]:
    return counts if len(counts) <= MOST_REMEMBERED else nlargest(MOST_REMEMBERED, counts, key=lambda who: counts[who])


def _main(memory: Memory) -> Iterator[str]:
    everybody = memory.of(EVERYTHING)
    least = MAIN_SHARE * sum(everybody.values())
    return (person for person, count in everybody.items() if count >= least)


def _relatives(relations: Declared, person: str, mentions: Sequence[Seen]) -> Iterator[str]:
    if relations:
        found = (tie_of(seen.head) for seen in mentions if seen.kind >= NAME)
        for tie in sorted({each[0] for each in found if each}):
            yield from (who for who, _ in relations.get((person, tie), ()))


def _heard(stage: Stage, cast: Register, memory: Memory) -> dict[str, str]:
    """Each speaker's name -> the person: by memory, else by a name that only one person has."""
    names = dict.fromkeys(name for turn in stage.turns for name in turn)
    story, found = stage.scene.episode, dict[str, str]()
    for name in names:
        in_story, anywhere = speaker_keys(name, story)
        known = memory.best(in_story) or memory.best(anywhere)
        low = name.casefold()
        for ids in (cast.whole.get(low, ()), cast.part.get(low, ()), cast.whole.get(trimmed(low), ())):
            known = known or (ids[0] if len(ids) == 1 else None)
        found[name] = known or UNKNOWN
    return found


def _named(stage: Stage, found: Company) -> Iterator[Named]:
    """Names in the text: mentions that are names, and other words of names that are written large."""
    inside = {at for seen in stage.seen if seen.kind == NAME for at in range(seen.at, seen.at + seen.end - seen.start)}
    for seen in stage.seen:
        if seen.kind == NAME:
            for person in called(found, seen.words):
                yield Named(found.add(person), seen.at, seen.line, seen.turn, seen.vocative)
    part = found.cast.part
    for number, line in enumerate(stage.lines):
        for place, low in enumerate(line.low):
            if low in part and line.first + place not in inside and place and line.words[place][0].isupper():
                if low in AMBIGUOUS:
                    continue
                for person in called(found, low):
                    vocative = is_vocative(line.low, place, place + 1)
                    yield Named(found.add(person), line.first + place, number, line.turn, vocative)


def called(found: Company, words: str) -> list[str]:
    """Who may be called by these words, in small letters; if some of them are on the stage, only those."""
    cast = found.cast
    ids = cast.whole.get(words) or cast.part.get(words)
    if not ids:
        shared = [set(cast.part[word]) for word in words.split() if word in cast.part]
        ids = tuple(sorted(set.intersection(*shared) or set.union(*shared))) if shared else ()
    present = [person for person in ids if 0 < found.number.get(person, found.present) < found.present]
    if not ids:
        return [person for person in found.ids[1 : found.present] if nickname(words, cast.words[person]) > 0]
    return present or list(ids[:MOST_ALIKE])


def nickname(word: str, names: Sequence[str]) -> float:
    """How far a word may be a short or playful form of a name, from 0 to 1."""
    return max((_alike(word, name) for name in names if name[0] == word[0]), default=0.0) if word else 0.0


def nicknames(word: str, cast: Register) -> dict[str, float]:
    """Everybody of a cast of whose name a word may be such a form, and how far."""
    found: dict[str, float] = {}
    for name in cast.beginning.get(word[:1], ()):
        if alike := _alike(word, name):
            found |= {person: max(alike, found.get(person, 0.0)) for person in cast.part[name]}
    return found


@lru_cache(KEPT)
def _alike(word: str, name: str) -> float:
    short = min(len(word), len(name))
    common = next((place for place in range(short) if word[place] != name[place]), short)
    if common >= 3 and common >= short - 1:
        return 0.5 + 0.5 * common / max(len(word), len(name))
    one, other = _bones(word), _bones(name)
    if min(len(one), len(other)) >= 2 and (one.startswith(other) or other.startswith(one)):
        return 0.4
    return 0.3 if common >= 3 else 0.0


def _bones(word: str) -> str:
    """A word without its vowels but the first letter."""
    return word[:1] + "".join(letter for letter in word[1:] if letter not in "aeiouy")
