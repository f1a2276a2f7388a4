"""Messages into numbers, chunk by chunk: the part of threading that stays in Python."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import accumulate, islice

import numpy as np

from ..chat import Message, renamed
from .compiled.memory import Batch

CHUNK = 1024
LONGEST = 2000  # characters of a text that are looked at
REMEMBERED = 1 << 16  # ids that a recorded reply may refer to
KINDS = {"message": 0, "action": 1, "system": 2}
_START = datetime(1970, 1, 1)
_HALF_DAY = 720.0


class Encoder:
    """Makes batches of the messages of one chat, in order; it knows the ids and the clock of those before."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, int] = OrderedDict()
        self._facts: dict[int, tuple[int, ...]] = {}
        self._position = 0
        self._clock = -1.0
        self._days = 0.0

    def batches(self, messages: Iterable[Message]) -> Iterator[Batch]:
        waiting = iter(messages)
        while chunk := list(islice(waiting, CHUNK)):
            yield self.batch(chunk)

    def facts(self, position: int) -> tuple[int, ...]:
        """What the platform recorded of a message that was just encoded; it is told once."""
        return self._facts.pop(position)

    def batch(self, messages: Sequence[Message]) -> Batch:
        names = [message.author.lower() for message in messages]
        texts = [message.text[:LONGEST].lower() for message in messages]
        news = [_new_name(message) for message in messages]
        codes = "".join([*names, *texts, *news]).encode("utf-32-le", "surrogatepass")
        ends = np.fromiter(accumulate(map(len, [*names, *texts, *news]), initial=0), np.int64)
        count = len(messages)
        return Batch(
            np.frombuffer(codes, np.uint32).astype(np.int64),
            ends[count : 2 * count + 1],
            ends[: count + 1],
            np.stack([ends[2 * count : -1], ends[2 * count + 1 :]], 1),
            np.array([KINDS[message.kind] for message in messages], np.int64),
            np.array([self._minutes(message) for message in messages], np.float64),
            np.array([self._fact(message) for message in messages], np.int64),
        )

    def _minutes(self, message: Message) -> float:
        """Minutes since some moment, -1 if there is no time; a clock that jumps back by hours has passed midnight."""
        if message.time is not None:
            return (message.time.replace(tzinfo=None) - _START).total_seconds() / 60
        if message.clock is None:
            return -1.0
        clock = message.clock.hour * 60 + message.clock.minute + message.clock.second / 60
        if clock < self._clock - _HALF_DAY:
            self._days += 1440.0
        self._clock = clock
        return self._days + clock

    def _fact(self, message: Message) -> int:
        """The position of the message that the platform says this one answers, -1 if it says nothing."""
        known = {self._ids[each] for each in message.reply_to if each in self._ids} if message.reply_to else ()
        if known:
            self._facts[self._position] = tuple(sorted(known))
        self._ids[message.id] = self._position
        self._position += 1
        if len(self._ids) > REMEMBERED:
            self._ids.popitem(last=False)
        return max(known, default=-1)


def _new_name(message: Message) -> str:
    pair = renamed(message) if message.kind == "system" else None
    return pair[1].lower() if pair else ""
