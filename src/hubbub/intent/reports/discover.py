"""What people ask that no intent covers: groups of out-of-scope messages, named by the words that set them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

from ...chat import Chat
from ...ml.encoder import encoder
from ...ml.types import Array
from ...text import printable, words
from ..inference.neighbours import unit
from .clustering import cluster
from .question_filter import STOP_WORDS, addressee, is_request, request_text

MIN_TOPIC_SIZE = 3  # fewer people are no demand
MIN_SIMILARITY = 0.6  # cosine of sentence vectors from which on two requests are one topic


class Request(NamedTuple):
    """A request, without whom it was addressed to: who said it, and where."""

    text: str
    author: str
    chat: str
    position: int


@dataclass(frozen=True, slots=True)
class Topic:
    """Requests that mean about the same: how many, of how many people, the most typical texts first, all places."""

    name: str
    words: tuple[str, ...]
    size: int
    people: int
    examples: tuple[str, ...]
    places: tuple[tuple[str, int], ...]


def requests(chat: Chat) -> list[Request]:
    """The messages that ask for something; what is said to somebody in the chat goes on with something else."""
    people = {message.author.lower() for message in chat}
    found = []
    for place, message in enumerate(chat):
        text = request_text(message.text)
        if message.kind == "message" and is_request(text) and addressee(message.text).lower() not in people:
            found.append(Request(text, message.author, chat.name, place))
    return found


def topics(
    asked: Sequence[Request],
    *,
    least: int = MIN_TOPIC_SIZE,
    similarity: float = MIN_SIMILARITY,
) -> list[Topic]:
    """Groups of at least so many requests, those of most people first, no two of the same name.

    What one person says again and again counts once.
    """
    same: dict[str, list[Request]] = {}
    for each in asked:
        same.setdefault(" ".join(words(each.text)), []).append(each)
    once = list(same.values())
    vectors = encoder().encode([each[0].text for each in once])
    found = cluster(vectors, [len({every.author for every in each}) for each in once], similarity, least)
    bags = [set(words(each[0].text)) for each in once]
    document_frequency = Counter(word for bag in bags for word in bag)
    named = [
        _topic([once[i] for i in group], vectors[group], [bags[i] for i in group], document_frequency)
        for group in found
    ]
    return _with_distinct_names(sorted(named, key=lambda topic: (-topic.people, -topic.size)))


def _topic(
    members: Sequence[list[Request]], vectors: Array, bags: Sequence[set[str]], document_frequency: Counter[str]
) -> Topic:
    closeness = vectors @ unit((vectors.T * [len(each) for each in members]).sum(1))
    typical = sorted(range(len(members)), key=lambda place: (-float(closeness[place]), place))
    everyone = [each for same in members for each in same]
    # The words that many of these texts have and few others; everyday words only where there is nothing else.
    here = Counter(word for bag in bags for word in bag)
    total = document_frequency.total()
    tf_idf = {word: count / len(bags) * log(1 + total / document_frequency[word]) for word, count in here.items()}
    shared = [word for word, count in here.items() if count > 1 and word not in STOP_WORDS and not word.isdecimal()]
    chosen = shared or [word for word in here if word not in STOP_WORDS] or list(here)
    distinctive = tuple(sorted(chosen, key=lambda word: (-tf_idf[word], word))[:5])
    return Topic(
        "_".join(distinctive[:3]),
        distinctive,
        len(everyone),
        len({each.author for each in everyone}),
        tuple(members[place][0].text for place in typical),
        tuple(sorted((each.chat, each.position) for each in everyone)),
    )


def _with_distinct_names(found: Iterable[Topic]) -> list[Topic]:
    counts = Counter[str]()
    named = []
    for each in found:
        counts[each.name] += 1
        named.append(replace(each, name=f"{each.name}_{counts[each.name]}") if counts[each.name] > 1 else each)
    return named


def as_yaml(found: Iterable[Topic], examples: int) -> str:
    """Suggested intents in Rasa's YAML, to edit and to train on."""
    lines = ['version: "3.1"', "nlu:"]
    for each in found:
        lines.append(f"# asked {each.size} times by {each.people} people")
        lines += [f"- intent: {printable(each.name)}", "  examples: |"]
        texts = (" ".join(text.split()).replace("](", "] (") for text in each.examples[:examples])
        lines += [f"    - {printable(text)}" for text in texts]
    return "\n".join(lines) + "\n"
