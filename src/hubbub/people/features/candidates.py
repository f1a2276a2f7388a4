"""The candidates of a window: speakers, people who are named, relatives, and people with link counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest

from ..metrics import MAIN_SHARE
from .link_counts import EVERYTHING, Counts, LinkCounts, speaker_keys, story_key, window_keys
from .mention_features import AMBIGUOUS
from .name_index import NameIndex
from .names import stripped_nick
from .relations import DeclaredRelations, relation_of
from .window import NAME, NOUN, MentionContext, MessageWindow, is_vocative

UNKNOWN = ""  # the id of somebody unknown
CANDIDATE_KEYS = ("words", "head", "phrase")  # the keys that bring people in
MAX_NAMESAKES = 6  # people of one name who are taken in
MAX_CANDIDATES_PER_KEY = 8  # people whom one word brings in
NICKNAME_CACHE_SIZE = 1 << 14  # pairs of a word and a name whose similarity is cached


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """An occurrence of a person's name."""

    person: int
    at: int  # in tokens from the start of the window
    line: int
    turn: int
    vocative: bool


@dataclass(slots=True)
class CandidateSet:
    """The candidates of a window; number 0 is somebody unknown."""

    cast: NameIndex
    ids: list[str] = field(default_factory=lambda: [UNKNOWN])
    number: dict[str, int] = field(default_factory=lambda: {UNKNOWN: 0})
    turns: list[list[int]] = field(default_factory=list)  # who speaks
    named: list[NameOccurrence] = field(default_factory=list)
    present: int = 1  # candidates from this number on do not speak
    keys: list[dict[str, int]] = field(
        default_factory=list
    )  # link-count keys of the mentions; empty if there are no counts

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


def candidate_set(window: MessageWindow, link_counts: LinkCounts) -> CandidateSet:
    """All candidates of a window."""
    found = CandidateSet(window.name_index)
    story = window.scene.episode
    speaking_people = _speaker_people(window, found.cast, link_counts)
    found.turns = [[found.add(speaking_people[name]) for name in turn] or [0] for turn in window.turns]
    found.present = len(found.ids)
    found.named = list(_named(window, found))
    speakers = found.ids[1 : found.present]
    found.add_all(who for person in speakers for who in _relatives(found.cast.relations, person, window.mentions))
    for noun in dict.fromkeys(mention.head for mention in window.mentions if mention.kind == NOUN):
        namesakes = found.cast.noun.get(noun, ())
        found.add_all(namesakes if len(namesakes) <= MAX_NAMESAKES else ())
    found.add_all(link_counts.of(story_key(story)))
    # The main people: those with at least a share MAIN_SHARE of all links.
    everybody = link_counts.of(EVERYTHING)
    main_count = MAIN_SHARE * sum(everybody.values())
    found.add_all(person for person, count in everybody.items() if count >= main_count)
    found.keys = window_keys(window) if link_counts.counts else []
    for keys in found.keys:
        for name in CANDIDATE_KEYS:
            found.add_all(_most(link_counts.of(keys[name])) if name in keys else ())
    return found


def _most(counts: Counts) -> Iterable[str]:
    return (
        counts
        if len(counts) <= MAX_CANDIDATES_PER_KEY
        else nlargest(MAX_CANDIDATES_PER_KEY, counts, key=lambda who: counts[who])
    )


def _relatives(relations: DeclaredRelations, person: str, mentions: Sequence[MentionContext]) -> Iterator[str]:
    if relations:
        found = (relation_of(mention.head) for mention in mentions if mention.kind >= NAME)
        for relation in sorted({each[0] for each in found if each}):
            yield from (who for who, _ in relations.get((person, relation), ()))


def _speaker_people(window: MessageWindow, cast: NameIndex, link_counts: LinkCounts) -> dict[str, str]:
    """Speaker name -> person: by link counts, else by a name that only one person has."""
    names = dict.fromkeys(name for turn in window.turns for name in turn)
    story, found = window.scene.episode, dict[str, str]()
    for name in names:
        in_story, anywhere = speaker_keys(name, story)
        known = link_counts.best(in_story) or link_counts.best(anywhere)
        low = name.casefold()
        for ids in (cast.whole.get(low, ()), cast.part.get(low, ()), cast.whole.get(stripped_nick(low), ())):
            known = known or (ids[0] if len(ids) == 1 else None)
        found[name] = known or UNKNOWN
    return found


def _named(window: MessageWindow, found: CandidateSet) -> Iterator[NameOccurrence]:
    """Names in the text: mentions that are names, and other words of names that are written large."""
    inside = {
        at
        for mention in window.mentions
        if mention.kind == NAME
        for at in range(mention.at, mention.at + mention.end - mention.start)
    }
    for mention in window.mentions:
        if mention.kind == NAME:
            for person in called(found, mention.words):
                yield NameOccurrence(found.add(person), mention.at, mention.line, mention.turn, mention.vocative)
    part = found.cast.part
    for number, line in enumerate(window.lines):
        for place, low in enumerate(line.low):
            if low in part and line.first + place not in inside and place and line.words[place][0].isupper():
                if low in AMBIGUOUS:
                    continue
                for person in called(found, low):
                    vocative = is_vocative(line.low, place, place + 1)
                    yield NameOccurrence(found.add(person), line.first + place, number, line.turn, vocative)


def called(found: CandidateSet, words: str) -> list[str]:
    """The people that these lower-case words may name; if some of them speak in the window, only those."""
    cast = found.cast
    ids = cast.whole.get(words) or cast.part.get(words)
    if not ids:
        shared = [set(cast.part[word]) for word in words.split() if word in cast.part]
        ids = tuple(sorted(set.intersection(*shared) or set.union(*shared))) if shared else ()
    present = [person for person in ids if 0 < found.number.get(person, found.present) < found.present]
    if not ids:
        return [person for person in found.ids[1 : found.present] if nickname(words, cast.words[person]) > 0]
    return present or list(ids[:MAX_NAMESAKES])


def nickname(word: str, names: Sequence[str]) -> float:
    """How far a word may be a short or playful form of a name, from 0 to 1."""
    return max((_alike(word, name) for name in names if name[0] == word[0]), default=0.0) if word else 0.0


def nicknames(word: str, cast: NameIndex) -> dict[str, float]:
    """Everybody of a cast of whose name a word may be such a form, and how far."""
    found: dict[str, float] = {}
    for name in cast.beginning.get(word[:1], ()):
        if similarity := _alike(word, name):
            found |= {person: max(similarity, found.get(person, 0.0)) for person in cast.part[name]}
    return found


@lru_cache(NICKNAME_CACHE_SIZE)
def _alike(word: str, name: str) -> float:
    short = min(len(word), len(name))
    common = next((place for place in range(short) if word[place] != name[place]), short)
    if common >= 3 and common >= short - 1:
        return 0.5 + 0.5 * common / max(len(word), len(name))
    one, other = _consonants(word), _consonants(name)
    if min(len(one), len(other)) >= 2 and (one.startswith(other) or other.startswith(one)):
        return 0.4
    return 0.3 if common >= 3 else 0.0


def _consonants(word: str) -> str:
    """A word without its vowels but the first letter."""
    return word[:1] + "".join(letter for letter in word[1:] if letter not in "aeiouy")
