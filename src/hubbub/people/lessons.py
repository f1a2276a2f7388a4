"""Scenes to learn from, told in several ways: as they are, with more or less known of the cast, and as a chat of nicks.

Nobody's name may matter to a model for any chat, so it sees the same scenes with invented nicks, with people missing
from the cast, with genders and relations as a cast file may tell them, and with links of other scenes as users confirm
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..chat import Chat
from ..layers import Link, Mention, Person
from .company import company
from .kin import TIES
from .linker import remembered, right_ones, told
from .memory import Memory
from .register import register_of
from .scene import TOGETHER, Scene, speakers
from .school import Lesson
from .stage import FIRST_PERSON, NAME, Stage, stages
from .table import Table

Random = np.random.Generator
Golds = Sequence[Sequence[Link]]
SYLLABLES = ("ba", "do", "fe", "ga", "ki", "lo", "ma", "ni", "pa", "ri", "se", "ta", "vo", "zu")
TAILS = ("", "", "", "", "_", "42", "^", "7", "_away", "-x")
MOST_SCENES = 5  # of the same story that are known
HALF, MOST = 0.5, 0.7


def lessons_for_anybody(inputs: Sequence[Scene], golds: Golds, seed: int, retold: bool = True) -> Iterator[Lesson]:
    """Every scene three times, or as it is only."""
    random = np.random.default_rng(seed)
    facts = [list(remembered(scene, gold, Memory())) for scene, gold in zip(inputs, golds, strict=True)]
    genders = _genders(inputs, golds)
    for number, (scene, gold) in enumerate(zip(inputs, golds, strict=True)):
        yield from lessons_of(scene, gold, Memory(), number)
        if not retold:
            continue
        others = [n for n, other in enumerate(inputs) if n != number and other.episode == scene.episode]
        memory = Memory()
        for place in random.permutation(len(others))[: random.integers(0, MOST_SCENES)]:
            memory.add(facts[others[place]])
        yield from lessons_of(_told(scene, gold, genders, random), gold, memory, number)
        yield from lessons_of(*_nicked(scene, gold, random), Memory(), number)


def lessons_of(scene: Scene, gold: Sequence[Link], memory: Memory, number: int) -> Iterator[Lesson]:
    for stage, asked in stages(scene, [link.mention for link in gold]):
        table = Table(stage, company(stage, memory), memory)
        yield Lesson(table, right_ones(table, told(stage, asked, gold)), number)


def _genders(inputs: Sequence[Scene], golds: Golds) -> dict[str, str]:
    """The gender of people whom pronouns and nouns of one gender mean."""
    seen: dict[str, int] = {}
    for scene, gold in zip(inputs, golds, strict=True):
        for stage, asked in stages(scene, [link.mention for link in gold]):
            for place, person in told(stage, asked, gold).items():
                seen[person] = seen.get(person, 0) + stage.seen[place].gender
    return {person: "female" if balance > 0 else "male" for person, balance in seen.items() if balance}


def _told(scene: Scene, gold: Sequence[Link], genders: Mapping[str, str], random: Random) -> Scene:
    """With half of the genders and most of the relations that could be told.

    Of those who do not speak some are left out, and some have no name, so that only memory can know them.
    """
    relations: dict[str, list[tuple[str, str]]] = {}
    for stage, asked in stages(scene, [link.mention for link in gold]):
        for owner, noun, person in _relations(stage, told(stage, asked, gold)):
            if random.random() < MOST:
                relations.setdefault(person, []).append((f"{noun} of", owner))
    present, share = set(_speaking(scene).values()), random.random()
    cast = tuple(
        replace(
            person,
            names=person.names if person.id in present or random.random() < HALF else (),
            gender=genders.get(person.id, "") if random.random() < HALF else "",
            relations=tuple(relations.get(person.id, ())),
        )
        for person in scene.cast
        if person.id in present or person.id in relations or random.random() < share
    )
    known = {person.id for person in cast}
    return replace(scene, cast=tuple(replace(p, relations=_among(p.relations, known)) for p in cast))


def _among(relations: tuple[tuple[str, str], ...], known: set[str]) -> tuple[tuple[str, str], ...]:
    return tuple((relation, other) for relation, other in relations if other in known)


def _relations(stage: Stage, people: Mapping[int, str]) -> Iterator[tuple[str, str, str]]:
    """(whose, what, who) of relatives: those after "my" and "his", and "Mom" alone."""
    places = {seen.at: number for number, seen in enumerate(stage.seen)}
    selves = {seen.turn: people[n] for n, seen in enumerate(stage.seen) if seen.kind == FIRST_PERSON and n in people}
    for number, person in people.items():
        seen = stage.seen[number]
        if seen.kind >= NAME and seen.head in TIES and not seen.subject:
            at = places.get(seen.owner_at, -1)
            owner = people.get(at) if at >= 0 else selves.get(seen.turn)
            if owner and owner != person:
                yield owner, seen.head, person


def _speaking(scene: Scene) -> dict[str, str]:
    """Name of a speaker -> person, for those who are in the cast."""
    whole = register_of(scene.cast).whole
    names = {name for message in scene.chat for name in speakers(message.author)}
    return {name: ids[0] for name in sorted(names) if len(ids := whole.get(name.casefold(), ())) == 1}


def _nicked(scene: Scene, gold: Sequence[Link], random: Random) -> tuple[Scene, list[Link]]:
    """The scene as a chat among nicks, in which who does not speak is mostly not known."""
    speaking = _speaking(scene)
    nicks = {person: _nick(random) for person in dict.fromkeys(speaking.values())}
    people = [Person(person, (nick,)) for person, nick in nicks.items()]
    others = [person for person in scene.cast if person.id not in nicks and random.random() > MOST]
    small, messages, links = random.random() < HALF, [], list[Link]()
    for position, message in enumerate(scene.chat):
        here = [link for link in gold if link.mention.position == position]
        text, moved = _renamed(message.text, here, nicks, small)
        author = TOGETHER.join(nicks.get(speaking.get(name, ""), name) for name in speakers(message.author))
        messages.append(message._replace(author=author, text=text))
        links += [Link(mention, link.people) for link, mention in zip(here, moved, strict=True)]
    chat = Chat(scene.chat.name, tuple(messages), scene.chat.format)
    return Scene(chat, (*people, *others), tuple(link.mention for link in links), scene.episode), links


def _nick(random: Random) -> str:
    return "".join(random.choice(SYLLABLES, random.integers(2, 4))) + str(random.choice(TAILS))


def _renamed(text: str, links: Sequence[Link], nicks: Mapping[str, str], small: bool) -> tuple[str, list[Mention]]:
    """A text with the names of people who speak replaced by their nicks, and its mentions where they are then."""
    plain, last, edges = "", 0, dict[int, int]()
    for link in sorted(links, key=lambda each: (each.mention.start, -each.mention.end)):
        start, end = link.mention.start, link.mention.end
        if start < last:
            edges |= {start: len(plain) - (last - start), end: len(plain) - (last - end)}
            continue
        words = text[start:end]
        own = nicks.get(link.people[0]) if link.people and words[:1].isupper() and len(words) > 2 else None
        plain += _cased(text[last:start], small)
        edges[start] = len(plain)
        plain += _cased(words, small) if own is None or words.lower() in TIES else own
        edges[end], last = len(plain), end
    plain += _cased(text[last:], small)
    return plain, [Mention(each.mention.position, edges[each.mention.start], edges[each.mention.end]) for each in links]


def _cased(text: str, small: bool) -> str:
    return text.lower() if small and len(text.lower()) == len(text) else text
