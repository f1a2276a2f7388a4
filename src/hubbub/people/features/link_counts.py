"""Counts of known links: how often each person was meant by which words, by whom, and in which episode.

Keys are hashes, so that counts contain no text. Links that a user confirms are added to the same counts, without
another training.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np

from .person_words import word_set
from .relations import relation_of
from .window import FIRST_PERSON, HE_KIND, NAME, MentionContext, MessageWindow

Array = np.ndarray[Any, Any]
Counts = Mapping[str, int]
NOTHING: Counts = {}
EVERYTHING = crc32(b"all")
FEMALE, MALE = crc32(b"female"), crc32(b"male")


def key(*parts: str | int) -> int:
    return crc32("\t".join(map(str, parts)).encode("utf-8", "replace"))


@dataclass(slots=True)
class LinkCounts:
    """Key -> person -> how often. `hidden` are counts that are subtracted."""

    counts: dict[int, dict[str, int]] = field(default_factory=dict)
    hidden: Mapping[int, Counts] = field(default_factory=dict)

    def of(self, key: int) -> Counts:
        found = self.counts.get(key, NOTHING)
        if key not in self.hidden:
            return found
        less = self.hidden[key]
        return {person: left for person, times in found.items() if (left := times - less.get(person, 0)) > 0}

    def best(self, key: int) -> str | None:
        """Who was meant most often."""
        found = self.of(key)
        return max(found, key=lambda person: (found[person], person)) if found else None

    def without(self, records: Iterable[tuple[int, str]]) -> LinkCounts:
        """The counts without those records."""
        return LinkCounts(self.counts, _counted(records))

    def add(self, records: Iterable[tuple[int, str]]) -> None:
        for place, people in _counted(records).items():
            own = self.counts.setdefault(place, {})
            for person, times in people.items():
                own[person] = own.get(person, 0) + times

    def arrays(self, ids: Sequence[str]) -> dict[str, Array]:
        """As arrays: keys, numbers of people among `ids`, counts."""
        number = {person: place for place, person in enumerate(ids)}
        rows = sorted((k, number[who], n) for k, people in self.counts.items() for who, n in people.items())
        table = np.array(rows, np.int64).reshape(-1, 3)
        return {
            "keys": table[:, 0].astype(np.uint32),
            "people": table[:, 1].astype(np.uint16),
            "times": table[:, 2].astype(np.uint16),
        }

    @classmethod
    def from_arrays(cls, ids: Sequence[str], keys: Array, people: Array, times: Array) -> LinkCounts:
        link_counts = cls()
        for place, who, count in zip(keys.tolist(), people.tolist(), times.tolist(), strict=True):
            link_counts.counts.setdefault(place, {})[ids[who]] = count
        return link_counts

    def people(self) -> list[str]:
        return sorted({person for people in self.counts.values() for person in people})


def _counted(records: Iterable[tuple[int, str]]) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = {}
    for place, person in records:
        people = counts.setdefault(place, {})
        people[person] = people.get(person, 0) + 1
    return counts


def mention_keys(mention: MentionContext, speaker: str, story: str) -> dict[str, int]:
    """The keys of a mention that do not depend on other mentions."""
    kind = mention.kind
    found = {
        "kind": key("kind", kind),
        "speaker kind": key("speaker kind", speaker, kind),
        "story kind": key("story kind", story, kind),
        "speaker story kind": key("speaker story kind", speaker, story, kind),
    }
    if kind >= NAME:
        words, head, before = mention.words, mention.head, mention.before
        found |= {
            "words": key("words", words),
            "story words": key("story words", words, story),
            "speaker words": key("speaker words", words, speaker),
            "speaker story words": key("speaker story words", words, speaker, story),
            "head": key("head", head),
            "story head": key("story head", head, story),
            "phrase": key("phrase", before, head),
            "speaker phrase": key("speaker phrase", before, head, speaker),
        }
    return found


def window_keys(window: MessageWindow) -> list[dict[str, int]]:
    """The link-count keys of all mentions of a window."""
    return [
        mention_keys(mention, window.lines[mention.line].author, window.scene.episode) for mention in window.mentions
    ]


def story_key(story: str) -> int:
    return key("story", story)


def scenes_key(story: str) -> int:
    return key("scenes", story)


def speaker_keys(speaker: str, story: str) -> tuple[int, int]:
    """The keys of who says "I" under a name in an episode, and anywhere."""
    return key("I", speaker, story), key("I", speaker)


def relation_key(owner: str, noun: str) -> int:
    """Whom a noun means that somebody is the owner of: the mother of a person, in whatever word."""
    relation = relation_of(noun)
    return key("kin", owner, *(relation or (noun,)))


def records(window: MessageWindow, people: Mapping[int, str], speakers: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The records of a window: (key, person). `people` are the gold people by number of the mention."""
    story = window.scene.episode
    places = {mention.at: people[number] for number, mention in enumerate(window.mentions) if number in people}
    for number, person in people.items():
        mention = window.mentions[number]
        speaker = window.lines[mention.line].author
        yield EVERYTHING, person
        yield story_key(story), person
        for place in mention_keys(mention, speaker, story).values():
            yield place, person
        if mention.kind == FIRST_PERSON:
            for place in speaker_keys(speaker, story):
                yield place, person
        if mention.gender:
            yield (FEMALE if mention.gender > 0 else MALE), person
        if mention.kind >= NAME:
            # A relative without an owner in the text is mostly the speaker's own.
            owner = places.get(mention.owner_at) or (speakers[mention.turn] if mention.owner_at < 0 else "")
            if owner:
                yield relation_key(owner, mention.head), person
        if mention.kind >= HE_KIND:
            for word in context_words(window, mention):
                yield key("context", story, word), person
    for person in set(people.values()):
        yield scenes_key(story), person


MIN_CONTEXT_WORD_LETTERS = 4  # shorter words are mostly function words, which say nothing of a person


def context_words(window: MessageWindow, mention: MentionContext) -> list[str]:
    """The content words around a mention."""
    low = window.lines[mention.line].low
    near = low[max(0, mention.start - 8) : mention.start] + low[mention.end : mention.end + 8]
    return [
        word
        for word in dict.fromkeys(near)
        if len(word) >= MIN_CONTEXT_WORD_LETTERS and word not in STOP_WORDS and word.isalpha()
    ]


STOP_WORDS = word_set(
    """about after again alright also always another anything away back because been before being better bring call
    came cant come could didn does doing done dont down even ever every everything fine first from gave getting
    girl give goes going gonna good gotta great have havent hear hello here into just keep kind know last leave
    like listen little long look looking made make makes maybe mean might more much must need never next nice
    nothing okay once only over people please pretty really right said same says seen should some somebody someone
    something sorry still stuff such sure take talk tell than thank thanks that thats their them then there these
    they thing things think this those thought told tonight totally until very wait want wanted well went were
    what whats when where which while will with without wont work would yeah your yours yourself himself herself
    myself"""
)
