"""Training examples from scenes, with augmentation: unchanged, with a changed cast, and as a chat among nicks.

Names must not matter to a model for any chat: it is trained on the same scenes with invented nicks, with people missing
from the cast, with declared genders and relations, and with confirmed links of other scenes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...chat import Chat
from ...layers import Link, Mention, Person
from ..data.scene import SPEAKER_SEPARATOR, Scene, speakers
from ..features.candidates import candidate_set
from ..features.link_counts import LinkCounts
from ..features.name_index import name_index
from ..features.relations import RELATION_NOUNS
from ..features.window import FIRST_PERSON, NAME, MessageWindow, windows
from ..features.window_arrays import CandidateMatrix
from ..inference.linker import gold_candidates, gold_people, link_records
from .trainer import WindowExample

Random = np.random.Generator
Golds = Sequence[Sequence[Link]]
SYLLABLES = ("ba", "do", "fe", "ga", "ki", "lo", "ma", "ni", "pa", "ri", "se", "ta", "vo", "zu")
TAILS = ("", "", "", "", "_", "42", "^", "7", "_away", "-x")
MAX_KNOWN_SCENES = 5  # of the same episode whose links count as confirmed
HALF_PROBABILITY, MOST_PROBABILITY = 0.5, 0.7  # so that the model sees each case with and without a fact


def augmented_examples(
    inputs: Sequence[Scene], golds: Golds, seed: int, retold: bool = True
) -> Iterator[WindowExample]:
    """Every scene three times, or as it is only."""
    random = np.random.default_rng(seed)
    facts = [list(link_records(scene, gold, LinkCounts())) for scene, gold in zip(inputs, golds, strict=True)]
    genders = _genders(inputs, golds)
    for number, (scene, gold) in enumerate(zip(inputs, golds, strict=True)):
        yield from window_examples(scene, gold, LinkCounts(), number)
        if not retold:
            continue
        others = [n for n, other in enumerate(inputs) if n != number and other.episode == scene.episode]
        link_counts = LinkCounts()
        for place in random.permutation(len(others))[: random.integers(0, MAX_KNOWN_SCENES)]:
            link_counts.add(facts[others[place]])
        yield from window_examples(_with_known_facts(scene, gold, genders, random), gold, link_counts, number)
        yield from window_examples(*_as_nick_chat(scene, gold, random), LinkCounts(), number)


def window_examples(
    scene: Scene, gold: Sequence[Link], link_counts: LinkCounts, number: int
) -> Iterator[WindowExample]:
    for window, predicted in windows(scene, [link.mention for link in gold]):
        table = CandidateMatrix(window, candidate_set(window, link_counts), link_counts)
        yield WindowExample(table, gold_candidates(table, gold_people(window, predicted, gold)), number)


def _genders(inputs: Sequence[Scene], golds: Golds) -> dict[str, str]:
    """The gender of people whom pronouns and nouns of one gender mean."""
    genders: dict[str, int] = {}
    for scene, gold in zip(inputs, golds, strict=True):
        for window, predicted in windows(scene, [link.mention for link in gold]):
            for place, person in gold_people(window, predicted, gold).items():
                genders[person] = genders.get(person, 0) + window.mentions[place].gender
    return {person: "female" if balance > 0 else "male" for person, balance in genders.items() if balance}


def _with_known_facts(scene: Scene, gold: Sequence[Link], genders: Mapping[str, str], random: Random) -> Scene:
    """The scene with half of the genders and most of the relations declared.

    Of those who do not speak some are left out, and some have no name, so that only link counts can identify them.
    """
    relations: dict[str, list[tuple[str, str]]] = {}
    for window, predicted in windows(scene, [link.mention for link in gold]):
        for owner, noun, person in _relations(window, gold_people(window, predicted, gold)):
            if random.random() < MOST_PROBABILITY:
                relations.setdefault(person, []).append((f"{noun} of", owner))
    present, share = set(_speaking(scene).values()), random.random()
    cast = tuple(
        replace(
            person,
            names=person.names if person.id in present or random.random() < HALF_PROBABILITY else (),
            gender=genders.get(person.id, "") if random.random() < HALF_PROBABILITY else "",
            relations=tuple(relations.get(person.id, ())),
        )
        for person in scene.cast
        if person.id in present or person.id in relations or random.random() < share
    )
    known = {person.id for person in cast}
    known_relations = [tuple(each for each in person.relations if each[1] in known) for person in cast]
    return replace(scene, cast=tuple(replace(p, relations=each) for p, each in zip(cast, known_relations, strict=True)))


def _relations(window: MessageWindow, people: Mapping[int, str]) -> Iterator[tuple[str, str, str]]:
    """(whose, what, who) of relatives: those after "my" and "his", and "Mom" alone."""
    places = {mention.at: number for number, mention in enumerate(window.mentions)}
    selves = {
        mention.turn: people[n]
        for n, mention in enumerate(window.mentions)
        if mention.kind == FIRST_PERSON and n in people
    }
    for number, person in people.items():
        mention = window.mentions[number]
        if mention.kind >= NAME and mention.head in RELATION_NOUNS and not mention.subject:
            at = places.get(mention.owner_at, -1)
            owner = people.get(at) if at >= 0 else selves.get(mention.turn)
            if owner and owner != person:
                yield owner, mention.head, person


def _speaking(scene: Scene) -> dict[str, str]:
    """Name of a speaker -> person, for those who are in the cast."""
    whole = name_index(scene.cast).whole
    names = {name for message in scene.chat for name in speakers(message.author)}
    return {name: ids[0] for name in sorted(names) if len(ids := whole.get(name.casefold(), ())) == 1}


def _as_nick_chat(scene: Scene, gold: Sequence[Link], random: Random) -> tuple[Scene, list[Link]]:
    """The scene as a chat among nicks, in which who does not speak is mostly not known."""
    speaking = _speaking(scene)
    nicks = {
        person: "".join(random.choice(SYLLABLES, random.integers(2, 4))) + str(random.choice(TAILS))
        for person in dict.fromkeys(speaking.values())
    }
    people = [Person(person, (nick,)) for person, nick in nicks.items()]
    others = [person for person in scene.cast if person.id not in nicks and random.random() > MOST_PROBABILITY]
    small, messages, links = random.random() < HALF_PROBABILITY, [], list[Link]()
    for position, message in enumerate(scene.chat):
        here = [link for link in gold if link.mention.position == position]
        text, moved = _renamed(message.text, here, nicks, small)
        author = SPEAKER_SEPARATOR.join(nicks.get(speaking.get(name, ""), name) for name in speakers(message.author))
        messages.append(message._replace(author=author, text=text))
        links += [Link(mention, link.people) for link, mention in zip(here, moved, strict=True)]
    chat = Chat(scene.chat.name, tuple(messages), scene.chat.format)
    return Scene(chat, (*people, *others), tuple(link.mention for link in links), scene.episode), links


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
        plain += _cased(words, small) if own is None or words.lower() in RELATION_NOUNS else own
        edges[end], last = len(plain), end
    plain += _cased(text[last:], small)
    return plain, [Mention(each.mention.position, edges[each.mention.start], edges[each.mention.end]) for each in links]


def _cased(text: str, small: bool) -> str:
    return text.lower() if small and len(text.lower()) == len(text) else text
