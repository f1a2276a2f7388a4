"""The training chats as the later stages need them: batches, folds, gold, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...chat import Chat, Message
from ...compiling import Array
from ...layers import ReplyGraph
from ..compiled.collect import collect_words
from ..compiled.memory import BUCKETS, PRIOR, WORDS, Batch, Weights, fresh
from ..encoding import Encoder

CUE_PLACES = 96


@dataclass
class Story:
    """One annotated chat. Arrays by message; `spoken` has the positions of those that are no system lines."""

    batch: Batch
    gold: tuple[tuple[int, ...], ...]
    fold: int
    spoken: Array = field(init=False)
    words: Array = field(init=False)
    cues: Array = field(init=False)
    authors: Array = field(init=False)
    naming: Array = field(init=False)

    def __post_init__(self) -> None:
        self.spoken = np.flatnonzero(self.batch.kind != 2)

    @property
    def judged(self) -> Array:
        """Positions of the messages that have gold, system lines left out."""
        return np.array([p for p in self.spoken if self.gold[p]], np.int64)

    def hear(self, weights: Weights) -> Array:
        """Fills in the words; returns how often each bucket was heard."""
        count, store = len(self.spoken), fresh(weights.frequency)
        self.words = np.full((count, WORDS), -1, np.int32)
        self.cues = np.full((count, CUE_PLACES), -1, np.int32)
        self.authors, self.naming = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
        collect_words(store, weights, self.batch, self.words, self.cues, self.authors, self.naming)
        heard: Array = store["heard"][0] - weights.frequency
        return heard


def stories(inputs: Sequence[Chat], golds: Sequence[ReplyGraph], folds: int, seed: int) -> list[Story]:
    """The chats, dealt into folds."""
    order = np.random.default_rng(seed).permutation(len(inputs))
    fold = {int(chat): place % folds for place, chat in enumerate(order)}
    pairs = enumerate(zip(inputs, golds, strict=True))
    return [Story(Encoder().batch(chat.messages), gold.parents, fold[i]) for i, (chat, gold) in pairs]


def weakened(inputs: Sequence[Chat], golds: Sequence[ReplyGraph], told: Sequence[Story]) -> list[Story]:
    """Every tenth chat once more, without times, without addressing or without both, as other logs are."""
    copies = []
    for place in range(0, len(inputs), 10):
        chat, way = inputs[place], place // 10 % 3
        authors = {author.lower() for author in chat.authors()}
        messages = [_without(each, authors, times=way != 1, names=way != 0) for each in chat]
        copies.append(Story(Encoder().batch(messages), golds[place].parents, told[place].fold))
    return copies


def _without(message: Message, authors: set[str], *, times: bool, names: bool) -> Message:
    """The message with no time, and with nobody named at its beginning."""
    first, _, rest = message.text.partition(" ")
    named = names and rest and message.kind != "system" and first.rstrip(":,;").lower() in authors
    text = rest if named else message.text
    return message._replace(text=text, time=None, clock=None) if times else message._replace(text=text)


def learn_frequency(told: Sequence[Story], weights: Weights) -> Array:
    """How often each word bucket is heard in PRIOR messages."""
    heard, count = np.zeros(BUCKETS), 0
    for story in told:
        heard += story.hear(weights)
        count += len(story.batch.kind)
    return (heard * (PRIOR / max(count, 1))).astype(np.float32)
