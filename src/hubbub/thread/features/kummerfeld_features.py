"""The features of Kummerfeld et al. 2019 (supplement, table 1), as 77 numbers for a message and each candidate.

All lie between 0 and 1, but for distances, on a logarithmic scale up to MAX_DISTANCE. They look at metadata only, apart
from the number of words in common; two of them look ahead, as the paper's do: whether one will address the other later,
and whether the candidate's author goes on at once. People are followed through renames.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from string import punctuation
from typing import Any

import numpy as np

from ...addressing import Addressees
from ...chat import Chat, renamed
from ...timeline import elapsed_seconds
from .pmi_vectors import tokens

WINDOW = 100  # candidates before a message, as in the paper
YEARS = range(2004, 2018)  # one column a year: those of the #Ubuntu logs that were annotated
BOTS = frozenset({"ubotu", "ubottu"})
# Limits of bins: messages a minute, messages and minutes since the author's last one, minutes between two messages.
RATE_LIMITS = (1, 3, 10)
AGO_MESSAGES = (0, 1, 5, 20)
AGO_MINUTES = (0, 2, 10)
APART_MINUTES = (0, 1, 5, 60)
FEATURE_COUNT = 77
MAX_DISTANCE = 3  # the other features are at most 1; a larger scale separates near candidates early in training
BLOCK_SIZE = 256  # messages whose features are cached together

Positions = dict[Any, list[int]]
Between = dict[int, dict[int, list[int]]]


@lru_cache(maxsize=1)
def kummerfeld_features(chat: Chat) -> KummerfeldFeatures:
    """Cached for one chat: the members of an ensemble need the same features one after the other."""
    return KummerfeldFeatures(chat)


class KummerfeldFeatures:
    """Everything about one chat that the features need, gathered once."""

    def __init__(self, chat: Chat) -> None:
        chat = chat.seen()
        people = Addressees(chat)
        self.authors, self.targets = _persons(chat, [people.addressed(message.text) for message in chat])
        self.minutes = np.array([moment // 60 for moment in elapsed_seconds(chat)])
        self.system = np.array([message.kind == "system" for message in chat], dtype=bool)
        self.words = [frozenset(tokens(message.text)) for message in chat]
        self.sizes = np.array([len(each) for each in self.words])
        self.earlier, self.later = _neighbours(self.authors.tolist(), self.system)
        self.addressed_at, self.addressed_from, self.addressed_to = _addressings(self.authors.tolist(), self.targets)
        self.postings: Positions = {}  # word -> positions of the messages that have it
        for position, words in enumerate(self.words):
            for word in words:
                self.postings.setdefault(word, []).append(position)
        self._general = _general(chat, self.minutes)
        self._single = self._of_single(chat)
        # Whether the message right before, and the one right after, has the same author.
        authors = self.authors.tolist()
        same = np.array([one == other for one, other in pairwise(authors)], dtype=bool)
        ends = np.zeros(min(len(authors), 1), dtype=bool)
        self._follows, self._followed = np.concatenate([ends, same]), np.concatenate([same, ends])
        self.block = lru_cache(maxsize=128)(self._block)

    def _block(self, number: int) -> Any:
        """The rows of BLOCK_SIZE messages, WINDOW + 1 for each; those before the start of the chat are 0."""
        begin, end = number * BLOCK_SIZE, min((number + 1) * BLOCK_SIZE, len(self.words))
        rows = np.zeros((end - begin, WINDOW + 1, FEATURE_COUNT), dtype=np.float16)
        for position in range(begin, end):
            of_one = self.of(position)
            rows[position - begin, -len(of_one) :] = of_one
        return rows

    def of(self, position: int) -> Any:
        """One row for each candidate, from WINDOW messages before to the message itself, which is the last."""
        begin = max(0, position - WINDOW)
        here = np.arange(begin, position + 1)
        rows = np.zeros((len(here), FEATURE_COUNT), dtype=np.float32)
        rows[:, :18] = self._general
        rows[:, 18:33] = self._single[position]
        rows[:, 33:48] = self._single[begin : position + 1]
        rows[:, 48] = self._followed[begin : position + 1]
        rows[:, 49] = self._follows[begin : position + 1]
        rows[-1, 35:43] = rows[-1, 48:50] = 0
        rows[-1, 50] = 1
        apart = position - here
        minutes = np.abs(self.minutes[position] - self.minutes[here])
        columns = [_logarithmic(apart), apart > 1, _logarithmic(minutes)]
        rows[:, 51:59] = np.column_stack([*columns, _binned(minutes, APART_MINUTES)])
        rows[:-1, 59:71] = self._relation(position, begin, here)[:-1]
        rows[-1, 69] = 1
        rows[:-1, 71:77] = self._overlap(position, begin)
        return rows

    def _relation(self, position: int, begin: int, here: Any) -> Any:
        """Who addresses whom and when, who spoke in between, the same author, the same target."""
        author = int(self.authors[position])
        window = self.authors[begin : position + 1]
        found = np.zeros((len(here), 12), dtype=np.float32)
        found[_within(self.addressed_at.get(author), begin, position) - begin, 0] = 1
        found[:, 2] = self.earlier[position] < here
        later = self.later[begin : position + 1]
        found[:, 3] = (later < 0) | (later > position)
        found[:, 4:7] = _addressed(self.addressed_from.get(author, {}), window, position, here)
        found[:, 7:10] = _addressed(self.addressed_to.get(author, {}), window, position, here)
        found[:, 10] = window == author
        for target in self.targets[position]:
            found[window == target, 1] = 1
            found[_within(self.addressed_at.get(target), begin, position) - begin, 11] = 1
        return found

    def _overlap(self, position: int, begin: int) -> Any:
        shared = np.zeros(position - begin)
        words = self.words[position]
        for word in words:
            shared[_within(self.postings.get(word), begin, position - 1) - begin] += 1
        ratios = [shared / np.maximum(self.sizes[begin:position], 1), shared / max(len(words), 1)]
        return np.column_stack([*ratios, shared == 0, shared == 1, shared > 1, shared > 5])

    def _of_single(self, chat: Chat) -> Any:
        """What is known of a message by itself, 15 columns."""
        aimed = np.array([bool(each) for each in self.targets], dtype=bool)
        spoke = self.earlier >= 0
        ago = np.where(spoke, np.arange(len(chat)) - self.earlier, -1)
        minutes = np.where(spoke, self.minutes - self.minutes[self.earlier], -1) if len(chat) else ago
        columns = [self.system, _hours(chat) / 24, aimed, spoke, spoke & aimed[self.earlier] if len(chat) else spoke]
        bots = np.array([message.author.lower() in BOTS for message in chat], dtype=bool)
        return np.column_stack([*columns, _binned(ago, AGO_MESSAGES), _binned(minutes, AGO_MINUTES), bots])


def _persons(chat: Chat, addressed: Sequence[Sequence[str]]) -> tuple[Any, list[list[int]]]:
    """Of every message the number of its author and of those it addresses, the same number after a rename.

    Punctuation around a name, which is added when a name is taken, does not make it another person.
    """
    number: dict[str, int] = {}

    def known(name: str) -> int:
        bare = name.lower().strip(punctuation) or name
        return number.setdefault(bare, len(number))

    authors, targets = [], []
    for message, names in zip(chat, addressed, strict=True):
        authors.append(known(message.author))
        targets.append(list(dict.fromkeys(known(name) for name in names)))
        if pair := renamed(message):
            number[pair[1].lower().strip(punctuation) or pair[1]] = authors[-1]
    return np.array(authors, dtype=int), targets


def _addressed(times_of: Mapping[int, Sequence[int]], window: Any, position: int, here: Any) -> Any:
    """Of each candidate whose author has such times: some before it, some after the message, some in between."""
    found = np.zeros((len(here), 3), dtype=bool)
    for other in times_of.keys() & set(window.tolist()):
        times, same = times_of[other], window == other
        before = bisect_left(times, position)
        latest = times[before - 1] if before else -1
        found[same, 0] = times[0] < here[same]
        found[same, 1] = times[-1] > position
        found[same, 2] = latest > here[same]
    return found


def _logarithmic(distance: Any) -> Any:
    return MAX_DISTANCE * np.log1p(np.minimum(distance, WINDOW)) / np.log1p(WINDOW)


def _binned(values: Any, limits: Sequence[int]) -> Any:
    """One column a bin: below the first limit, between two, above the last."""
    place = np.searchsorted(np.array(limits), values, side="right")
    return place[:, None] == np.arange(len(limits) + 1)


def _within(positions: list[int] | None, begin: int, end: int) -> Any:
    """Those of the sorted positions from begin to end, both included."""
    if not positions:
        return np.zeros(0, dtype=int)
    return np.array(positions[bisect_left(positions, begin) : bisect_left(positions, end + 1)], dtype=int)


def _neighbours(authors: Sequence[int], system: Any) -> tuple[Any, Any]:
    """For every message the previous and the next thing that its author said, or -1."""
    earlier, later = np.full(len(authors), -1), np.full(len(authors), -1)
    for found, order in ((earlier, range(len(authors))), (later, range(len(authors) - 1, -1, -1))):
        latest: dict[int, int] = {}
        for position in order:
            found[position] = latest.get(authors[position], -1)
            if not system[position]:
                latest[authors[position]] = position
    return earlier, later


def _addressings(authors: Sequence[int], targets: Sequence[Sequence[int]]) -> tuple[Positions, Between, Between]:
    """Where each person is addressed; of each speaker where each addressee; of each addressee where by each speaker."""
    addressed_at: Positions = {}
    addressed_from: Between = {}
    addressed_to: Between = {}
    for position, (author, addressees) in enumerate(zip(authors, targets, strict=True)):
        for addressee in addressees:
            addressed_at.setdefault(addressee, []).append(position)
            addressed_from.setdefault(author, {}).setdefault(addressee, []).append(position)
            addressed_to.setdefault(addressee, {}).setdefault(author, []).append(position)
    return addressed_at, addressed_from, addressed_to


def _general(chat: Chat, minutes: Any) -> Any:
    """The year and how busy the chat is, 18 columns."""
    year = next((message.time.year for message in chat if message.time), None)
    rate = len(chat) / max(1.0, float(minutes[-1] - minutes[0])) if len(chat) else 0.0
    return np.concatenate([[year == each for each in YEARS], _binned(np.array([rate]), RATE_LIMITS)[0]])


def _hours(chat: Chat) -> Any:
    """The hour of the day, that of the message before where a message has none."""
    hours, last = [], 12
    for message in chat:
        clock = message.time or message.clock
        last = clock.hour if clock else last
        hours.append(last)
    return np.array(hours, dtype=float)
