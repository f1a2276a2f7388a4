"""The training chats as the stages need them: batches, folds, gold, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...chat import Chat, Message
from ...layers import ReplyGraph
from ...ml.compilation import Array
from ..inference.encoding import KINDS, MessageEncoder
from ..inference.state import HASH_BUCKETS, MAX_CUES, MAX_TOKENS, PRIOR_MESSAGES, Batch, ThreaderWeights, initial_state
from ..inference.training_features import collect_tokens

DEGRADED_EVERY = 10  # one chat of ten is also trained on in a degraded copy


@dataclass
class TrainingChat:
    """One chat with its gold. `spoken` has the positions of messages that are no system lines; the arrays after it
    have a row for each of these."""

    batch: Batch
    gold: tuple[tuple[int, ...], ...]
    fold: int
    spoken: Array = field(init=False)
    tokens: Array = field(init=False)
    cues: Array = field(init=False)
    authors: Array = field(init=False)
    addressees: Array = field(init=False)

    def __post_init__(self) -> None:
        self.spoken = np.flatnonzero(self.batch.kind != KINDS["system"])

    @property
    def annotated(self) -> Array:
        """Positions of the messages that have gold, without system lines."""
        return np.array([position for position in self.spoken if self.gold[position]], np.int64)

    def tokenize(self, weights: ThreaderWeights) -> Array:
        """Fills in the tokens; returns how often each bucket occurred."""
        count, store = len(self.spoken), initial_state(weights.frequency)
        self.tokens = np.full((count, MAX_TOKENS), -1, np.int32)
        self.cues = np.full((count, MAX_CUES), -1, np.int32)
        self.authors, self.addressees = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
        collect_tokens(store, weights, self.batch, self.tokens, self.cues, self.authors, self.addressees)
        occurred: Array = store["token_counts"][0] - weights.frequency
        return occurred


def training_chats(inputs: Sequence[Chat], golds: Sequence[ReplyGraph], folds: int, seed: int) -> list[TrainingChat]:
    """The chats, divided into folds at random."""
    order = np.random.default_rng(seed).permutation(len(inputs))
    fold = {int(chat): place % folds for place, chat in enumerate(order)}
    pairs = enumerate(zip(inputs, golds, strict=True))
    return [TrainingChat(MessageEncoder().batch(chat.messages), gold.parents, fold[i]) for i, (chat, gold) in pairs]


def degraded_copies(
    inputs: Sequence[Chat], golds: Sequence[ReplyGraph], chats: Sequence[TrainingChat]
) -> list[TrainingChat]:
    """Copies of some chats without times, without addressed names or without both, as many other logs are."""
    copies = []
    for place in range(0, len(inputs), DEGRADED_EVERY):
        chat, way = inputs[place], place // DEGRADED_EVERY % 3
        authors = {author.lower() for author in chat.authors()}
        messages = [_degraded(each, authors, times=way != 1, names=way != 0) for each in chat]
        copies.append(TrainingChat(MessageEncoder().batch(messages), golds[place].parents, chats[place].fold))
    return copies


def _degraded(message: Message, authors: set[str], *, times: bool, names: bool) -> Message:
    """The message without its time, without the name it starts with, or without both."""
    first, _, rest = message.text.partition(" ")
    addressed = names and rest and message.kind != "system" and first.rstrip(":,;").lower() in authors
    text = rest if addressed else message.text
    return message._replace(text=text, time=None, clock=None) if times else message._replace(text=text)


def fit_frequency(chats: Sequence[TrainingChat], weights: ThreaderWeights) -> Array:
    """How often each bucket occurs in PRIOR_MESSAGES messages."""
    occurred, count = np.zeros(HASH_BUCKETS), 0
    for chat in chats:
        occurred += chat.tokenize(weights)
        count += len(chat.batch.kind)
    return (occurred * (PRIOR_MESSAGES / max(count, 1))).astype(np.float32)
